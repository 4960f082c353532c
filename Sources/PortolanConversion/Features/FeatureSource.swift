internal import PortolanFeatures
internal import PortolanGeoPackage
internal import PortolanGeodatabase
internal import PortolanJSON

/// The tables that are to be converted, and where they come from.
struct FeatureSource: Sendable {
  /// What is asked for rows.
  let store: any FeatureStore
  /// The file, for messages.
  let name: String
  /// The tables, in order.
  let schemas: [FeatureTableSchema]
  /// What is known to be damaged before any row is read.
  let failures: [ConversionResult.Failure]
  /// What the source could not take over as it is, in sentences.
  let notes: [String]
  /// What was left out because only some of the tables are converted.
  let omissions: [Omission]

  /// Reads what the tables are; only the one called `layer`, if given.
  init(
    _ store: any FeatureStore, name: String, layer: String?
  ) async throws {
    self.store = store
    self.name = name
    let all = try await store.schemas()
    let chosen = try Self.choose(all, layer, in: name)
    let names = Set(chosen.map { $0.name.lowercased() })
    var omissions: [Omission] = []
    schemas = chosen.map { schema in
      var schema = schema
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
    failures = (store as? GeoJSONFile)?.failures ?? []
    notes = (store as? GeoJSONFile)?.notes ?? []
  }

  private init(_ source: FeatureSource, _ schemas: [FeatureTableSchema]) {
    store = source.store
    name = source.name
    omissions = []
    self.schemas = schemas
    failures = []
    notes = []
  }

  /// The same source with one of its tables only, without what is known of it as a whole.
  func limited(to schema: FeatureTableSchema) -> FeatureSource {
    FeatureSource(self, [schema])
  }

  private static func choose(
    _ schemas: [FeatureTableSchema], _ layer: String?, in file: String
  ) throws(ConversionError) -> [FeatureTableSchema] {
    guard !schemas.isEmpty else { throw .nothingToConvert(file: file) }
    guard let layer = layer?.lowercased() else { return schemas }
    let found =
      schemas.first { $0.name.lowercased() == layer }
      ?? schemas.first { $0.alias.lowercased() == layer }
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
