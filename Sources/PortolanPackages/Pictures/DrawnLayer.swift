public import PortolanMap

/// A layer that is switched on, with its data and what the groups around it say.
public struct DrawnLayer: Sendable {
  /// The layer.
  public var layer: Layer
  /// Its data, or the reason why there are none.
  public var content: LayerContent
  /// How opaque it is, without its groups, from 0 to 1.
  public var opacity: Double
  /// The groups that it is in, innermost first; layers of a group must be given one after the other.
  public var groups: [Layer]
  /// The scales at which it is shown, its groups' included.
  public var scaleRanges: [ScaleRange]
  /// The key of the layer in reports about its drawing.
  public var key: String

  /// Creates a layer that is in the groups `groups`, innermost first.
  public init(
    layer: Layer, content: LayerContent, groups: [Layer] = [], key: String? = nil
  ) {
    self.key = key ?? layer.id ?? layer.title
    self.layer = layer
    self.content = content
    self.groups = groups
    opacity = layer.opacity
    scaleRanges = [layer.scaleRange(over: content.serviceScaleRange)] + groups.map(\.scaleRange)
  }

  /// How opaque it is, its groups included, from 0 to 1.
  public var effectiveOpacity: Double { groups.reduce(opacity) { $0 * $1.opacity } }

  /// Whether the layer is drawn at a scale, given as a denominator.
  public func isDrawn(atScale scale: Double) -> Bool {
    effectiveOpacity > 0 && scaleRanges.allSatisfy { $0.contains(scale) }
  }
}
