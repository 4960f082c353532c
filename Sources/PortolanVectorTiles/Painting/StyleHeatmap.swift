internal import Foundation
internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// The points of a layer of a style blurred into a surface of density, and that into colours.
///
/// - SeeAlso: [Heatmap layers](https://maplibre.org/maplibre-style-spec/layers/#heatmap)
struct StyleHeatmap {
  /// The cells along the radius where all points have the same.
  private static let cellsOfRadius = 24.0
  /// The value that a point of weight 1 adds at its middle.
  private static let peak = 1 / (2 * Double.pi).squareRoot()
  /// The value that counts as nothing: a sixteenth of the smallest difference of a pixel.
  private static let nothing = 1.0 / 255 / 16
  /// The maximum reach of a point as a multiple of its radius, however great its weight.
  private static let farthest = 2.0
  /// Radii are held to this, in cells.
  private static let largestRadius = 64.0

  /// The key of a kernel, in quarters of a cell.
  private struct Shape: Hashable {
    var radius: Int
    var reach: Int
  }

  private let ratio: Double
  private let cell: Double
  private let intensity: Double
  private var grid: DensityGrid
  private var kernels: [Shape: DensityGrid.Kernel] = [:]

  /// Nothing so far; `context` has no feature.
  init(_ layer: StyleLayer, _ context: EvaluationContext, _ drawing: DrawingContext) {
    ratio = drawing.pixelRatio
    intensity = max(layer.number("heatmap-intensity", context, or: 1), 0)
    let radius = Self.radius(layer, context) * ratio
    let cell = min(max((radius / Self.cellsOfRadius).rounded(.down), 1), 64)
    self.cell = cell
    grid = DensityGrid(
      width: drawing.width, height: drawing.height, cell: Int(cell),
      origin: drawing.transform(Coordinate(x: 0, y: 0)))
  }

  private static func radius(_ layer: StyleLayer, _ context: EvaluationContext) -> Double {
    min(max(layer.number("heatmap-radius", context, or: 30), 1), 1000)
  }

  /// Adds a point of a feature.
  mutating func add(_ point: Coordinate, _ layer: StyleLayer, _ context: EvaluationContext) {
    let weight = max(layer.number("heatmap-weight", context, or: 1), 0) * intensity
    guard weight * Self.peak > Self.nothing else { return }
    let radius = min(Self.radius(layer, context) * ratio / cell, Self.largestRadius)
    // The distance at which the bell curve comes to nothing, in radii.
    let reach = (-2 * log(Self.nothing / (weight * Self.peak))).squareRoot() / 3
    let shape = Shape(
      radius: max(Int((radius * 4).rounded()), 1),
      reach: max(Int((radius * min(reach, Self.farthest)).rounded(.up)), 1))
    grid.add(point, kernel(shape), weight: weight)
  }

  private mutating func kernel(_ shape: Shape) -> DensityGrid.Kernel {
    if let known = kernels[shape] { return known }
    let radius = Double(shape.radius) / 4
    let kernel = DensityGrid.Kernel(radius: shape.reach) { square in
      Float(Self.peak * exp(-4.5 * square / (radius * radius)))
    }
    kernels[shape] = kernel
    return kernel
  }

  /// The steps that draw the surface.
  func commands(_ layer: StyleLayer, _ context: EvaluationContext) -> [DrawCommand] {
    let opacity = min(max(layer.number("heatmap-opacity", context, or: 1), 0), 1)
    let colors = (0...255).map { step -> UInt32 in
      var context = context
      context.heatmapDensity = Double(step) / 255
      let fallback = layer.has(StyleLayer.heatmapColor) ? nil : Self.defaultColor(context)
      return layer.color(StyleLayer.heatmapColor, context, or: fallback)?.pixel ?? 0
    }
    guard opacity > 0, let image = grid.picture(colors, from: 0, to: 1) else { return [] }
    return [.image(image, .whole(of: image, opacity: opacity))]
  }

  /// The colours of a layer that names none; a test shows that they can be read.
  private static let defaultColors = try? StyleExpression(
    [
      "interpolate", ["linear"], ["heatmap-density"], 0, "rgba(0,0,255,0)", 0.1, "royalblue", 0.3,
      "cyan", 0.5, "lime", 0.7, "yellow", 1, "red",
    ], for: PropertySpecification(.color))

  private static func defaultColor(_ context: EvaluationContext) -> RGBAColor? {
    // Densities always have a value here.
    guard case .color(let color)? = try? defaultColors?.value(context) else { return nil }
    return RGBAColor(color)
  }
}
