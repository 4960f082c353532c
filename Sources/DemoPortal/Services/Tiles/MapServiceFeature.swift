internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// A feature as `identify` and `find` of map services tell of it, with values that people read.
struct MapServiceFeature: Sendable {
  private let feature: Feature
  private let table: HostedTable
  private var schema: FeatureTableSchema { table.schema }

  init(_ feature: Feature, of table: HostedTable) {
    self.feature = feature
    self.table = table
  }

  /// The members of the answer.
  ///
  /// - Parameters:
  ///   - returnsGeometry: Whether the shape is among them.
  ///   - reference: What it is in; that of the layer if `nil`.
  /// - Returns: The members.
  /// - Throws: ``GeometryError`` where the shape cannot be projected.
  func members(returnsGeometry: Bool, in reference: SpatialReference?) throws -> JSONObject {
    let display = schema.displayField ?? schema.objectIDField
    var members: JSONObject = [
      "layerId": .integer(Int64(table.id)), "layerName": .string(schema.alias),
      "displayFieldName": .string(display), "value": .string(text(of: display)),
      "attributes": .object(
        JSONObject(
          feature.attributes.fields.map { field in
            JSONObject.Member(name: field.alias, value: .string(text(of: field.name)))
          })),
    ]
    guard returnsGeometry, var geometry = feature.geometry else { return members }
    let target = reference ?? schema.spatialReference
    if let target, let own = schema.spatialReference, target != own {
      geometry = try Projection(from: own, to: target).project(geometry)
    }
    members["geometryType"] = schema.geometryType.map { .string($0.rawValue) }
    members["geometry"] = geometry.esriJSON(spatialReference: target)
    return members
  }

  /// A value for people: the names of codes, and the word that map services have for none.
  func text(of field: String) -> String {
    let value = feature.attributes[field] ?? .null
    if case .codedValue(let domain)? = schema.domain(of: field, in: feature.attributes),
      let name = domain.name(of: value)
    {
      return name
    }
    switch value {
    case .null: return "Null"
    case .integer(let number): return String(number)
    case .double(let number):
      // Of other numbers not every one has a whole number of this size.
      return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .text(let text):
      return HostedValue.text(text, as: schema.field(named: field)?.type ?? .string)
    case .date(let date): return CivilDate(date)?.iso8601 ?? "Null"
    case .blob: return "Blob"
    }
  }
}
