internal import Foundation
internal import PortolanGeometry
internal import PortolanMap

/// Points blurred into a surface of density, and that into colours.
struct HeatmapSurface {
  private let width: Int
  private let height: Int
  private let renderer: HeatmapRenderer
  /// The weight of a point at whole distances, by rows and columns from it.
  private let kernel: [Float]
  private let radius: Int
  private var densities: [Float]

  init(_ renderer: HeatmapRenderer, _ session: DrawingSession) {
    self.renderer = renderer
    width = session.width
    height = session.height
    densities = [Float](repeating: 0, count: width * height)
    // Older documents give the blur of a bell curve in pixels, which fades at three times that.
    let reach =
      renderer.radius.map { $0 * session.pixelsPerPoint }
      ?? (renderer.blurRadius ?? 10) * 3 * session.pixelRatio
    radius = Int(min(max(reach, 1), 512))
    let blur = renderer.radius == nil ? Double(radius) / 3 : nil
    kernel = Self.kernel(radius: radius, blur: blur, pixelsPerPoint: session.pixelsPerPoint)
  }

  /// For each place at most `radius` away, what a point there adds: a density for a square point
  /// of 1/72 inch, so that it does not depend on the screen.
  private static func kernel(radius: Int, blur: Double?, pixelsPerPoint: Double) -> [Float] {
    let reach = Double(radius)
    let area = .pi * reach * reach / (pixelsPerPoint * pixelsPerPoint)
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
    let (column, row) = (Int(point.x.rounded(.down)), Int(point.y.rounded(.down)))
    let (left, right) = (max(column - radius, 0), min(column + radius + 1, width))
    let (top, bottom) = (max(row - radius, 0), min(row + radius + 1, height))
    guard left < right, top < bottom else { return }
    let weight = Float(weight)
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
    let factor = 255 / (high - low)
    let pixels = densities.map { density -> UInt32 in
      let step = (Double(density) - low) * factor
      return colors[Int(min(max(step, 0), 255))]
    }
    guard let image = PixelImage(width: width, height: height, pixels: pixels) else { return nil }
    let box = Envelope(xMin: 0, yMin: 0, xMax: Double(width), yMax: Double(height))
    return .image(
      image, ImagePlacement(transform: .identity, area: .rectangle(box), isSmooth: false))
  }
}

extension RGBAColor {
  /// The colour as a pixel.
  var pixel: UInt32 {
    (UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)).premultiplied
  }
}
