internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanJSON
internal import PortolanMap
internal import PortolanSymbols

/// Points blurred into a surface of density, and that into colours.
///
/// Wide blurs are worked out on a coarser grid than the picture's: the difference is not visible,
/// and a point costs the same however far it reaches.
struct HeatmapSurface {
  /// The maximum radius of a point's influence, in cells of the grid.
  private static let maximumRadius = 24

  /// The distance from the picture at which points still affect it, in pixels.
  let reach: Double
  private let renderer: HeatmapRenderer
  /// The weight of the kernel, as a density that covers the plane evenly has it.
  private let kernelSum: Double
  private let kernel: DensityGrid.Kernel
  private var grid: DensityGrid

  init(_ renderer: HeatmapRenderer, _ session: DrawingSession) {
    self.renderer = renderer
    let pixels = Self.reach(of: renderer, session)
    self.reach = pixels
    let cell = max(Int((pixels / Double(Self.maximumRadius)).rounded(.up)), 1)
    let radius = max(Int(pixels) / cell, 1)
    grid = DensityGrid(
      width: session.width, height: session.height, cell: cell,
      origin: session.transform(Coordinate(x: 0, y: 0)))
    let blur = renderer.radius == nil ? Double(radius) / 3 : nil
    kernel = Self.kernel(
      radius: radius, blur: blur, cellsPerPoint: session.pixelsPerPoint / Double(cell))
    kernelSum = kernel.sum * Double(cell * cell)
  }

  /// The distance from the picture at which points still affect it, in pixels; wider blurs are held
  /// to 512.
  static func reach(of renderer: HeatmapRenderer, _ session: DrawingSession) -> Double {
    // Older documents give the blur of a bell curve in pixels, which fades at three times that.
    let reference = renderer.json["referenceScale"]?.lenientNumber ?? 0
    let zoom = reference > 0 ? reference / session.frame.scale : 1
    let reach =
      renderer.radius.map { $0 * session.pixelsPerPoint * zoom }
      ?? (renderer.blurRadius ?? 10) * 3 * session.pixelRatio * zoom
    return min(max(reach, 1), 512)
  }

  /// The density of the last colour where the layer gives none: the density that cells of points as
  /// wide as a point's radius come to, the fullest of which has this weight.
  func greatestDensity(cellWeight: Double) -> Double {
    cellWeight * kernelSum / (reach * reach)
  }

  /// Whether the layer says which density has the last colour.
  var hasScale: Bool { renderer.maxDensity != nil }
  /// The density of the last colour; `nil` for the greatest of the picture.
  var greatest: Double?

  /// For each place at most `radius` away, what a point there adds: a density for a square point
  /// of 1/72 inch, so that it does not depend on the screen.
  private static func kernel(
    radius: Int, blur: Double?, cellsPerPoint: Double
  ) -> DensityGrid.Kernel {
    let reach = Double(radius)
    let area = .pi * reach * reach / (cellsPerPoint * cellsPerPoint)
    return DensityGrid.Kernel(radius: radius) { square in
      guard square < reach * reach else { return 0 }
      if let blur { return Float(exp(-square / (2 * blur * blur)) / (2 * .pi).squareRoot()) }
      let share = 1 - square / (reach * reach)
      return Float(3 / area * share * share)
    }
  }

  mutating func add(_ point: Coordinate, weight: Double) {
    grid.add(point, kernel, weight: weight)
  }

  /// The surface in colours; `nil` if there is nothing to see.
  var command: DrawCommand? {
    let most = Double(grid.greatest)
    let greatest = self.greatest ?? most
    let low = renderer.minDensity ?? 0
    let high = renderer.maxDensity ?? greatest
    guard greatest > 0, high > low, !renderer.colorStops.isEmpty, most > 0 else { return nil }
    let ramp = ColorRamp(renderer.colorStops)
    let colors = (0...255).map { step -> UInt32 in
      ramp.color(at: Double(step) / 255)?.pixel ?? 0
    }
    return grid.picture(colors, from: low, to: high).map { .image($0, .whole(of: $0)) }
  }
}
