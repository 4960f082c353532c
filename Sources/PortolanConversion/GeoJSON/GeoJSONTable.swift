internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// A table of a GeoJSON file: the features of one family of shapes.
struct GeoJSONTable: Sendable {
  /// Where the value of a field comes from.
  enum Origin: Hashable, Sendable {
    case objectID
    case featureID
    case property(String)
  }

  /// Where object ids come from.
  enum ObjectIDs: Hashable, Sendable {
    /// The ids of the features.
    case featureIDs
    /// A property.
    case property(String)
    /// The order of the features, from 1.
    case order
  }

  let schema: FeatureTableSchema
  let fields: FieldList
  /// The families of shapes whose features are rows of the table.
  let families: Set<GeoJSONItem.Family>
  let origins: [Origin]
  let objectIDs: ObjectIDs
  /// How many features there are.
  let count: Int
  /// How many properties have no field, since there are more than a table has.
  let surplusCount: Int

  /// Makes a row of a feature, the `number`th of its table.
  func feature(_ item: GeoJSONItem, number: Int) -> Feature {
    let objectID: Int64? =
      switch objectIDs {
      case .featureIDs: item.id?.integer
      case .property(let name): item.properties[name]?.integer
      case .order: nil
      }
    let id = objectID ?? Int64(number)
    // Features mostly have their properties in the same order.
    var place = 0
    let values = zip(origins, fields.fields).map { origin, field in
      switch origin {
      case .objectID: return AttributeValue.integer(id)
      case .featureID: return AttributeValue(json: item.id ?? .null, as: field.type)
      case .property(let name):
        let value = Self.value(of: name, in: item.properties, &place)
        return AttributeValue(json: value, as: field.type)
      }
    }
    return Feature(
      objectID: id, attributes: Attributes(fields, values), geometry: shape(item.geometry))
  }

  private static func value(
    of name: String, in properties: JSONObject, _ place: inout Int
  ) -> JSONValue {
    let members = properties.members
    if place < members.count, members[place].name == name {
      place += 1
      return members[place - 1].value
    }
    return properties[name] ?? .null
  }

  /// A point becomes a set of one where the table holds sets.
  private func shape(_ geometry: Geometry?) -> Geometry? {
    guard schema.geometryType == .multipoint, case .point(let point)? = geometry else {
      return geometry
    }
    let path = Geometry.point(point).paths.first ?? Path([])
    return .multipoint(Multipoint(points: path))
  }
}
