internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanJSON
internal import PortolanMap
internal import PortolanSymbols

/// Points blurred into a surface of density, and that into colours.
///
/// Wide blurs are worked out on a coarser grid than the picture's: nobody sees it, and a point costs
/// the same however far it reaches.
struct HeatmapSurface {
  /// How far a point reaches at most, in cells of the grid.
  private static let maximumRadius = 24

  /// The cells of the grid.
  private let width: Int
  private let height: Int
  /// The picture.
  private let pictureWidth: Int
  private let pictureHeight: Int
  /// Where the grid begins, in pixels: at a place of the map, so that pictures side by side agree.
  private let corner: Coordinate
  /// The weight of the kernel, as a density that covers the plane evenly has it.
  private let kernelSum: Double
  /// How far from the picture points reach it, in pixels.
  let reach: Double
  /// The pixels along a cell.
  private let cell: Int
  private let renderer: HeatmapRenderer
  /// The weight of a point at whole distances, by rows and columns from it.
  private let kernel: [Float]
  private let radius: Int
  private var densities: [Float]

  init(_ renderer: HeatmapRenderer, _ session: DrawingSession) {
    self.renderer = renderer
    let pixels = Self.reach(of: renderer, session)
    self.reach = pixels
    let cell = max(Int((pixels / Double(Self.maximumRadius)).rounded(.up)), 1)
    self.cell = max(Int((pixels / Double(Self.maximumRadius)).rounded(.up)), 1)
    radius = max(Int(pixels) / cell, 1)
    let origin = session.transform(Coordinate(x: 0, y: 0))
    corner = Coordinate(
      x: Self.corner(origin.x, cell: cell), y: Self.corner(origin.y, cell: cell))
    (pictureWidth, pictureHeight) = (session.width, session.height)
    // A cell more on each side, from which the picture's first and last pixels are mixed.
    width = session.width / cell + 4
    height = session.height / cell + 4
    densities = [Float](repeating: 0, count: width * height)
    let blur = renderer.radius == nil ? Double(radius) / 3 : nil
    kernel = Self.kernel(
      radius: radius, blur: blur, cellsPerPoint: session.pixelsPerPoint / Double(cell))
    kernelSum = kernel.reduce(0) { $0 + Double($1) } * Double(cell * cell)
  }

  /// How far from the picture points reach it, in pixels; wider blurs are held to 512.
  static func reach(of renderer: HeatmapRenderer, _ session: DrawingSession) -> Double {
    // Older documents give the blur of a bell curve in pixels, which fades at three times that.
    let reference = renderer.json["referenceScale"]?.lenientNumber ?? 0
    let zoom = reference > 0 ? reference / session.frame.scale : 1
    let reach =
      renderer.radius.map { $0 * session.pixelsPerPoint * zoom }
      ?? (renderer.blurRadius ?? 10) * 3 * session.pixelRatio * zoom
    return min(max(reach, 1), 512)
  }

  /// The last corner of a cell at least a cell before the picture.
  private static func corner(_ origin: Double, cell: Int) -> Double {
    let rest = origin.truncatingRemainder(dividingBy: Double(cell))
    return (rest > 0 ? rest - Double(cell) : rest) - Double(cell)
  }

  /// What is the most for colours where the layer does not say: what cells of points as wide as a
  /// point reaches come to, the fullest of which has this weight.
  func greatestDensity(cellWeight: Double) -> Double {
    cellWeight * kernelSum / (reach * reach)
  }

  /// Whether the layer says which density has the last colour.
  var hasScale: Bool { renderer.maxDensity != nil }
  /// The density of the last colour; `nil` for the greatest of the picture.
  var greatest: Double?

  /// For each place at most `radius` away, what a point there adds: a density for a square point
  /// of 1/72 inch, so that it does not depend on the screen.
  private static func kernel(radius: Int, blur: Double?, cellsPerPoint: Double) -> [Float] {
    let reach = Double(radius)
    let area = .pi * reach * reach / (cellsPerPoint * cellsPerPoint)
    return (-radius...radius).flatMap { row in
      (-radius...radius).map { column -> Float in
        let square = Double(row * row + column * column)
        guard square < reach * reach else { return 0 }
        if let blur { return Float(exp(-square / (2 * blur * blur)) / (2 * .pi).squareRoot()) }
        let share = 1 - square / (reach * reach)
        return Float(3 / area * share * share)
      }
    }
  }

  mutating func add(_ point: Coordinate, weight: Double) {
    let side = 2 * radius + 1
    let pixels = Double(cell)
    let (column, row) = (
      Int(((point.x - corner.x) / pixels).rounded(.down)),
      Int(((point.y - corner.y) / pixels).rounded(.down))
    )
    let (left, right) = (max(column - radius, 0), min(column + radius + 1, width))
    let (top, bottom) = (max(row - radius, 0), min(row + radius + 1, height))
    guard left < right, top < bottom, weight.isFinite else { return }
    // Sums of absurd weights must stay numbers.
    let weight = Float(min(max(weight, -1e12), 1e12))
    for y in top..<bottom {
      let source = (y - row + radius) * side + left - column + radius
      let target = y * width + left
      for offset in 0..<(right - left) {
        densities[target + offset] += kernel[source + offset] * weight
      }
    }
  }

  /// The surface in colours; `nil` if there is nothing to see.
  var command: DrawCommand? {
    let greatest = self.greatest ?? Double(densities.max() ?? 0)
    let low = renderer.minDensity ?? 0
    let high = renderer.maxDensity ?? greatest
    guard greatest > 0, high > low, !renderer.colorStops.isEmpty,
      densities.contains(where: { $0 > 0 })
    else { return nil }
    let ramp = ColorRamp(renderer.colorStops)
    let colors = (0...255).map { step -> UInt32 in
      ramp.color(at: Double(step) / 255)?.pixel ?? 0
    }
    // Densities that are almost the same are told apart as far as numbers go.
    let factor = Float(min(255 / (high - low), 1e30))
    var pixels: [UInt32] = []
    pixels.reserveCapacity(pictureWidth * pictureHeight)
    for row in 0..<pictureHeight {
      for column in 0..<pictureWidth {
        let step = (density(column, row) - Float(low)) * factor
        pixels.append(colors[Int(min(max(step, 0), 255))])
      }
    }
    guard let image = PixelImage(width: pictureWidth, height: pictureHeight, pixels: pixels) else {
      return nil
    }
    return .image(
      image,
      ImagePlacement(transform: .identity, area: .rectangle(image.box), isSmooth: false))
  }

  /// The density at a pixel, mixed of the four cells around it.
  @inline(__always)
  private func density(_ column: Int, _ row: Int) -> Float {
    if cell == 1 {
      return densities[(row + Int(0.5 - corner.y)) * width + column + Int(0.5 - corner.x)]
    }
    let x = (Double(column) + 0.5 - corner.x) / Double(cell) - 0.5
    let y = (Double(row) + 0.5 - corner.y) / Double(cell) - 0.5
    let (left, top) = (Int(x), Int(y))
    let (right, down) = (Float(x - Double(left)), Float(y - Double(top)))
    let place = top * width + left
    let upper = densities[place] + (densities[place + 1] - densities[place]) * right
    let (below, beside) = (densities[place + width], densities[place + width + 1])
    return upper + ((below + (beside - below) * right) - upper) * down
  }
}
