internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap

/// A pie at each feature.
struct PieChart: FeatureChart {
  private let slices: [ChartAttribute]
  private let radius: Double
  private let hole: Double
  private let background: SymbolStyle?

  init(_ renderer: PieChartRenderer, pixelsPerPoint: Double) {
    let reader = SymbolReader(pixelsPerPoint: pixelsPerPoint)
    slices = renderer.attributes.compactMap(ChartAttribute.init)
    radius = max(reader.pixels(renderer.size), 0) / 2
    hole = radius * min(max(renderer.holePercentage, 0), 0.95)
    background = renderer.backgroundFillSymbol.map(reader.style)
  }

  var fields: [String] { slices.flatMap(\.fields) }

  func draw(
    _ feature: Feature, _ ground: Geometry, _ pixels: PixelGeometry,
    into commands: inout [DrawCommand]
  ) {
    // A background that is of no use for the shape draws nothing, which is what is wanted.
    _ = background?.draw(pixels, heading: 0, into: &commands)
    let center: Coordinate?
    switch pixels {
    case .points(let points): center = points.first
    case .lines(let path): center = path.isEmpty ? nil : path.bounds.center
    case .area(let path): center = path.interiorPoint
    }
    let values = slices.map { $0.value(for: feature.attributes) }
    let total = values.reduce(0, +)
    guard let center, total > 0, total.isFinite, radius > 0 else { return }
    var passed = 0.0
    for (slice, value) in zip(slices, values) where value > 0 {
      let path = sector(around: center, from: passed / total, to: (passed + value) / total)
      commands.append(.fill(path, .solid(slice.color)))
      passed += value
    }
  }

  /// A slice, from one share of the circle to another, clockwise from the top.
  private func sector(around center: Coordinate, from: Double, to: Double) -> PixelPath {
    let steps = max(Int((to - from) * 90), 2)
    func arc(_ radius: Double) -> [Coordinate] {
      (0...steps).map { step in
        let share = from + (to - from) * Double(step) / Double(steps)
        let angle = share * 2 * .pi - .pi / 2
        return Coordinate(x: center.x + cos(angle) * radius, y: center.y + sin(angle) * radius)
      }
    }
    let inner = hole > 0 ? Array(arc(hole).reversed()) : [center]
    return PixelPath([arc(radius) + inner], isClosed: true)
  }
}
