internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry

/// A table on its way into a database, or those of its rows whose shapes are of one family, where a table of
/// the database holds no others.
struct TablePart: Sendable {
  /// The rows of a table with shapes of one family.
  struct Selection: Sendable {
    /// The family; `nil` if all rows are selected.
    let family: GeoJSONItem.Family?
    /// How many rows there are.
    let count: Int
    /// Whether it is the part by which damaged rows of the whole table are reported.
    let isFirst: Bool
  }

  /// The table as the source has it.
  let source: FeatureTableSchema
  /// The table with the name and the shapes of the part.
  let schema: FeatureTableSchema
  /// Which rows; all if `nil`.
  let selection: Selection?
}

extension TablePart.Selection {
  /// The rows of a page that belong to the part, with points as sets of one where the table holds sets.
  func rows(of page: ArraySlice<Feature>, as type: GeometryType?) -> ArraySlice<Feature> {
    let rows = page.filter { family == nil || GeoJSONItem.Family($0.geometry) == family }
    return type == .multipoint ? rows.map(TableFileContents.withSet)[...] : rows[...]
  }
}

/// The types of the shapes in a table whose column may hold any.
struct ShapeSurvey {
  private var counts: [GeoJSONItem.Family: Int] = [:]
  private var hasSets = false
  private var hasSinglePoints = false

  /// Reads the shapes of a table; `nil` if all are declared to be of one type.
  init?(of schema: FeatureTableSchema, in source: FeatureSource) async throws {
    guard schema.geometryType != nil, schema.mayMixShapes else { return nil }
    var query = try source.filter(for: schema)
    query.outFields = [schema.objectIDField]
    var reader = TolerantReader(source.store, schema, query)
    while case let page = try await reader.next(), !page.isEmpty {
      try Task.checkCancellation()
      for row in page.features {
        counts[GeoJSONItem.Family(row.geometry), default: 0] += 1
        switch row.geometry {
        case .multipoint?: hasSets = true
        case .point?: hasSinglePoints = true
        default: break
        }
      }
    }
  }

  /// Whether there are shapes of several families.
  var isMixed: Bool { counts.keys.count { $0 != GeoJSONItem.Family.none } > 1 }

  /// Whether the table cannot stay as it is.
  var needsParts: Bool { isMixed || (hasSets && hasSinglePoints) }

  /// The table in parts, each with a name that is not in `taken`; one of points and sets of points as a whole.
  func parts(of table: FeatureTableSchema, _ taken: inout Set<String>) -> [TablePart] {
    guard isMixed else {
      var schema = table
      schema.geometryType = .multipoint
      schema.mayMixShapes = false
      let count = counts.values.reduce(0, +)
      return [
        TablePart(
          source: table, schema: schema,
          selection: .init(family: nil, count: count, isFirst: true))
      ]
    }
    var parts: [TablePart] = []
    for family in GeoJSONItem.Family.allCases {
      guard let count = counts[family] else { continue }
      var schema = table
      schema.name = TableNames.unused("\(table.name)_\(family.suffix)", among: &taken)
      schema.extent = nil
      // A number is that of one layer.
      schema.serviceLayerID = nil
      schema.mayMixShapes = false
      switch family {
      case .point: schema.geometryType = hasSets ? .multipoint : .point
      case .line: schema.geometryType = .polyline
      case .area: schema.geometryType = .polygon
      case .none:
        schema.geometryType = nil
        schema.spatialReference = nil
        (schema.hasZ, schema.hasM) = (false, false)
      }
      parts.append(
        TablePart(
          source: table, schema: schema,
          selection: .init(family: family, count: count, isFirst: parts.isEmpty)))
    }
    return parts
  }
}

extension FeatureSource {
  /// The tables as a database can hold them, those with shapes of several families in parts, and the relations
  /// of these, which no longer are between two tables.
  func parts() async throws -> (source: FeatureSource, parts: [TablePart], omissions: [Omission]) {
    var surveys: [String: ShapeSurvey] = [:]
    for schema in schemas {
      let survey = try await ShapeSurvey(of: schema, in: self)
      if let survey, survey.needsParts { surveys[schema.name] = survey }
    }
    guard !surveys.isEmpty else {
      let parts = schemas.map { TablePart(source: $0, schema: $0, selection: nil) }
      return (self, parts, [])
    }
    let mixed = Set(surveys.filter { $0.value.isMixed }.keys.map { $0.lowercased() })
    var omissions: [Omission] = []
    let tables = schemas.map { schema in
      var table = schema
      table.relationships.removeAll { relationship in
        mixed.contains(schema.name.lowercased())
          || mixed.contains(relationship.relatedTable.lowercased())
      }
      for relationship in schema.relationships where !table.relationships.contains(relationship) {
        omissions.append(Omission(table: schema.name, .relationship(relationship.name)))
      }
      return table
    }
    var taken = Set(tables.map { $0.name.lowercased() })
    let parts = tables.flatMap { table in
      surveys[table.name]?.parts(of: table, &taken)
        ?? [TablePart(source: table, schema: table, selection: nil)]
    }
    return (replacing(tables), parts, omissions)
  }
}
