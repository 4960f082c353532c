public import PortolanGeometry

/// Features with what their values and coordinates mean: the answer to a query of a service, or
/// the features that a web map contains.
public struct FeatureSet: Hashable, Sendable {
  /// The fields of all features.
  public var fields: [Field]
  /// The name of the field with the object id; `nil` if the set names none, and the features are
  /// numbered from 1.
  public var objectIDField: String?
  /// The kind of shape, or `nil` for rows without shapes.
  public var geometryType: GeometryType?
  /// The spatial reference of the coordinates, if the set says so.
  public var spatialReference: SpatialReference?
  /// Whether shapes carry heights.
  public var hasZ: Bool
  /// Whether shapes carry measures.
  public var hasM: Bool
  /// The features.
  public var features: [Feature]
  /// Whether the service left features out, since there were too many.
  public var exceedsTransferLimit: Bool
  /// The shapes that could not be read; their features are there, without them.
  public var unreadableShapes: [UnreadableShape]

  /// A shape that could not be read.
  public struct UnreadableShape: Hashable, Sendable {
    /// The place of its feature, from 0.
    public var index: Int
    /// Why.
    public var reason: GeometryError

    /// Notes a shape.
    public init(index: Int, reason: GeometryError) {
      self.index = index
      self.reason = reason
    }
  }

  /// Creates a set.
  public init(
    fields: [Field], objectIDField: String? = nil, geometryType: GeometryType? = nil,
    spatialReference: SpatialReference? = nil, hasZ: Bool = false, hasM: Bool = false,
    features: [Feature] = [], exceedsTransferLimit: Bool = false
  ) {
    self.fields = fields
    self.objectIDField = objectIDField
    self.geometryType = geometryType
    self.spatialReference = spatialReference
    self.hasZ = hasZ
    self.hasM = hasM
    self.features = features
    self.exceedsTransferLimit = exceedsTransferLimit
    unreadableShapes = []
  }
}
