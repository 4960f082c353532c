internal import Foundation
internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanSymbols

/// A pie at each feature.
struct PieChart: FeatureChart {
  private let slices: [ChartAttribute]
  /// The width of a pie, in pixels.
  private let size: Double
  /// The share of the radius that is left out in the middle.
  private let holeShare: Double
  private let background: SymbolStyle?
  private let outline: StrokeStyle?
  /// The share below which a slice is put to the others, and their colour.
  private let others: (threshold: Double, color: RGBAColor)?
  /// The colour of a pie without slices.
  private let emptyColor: RGBAColor?

  init(_ renderer: PieChartRenderer, pixelsPerPoint: Double) {
    let reader = SymbolReader(pixelsPerPoint: pixelsPerPoint)
    slices = renderer.attributes.compactMap(ChartAttribute.init)
    size = max(reader.pixels(renderer.size), 0)
    holeShare = min(max(renderer.holePercentage, 0), 0.95)
    background = renderer.backgroundFillSymbol.map(reader.style)
    outline = reader.stroke(renderer.json.object("outline").map(SimpleLineSymbol.init(json:)))
    let threshold = renderer.json.object("othersCategory")?.number("threshold") ?? 0
    others = renderer.othersColor.flatMap { threshold > 0 ? (threshold, $0) : nil }
    emptyColor = RGBAColor(json: renderer.json["defaultColor"])
  }

  var fields: [String] { slices.flatMap(\.fields) }

  func draw(
    _ feature: Feature, _ geometry: Geometry, _ pixels: PixelGeometry, size: Double?,
    into commands: inout [DrawCommand]
  ) -> Double {
    // A background that is of no use for the shape draws nothing, which is what is wanted.
    _ = background?.draw(pixels, heading: 0, into: &commands)
    let center: Coordinate?
    switch pixels {
    case .points(let points): center = points.first
    case .lines(let path): center = path.isEmpty ? nil : path.bounds.center
    case .area(let path): center = path.interiorPoint
    }
    let radius = max(size ?? self.size, 0) / 2
    guard let center, radius > 0 else { return 0 }
    var passed = 0.0
    for (color, share) in shares(of: feature.attributes) {
      let path = sector(around: center, radius, from: passed, to: passed + share)
      commands.append(.fill(path, .solid(color)))
      if let outline { commands.append(.stroke(path, outline)) }
      passed += share
    }
    return radius
  }

  /// The colours of the slices and their shares in the pie.
  private func shares(of attributes: Attributes) -> [(RGBAColor, Double)] {
    let values = slices.map { $0.value(for: attributes) }
    let total = values.reduce(0, +)
    guard total > 0, total.isFinite else { return emptyColor.map { [($0, 1)] } ?? [] }
    var shares: [(RGBAColor, Double)] = []
    var rest = 0.0
    for (slice, value) in zip(slices, values) where value > 0 {
      if let others, value / total < others.threshold {
        rest += value / total
      } else {
        shares.append((slice.color, value / total))
      }
    }
    return shares + (others.map { rest > 0 ? [($0.color, rest)] : [] } ?? [])
  }

  /// A slice, from one share of the circle to another, clockwise from the top; one that is the whole circle has
  /// no sides.
  private func sector(
    around center: Coordinate, _ radius: Double, from: Double, to: Double
  ) -> PixelPath {
    let steps = max(Int((to - from) * 90), 2)
    func arc(_ radius: Double) -> [Coordinate] {
      (0...steps).map { step in
        let share = from + (to - from) * Double(step) / Double(steps)
        let angle = share * 2 * .pi - .pi / 2
        return Coordinate(x: center.x + cos(angle) * radius, y: center.y + sin(angle) * radius)
      }
    }
    if to - from > 1 - 1e-9 {
      let hole = holeShare > 0 ? [Array(arc(radius * holeShare).dropLast().reversed())] : []
      return PixelPath([Array(arc(radius).dropLast())] + hole, isClosed: true)
    }
    let inner = holeShare > 0 ? Array(arc(radius * holeShare).reversed()) : [center]
    return PixelPath([arc(radius) + inner], isClosed: true)
  }
}
