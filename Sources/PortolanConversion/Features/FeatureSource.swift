internal import PortolanFeatures
internal import PortolanGeoPackage
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON

/// The tables that are to be converted, and where they come from.
struct FeatureSource: Sendable {
  /// What is asked for rows.
  let store: any FeatureStore
  /// The file, for messages.
  let name: String
  /// The tables, in order.
  let schemas: [FeatureTableSchema]
  /// What is known to be damaged before any row is read, the first ones.
  let failures: [ConversionResult.Failure]
  /// How much more is known to be damaged.
  let unlistedFailureCount: Int
  /// What the source could not take over as it is, in sentences.
  let notes: [String]
  /// The condition that rows must meet, in SQL.
  let whereClause: String?
  /// The extent, in degrees on WGS 84, that shapes must reach into.
  let extent: Envelope?
  /// What was left out because only some of the tables are converted.
  let omissions: [Omission]
  /// The definition of what coordinates mean that is not understood.
  let unknownReference: UnknownReference?

  /// Reads what the tables are; only the one called `layer`, if given, and with coordinates that mean what
  /// `reference` says, if given.
  init(
    _ store: any FeatureStore, name: String, layer: String?, reference: SpatialReference? = nil,
    whereClause: String? = nil, extent: Envelope? = nil
  ) async throws {
    self.whereClause = whereClause
    self.extent = extent
    self.store = store
    self.name = name
    let all = try await store.schemas()
    let chosen = try Self.choose(all, layer, in: name)
    let names = Set(chosen.map { $0.name.lowercased() })
    var omissions: [Omission] = []
    schemas = chosen.map { schema in
      var schema = schema
      if let reference, schema.geometryType != nil { schema.spatialReference = reference }
      schema.relationships = schema.relationships.filter { relationship in
        let isWhole = names.contains(relationship.relatedTable.lowercased())
        if !isWhole {
          omissions.append(Omission(table: schema.name, .relationship(relationship.name)))
        }
        return isWhole
      }
      return schema
    }
    self.omissions = omissions
    let surveyed = store as? any SurveyedStore
    unknownReference = surveyed?.unknownReference
    failures = surveyed?.failures ?? []
    unlistedFailureCount = (surveyed?.damagedCount ?? 0) - failures.count
    let told = reference == nil ? surveyed?.notes : surveyed?.notesOnRows
    notes = try await (told ?? []) + Self.gaps(of: store, among: layer == nil ? nil : names)
    if extent != nil { try checkPlaces() }
  }

  /// What the store does not show, in sentences; of some tables only, by their names in lower case, if given.
  private static func gaps(
    of store: any FeatureStore, among names: Set<String>?
  ) async throws(FeatureStoreError) -> [String] {
    let gaps = try await (store as? any GapListingStore)?.gaps() ?? []
    return gaps.filter { names?.contains($0.table.lowercased()) ?? true }.map(\.summary)
  }

  private init(_ source: FeatureSource, _ schemas: [FeatureTableSchema]) {
    store = source.store
    name = source.name
    whereClause = source.whereClause
    extent = source.extent
    omissions = []
    unknownReference = source.unknownReference
    self.schemas = schemas
    failures = []
    unlistedFailureCount = 0
    notes = []
  }

  /// The same source with one of its tables only, without what is known of it as a whole.
  func limited(to schema: FeatureTableSchema) -> FeatureSource { replacing([schema]) }

  /// The same source with other tables, without what is known of it as a whole.
  func replacing(_ schemas: [FeatureTableSchema]) -> FeatureSource {
    FeatureSource(self, schemas)
  }

  /// Makes sure that a box in degrees can be put around shapes.
  private func checkPlaces() throws(ConversionError) {
    let shaped = schemas.filter { $0.geometryType != nil }
    guard !shaped.isEmpty else {
      throw .meaningless(.extent, source: name, holding: .rowsWithoutShapes)
    }
    guard let unknown = shaped.first(where: { $0.spatialReference == nil }) else { return }
    throw .unplacedExtent(table: unknown.name, definition: unknownReference)
  }

  /// Which rows of a table are wanted; tables without shapes are not limited to an extent.
  ///
  /// - Throws: ``GeometryError`` if the extent has no place in the reference of the table.
  func filter(for table: FeatureTableSchema) throws -> QueryParameters {
    var query = QueryParameters(whereClause: whereClause)
    guard let extent, table.geometryType != nil else { return query }
    query.extent = try Projection(
      from: .wgs84, to: table.spatialReference ?? .wgs84
    ).project(extent)
    return query
  }

  private static func choose(
    _ schemas: [FeatureTableSchema], _ layer: String?, in file: String
  ) throws(ConversionError) -> [FeatureTableSchema] {
    guard !schemas.isEmpty else { throw .nothingToConvert(file: file) }
    guard let layer else { return schemas }
    let wanted = layer.lowercased()
    let found =
      schemas.first { $0.name.lowercased() == wanted }
      ?? schemas.first { $0.alias.lowercased() == wanted }
    guard let found else {
      throw .noSuchLayer(name: layer, file: file, available: schemas.map(\.name))
    }
    return [found]
  }

  /// The tables between two others, as far as the store has them, without those that are among
  /// the tables themselves.
  func joinTables() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    var known = Set(schemas.map { $0.name.lowercased() })
    var joins: [FeatureTableSchema] = []
    for relationship in schemas.flatMap(\.relationships) {
      guard let join = relationship.joinTable, known.insert(join.name.lowercased()).inserted,
        let fields = try await fields(ofTable: join.name)
      else { continue }
      let key = fields.first { $0.type == .objectID } ?? fields.first
      joins.append(
        FeatureTableSchema(
          name: join.name, fields: fields, objectIDField: key?.name ?? "RID"))
    }
    return joins
  }

  /// The fields of a table that is not listed; `nil` if it is absent or empty.
  private func fields(ofTable name: String) async throws(FeatureStoreError) -> [Field]? {
    do {
      let rows = store.features(in: name, matching: QueryParameters(limit: 1))
      return try await rows.collect().first?.attributes.fields
    } catch .noSuchTable { return nil }
  }

  /// What a service said of a table, if the store knows.
  func drawing(of table: String) async throws(FeatureStoreError) -> TableDrawing {
    switch store {
    case let geodatabase as Geodatabase:
      TableDrawing(
        info: try await geodatabase.layerResource(of: table)?["drawingInfo"],
        advancedInfo: try await geodatabase.advancedDrawingInfo(of: table).map { .object($0) })
    case let geoPackage as GeoPackage:
      TableDrawing(info: try await geoPackage.layerResource(of: table)?["drawingInfo"])
    default: TableDrawing()
    }
  }
}
