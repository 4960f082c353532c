internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

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
  /// The pixels along a cell.
  private let cell: Int
  private let renderer: HeatmapRenderer
  /// The weight of a point at whole distances, by rows and columns from it.
  private let kernel: [Float]
  private let radius: Int
  private var densities: [Float]

  init(_ renderer: HeatmapRenderer, _ session: DrawingSession) {
    self.renderer = renderer
    // Older documents give the blur of a bell curve in pixels, which fades at three times that.
    let reference = renderer.json["referenceScale"]?.lenientNumber ?? 0
    let zoom = reference > 0 ? reference / session.frame.scale : 1
    let reach =
      renderer.radius.map { $0 * session.pixelsPerPoint * zoom }
      ?? (renderer.blurRadius ?? 10) * 3 * session.pixelRatio * zoom
    let pixels = min(max(reach, 1), 512)
    cell = max(Int((pixels / Double(Self.maximumRadius)).rounded(.up)), 1)
    radius = max(Int(pixels) / cell, 1)
    width = (session.width + cell - 1) / cell
    height = (session.height + cell - 1) / cell
    densities = [Float](repeating: 0, count: width * height)
    let blur = renderer.radius == nil ? Double(radius) / 3 : nil
    kernel = Self.kernel(
      radius: radius, blur: blur, cellsPerPoint: session.pixelsPerPoint / Double(cell))
  }

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
      Int((point.x / pixels).rounded(.down)), Int((point.y / pixels).rounded(.down))
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
    let greatest = Double(densities.max() ?? 0)
    let low = renderer.minDensity ?? 0
    let high = renderer.maxDensity ?? greatest
    guard greatest > 0, high > low, !renderer.colorStops.isEmpty else { return nil }
    let ramp = ColorRamp(renderer.colorStops)
    let colors = (0...255).map { step -> UInt32 in
      ramp.color(at: Double(step) / 255)?.pixel ?? 0
    }
    // Densities that are almost the same are told apart as far as numbers go.
    let factor = min(255 / (high - low), 1e30)
    let pixels = densities.map { density -> UInt32 in
      let step = (Double(density) - low) * factor
      return colors[Int(min(max(step, 0), 255))]
    }
    guard let image = PixelImage(width: width, height: height, pixels: pixels) else { return nil }
    var transform = PixelTransform.identity
    transform.xx = Double(cell)
    transform.yy = Double(cell)
    let box = Envelope(
      xMin: 0, yMin: 0, xMax: Double(width * cell), yMax: Double(height * cell))
    return .image(
      image, ImagePlacement(transform: transform, area: .rectangle(box), isSmooth: true))
  }
}

extension RGBAColor {
  /// The colour as a pixel.
  var pixel: UInt32 {
    (UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)).premultiplied
  }
}
