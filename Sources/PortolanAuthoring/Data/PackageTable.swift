internal import PortolanFeatures
internal import PortolanGeometry

/// A table of the package on its way from its source.
struct PackageTable: Sendable {
  /// What the specification says about it.
  let specification: DataSpecification
  /// The store with its rows.
  let store: any FeatureStore
  /// The table as the source has it.
  let source: FeatureTableSchema
  /// The table as the package will have it.
  let schema: FeatureTableSchema
  /// Projects shapes to the package's spatial reference; `nil` if they are in it.
  let projection: Projection?

  init(
    _ specification: DataSpecification, in store: any FeatureStore, source: FeatureTableSchema,
    reference: SpatialReference, id: Int
  ) throws(GeometryError) {
    self.specification = specification
    self.store = store
    self.source = source
    var schema = source
    schema.name = specification.name
    schema.alias = specification.title ?? specification.name
    schema.serviceLayerID = id
    schema.isChangeTracked = false
    schema.extent = nil
    // Relations lead to tables by names that they no longer have.
    schema.relationships = []
    schema.displayField = specification.displayField ?? Self.displayField(of: source)
    for alias in specification.aliases {
      for index in schema.fields.indices where schema.fields[index].isCalled(alias.field) {
        schema.fields[index].alias = alias.text
      }
    }
    if source.geometryType != nil {
      let from = source.spatialReference ?? .wgs84
      let isThere = from.isEquivalent(to: reference)
      projection = isThere ? nil : try Projection(from: from, to: reference)
      schema.spatialReference = reference
    } else {
      projection = nil
    }
    self.schema = schema
  }

  /// The default display field.
  static func displayField(of schema: FeatureTableSchema) -> String? {
    if let declared = schema.displayField { return declared }
    let texts = schema.fields.filter { $0.type == .string }
    return (texts.first { $0.name.lowercased().contains("name") } ?? texts.first)?.name
  }

  /// A query of the source's rows.
  func query(_ query: QueryParameters) -> QueryParameters {
    var query = query
    query.whereClause = [specification.whereClause, query.whereClause].compactMap(\.self)
      .reduce(nil as String?) { whole, part in whole.map { "(\($0)) AND (\(part))" } ?? part }
    return query
  }
}

extension Field {
  func isCalled(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }
}
