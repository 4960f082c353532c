public import PortolanFeatures
public import PortolanGeometry

/// The features of a layer that a query returns, and the parts of them.
///
/// Docs/REST.md, 3.
public struct ServiceQueryParameters: Hashable, Sendable {
  /// The spatial relationship of a feature's shape to the given one.
  public enum SpatialRelationship: String, Sendable, CaseIterable {
    case intersects = "esriSpatialRelIntersects"
    case contains = "esriSpatialRelContains"
    case crosses = "esriSpatialRelCrosses"
    case envelopeIntersects = "esriSpatialRelEnvelopeIntersects"
    case indexIntersects = "esriSpatialRelIndexIntersects"
    case overlaps = "esriSpatialRelOverlaps"
    case touches = "esriSpatialRelTouches"
    case within = "esriSpatialRelWithin"
  }

  /// A condition on the fields, in the SQL of the services; all features if `nil`.
  public var whereClause: String?
  /// The object ids allowed.
  public var objectIDs: [Int64]?
  /// The shape to which features must lie as ``spatialRelationship`` says.
  public var geometry: Geometry?
  /// The spatial reference of ``geometry``; the service's own reference if `nil`.
  public var geometrySpatialReference: SpatialReference?
  /// The spatial relationship of features to ``geometry``.
  public var spatialRelationship: SpatialRelationship
  /// The order; object ids follow where it leaves a choice.
  public var orderBy: [QueryParameters.OrderBy]
  /// The number of features to skip.
  public var offset: Int
  /// The most features to return.
  public var limit: Int?
  /// Whether shapes are sent.
  public var returnsGeometry: Bool
  /// The fields to send; all if `nil`.
  public var outFields: [String]?
  /// The spatial reference of the coordinates sent; the service's own reference if `nil`.
  public var outSpatialReference: SpatialReference?
  /// The maximum distance of simplified shapes from the real ones, in units of the reference that
  /// is sent.
  public var maxAllowableOffset: Double?

  /// Creates parameters; without arguments they ask for everything.
  public init(
    whereClause: String? = nil, objectIDs: [Int64]? = nil, geometry: Geometry? = nil,
    geometrySpatialReference: SpatialReference? = nil,
    spatialRelationship: SpatialRelationship = .intersects,
    orderBy: [QueryParameters.OrderBy] = [], offset: Int = 0, limit: Int? = nil,
    returnsGeometry: Bool = true, outFields: [String]? = nil,
    outSpatialReference: SpatialReference? = nil
  ) {
    self.whereClause = whereClause
    self.objectIDs = objectIDs
    self.geometry = geometry
    self.geometrySpatialReference = geometrySpatialReference
    self.spatialRelationship = spatialRelationship
    self.orderBy = orderBy
    self.offset = offset
    self.limit = limit
    self.returnsGeometry = returnsGeometry
    self.outFields = outFields
    self.outSpatialReference = outSpatialReference
  }
}
