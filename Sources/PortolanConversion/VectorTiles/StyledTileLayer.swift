public import PortolanFeatures
internal import PortolanGeometry
public import PortolanMap

/// A layer of vector tiles, and how the map draws and labels it.
public struct StyledTileLayer: Sendable {
  /// The name of the layer in the tiles.
  public var name: String
  /// The table that it was made of.
  public var schema: FeatureTableSchema
  /// How its features are drawn and labelled.
  public var drawingInfo: DrawingInfo
  /// How opaque it is, its groups included, from 0 to 1.
  public var opacity = 1.0
  /// The scales at which it is shown, its groups' included.
  public var scaleRanges: [ScaleRange] = []
  /// Whether its labels are on.
  public var showsLabels = false
  /// What else the map says about the layer, such as how its colors are mixed with those below.
  public var layer: Layer?

  /// Creates an opaque layer without labels, which is shown at all scales.
  public init(_ name: String, schema: FeatureTableSchema, drawingInfo: DrawingInfo) {
    self.name = name
    self.schema = schema
    self.drawingInfo = drawingInfo
  }

  var geometryType: GeometryType { schema.geometryType ?? .point }

  /// The value of a field as an expression; `nil` if the tiles do not have the field.
  func value(of field: String) -> StyleValue? {
    StyleValue(of: field, in: schema)
  }
}
