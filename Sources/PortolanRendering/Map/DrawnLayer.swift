public import PortolanMap
public import PortolanPackages

/// A layer that is switched on, with its data and what the groups around it say.
public struct DrawnLayer: Sendable {
  /// The layer.
  public var layer: Layer
  /// Its data, or the reason why there are none.
  public var content: LayerContent
  /// How opaque it is, its groups included, from 0 to 1.
  public var opacity: Double
  /// The scales at which it is shown, its groups' included.
  public var scaleRanges: [ScaleRange]

  /// Creates a layer that is in the groups `groups`.
  public init(layer: Layer, content: LayerContent, groups: [Layer] = []) {
    self.layer = layer
    self.content = content
    opacity = groups.reduce(layer.opacity) { $0 * $1.opacity }
    scaleRanges = [layer.scaleRange] + groups.map(\.scaleRange)
  }

  /// Whether the layer is drawn at a scale, given as a denominator.
  public func isDrawn(atScale scale: Double) -> Bool {
    opacity > 0 && scaleRanges.allSatisfy { $0.contains(scale) }
  }
}
