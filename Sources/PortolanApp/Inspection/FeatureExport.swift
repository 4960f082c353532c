public import PortolanFeatures
public import PortolanGeometry

/// The features of one layer on their way out, a few at a time.
///
/// Nothing is held but the page that is being read, however many features there are.
public struct FeatureExport: Sendable {
  /// The spatial reference of the result.
  public enum Coordinates: Hashable, Sendable {
    /// The layer's own spatial reference, to the last bit.
    case native
    /// A spatial reference, which a registry lists by its id or well-known text defines.
    case reference(SpatialReference)

    /// Longitude and latitude on WGS 84.
    public static let wgs84 = Coordinates.reference(.wgs84)

    /// The spatial reference; `nil` for the layer's own.
    var spatialReference: SpatialReference? {
      if case .reference(let reference) = self { reference } else { nil }
    }
  }

  /// The features to export, and the form of the result.
  public struct Parameters: Hashable, Sendable {
    /// A condition on the fields, in the SQL of the services.
    public var whereClause: String?
    /// A box that the features' own boxes must meet, in ``coordinates``.
    public var box: Envelope?
    /// The most features.
    public var limit: Int?
    /// The spatial reference of the box and of the result.
    public var coordinates: Coordinates
    /// The order; object ids follow where it leaves a choice.
    public var orderBy: [QueryParameters.OrderBy]
    /// The fields; all if `nil`.
    public var fields: [String]?

    /// Creates parameters; without arguments all features are wanted, in degrees.
    public init(
      whereClause: String? = nil, box: Envelope? = nil, limit: Int? = nil,
      coordinates: Coordinates = .wgs84, orderBy: [QueryParameters.OrderBy] = [],
      fields: [String]? = nil
    ) {
      self.whereClause = whereClause
      self.box = box
      self.limit = limit
      self.coordinates = coordinates
      self.orderBy = orderBy
      self.fields = fields
    }
  }

  /// The table that the features are rows of.
  public let schema: FeatureTableSchema
  /// The spatial reference of the result; `nil` for a table without shapes.
  public let spatialReference: SpatialReference?

  private let store: any FeatureStore
  private let query: QueryParameters
  private let projection: Projection?
  /// The number of decimals of computed coordinates; `nil` where those of the file are handed over.
  private let decimals: Int?

  /// Prepares the export of a layer.
  ///
  /// - Throws: `GeometryError` if there is no way from the layer's spatial reference to the one that is
  ///   asked for, or the box cannot be projected to the layer's, which may be unknown.
  public init(_ layer: InspectedLayer, _ parameters: Parameters) throws(GeometryError) {
    schema = layer.schema
    let hasShapes = schema.geometryType != nil || schema.mayMixShapes
    let native = hasShapes ? schema.spatialReference : nil
    let wanted = native == nil ? nil : parameters.coordinates.spatialReference
    projection =
      if let native, let wanted { try Projection(from: native, to: wanted) } else { nil }
    decimals = projection?.isIdentity == false ? wanted?.writtenDecimals : nil
    spatialReference = wanted ?? native
    var query = QueryParameters(
      orderBy: parameters.orderBy, limit: parameters.limit, outFields: parameters.fields)
    query.whereClause = layer.condition(and: parameters.whereClause)
    if let box = parameters.box, hasShapes {
      guard native != nil || parameters.coordinates == .native else {
        throw .unknownSpatialReference(
          "of \"\(schema.alias)\"",
          reason: "only a box in its own coordinates can be put around its shapes")
      }
      query.extent =
        if let native, let wanted { try Projection(from: wanted, to: native).project(box) } else {
          box
        }
    }
    store = layer.store
    self.query = query
  }

  /// The names of the fields that each feature has.
  public var fieldNames: [String] {
    guard let names = query.outFields, !names.contains("*") else {
      return schema.fields.map(\.name)
    }
    return names.map { schema.field(named: $0)?.name ?? $0 }
  }

  /// The number of features, none of which is read.
  ///
  /// - Throws: `FeatureStoreError` for a table that cannot be read, or a condition or a field that
  ///   it does not have.
  public func count() async throws(FeatureStoreError) -> Int {
    var query = query
    query.limit = nil
    let count = try await store.count(in: schema.name, matching: query)
    return min(count, self.query.limit ?? count)
  }

  /// Hands over one feature after the other.
  ///
  /// - Parameters:
  ///   - receive: Called with each feature.
  ///   - report: Called with each row that is left out because it cannot be read.
  /// - Throws: `FeatureStoreError` for a table that cannot be read, `GeometryError` for a shape
  ///   that cannot be projected, and whatever `receive` throws.
  public func pass(
    to receive: (Feature) throws -> Void, leavingOut report: (UnreadableRow) -> Void
  ) async throws {
    var reader = TolerantReader(store, schema, query)
    while case let page = try await reader.next(), !page.isEmpty {
      page.unreadable.forEach(report)
      for var feature in page.features {
        if let projection, let geometry = feature.geometry {
          let image = try projection.project(geometry)
          feature.geometry = decimals.map { image.rounded(toDecimals: $0) } ?? image
        }
        try receive(feature)
      }
      if let end = page.end { throw end.error }
    }
  }
}
