internal import PortolanGeometry
public import PortolanJSON

extension AttributeValue {
  /// The value as a property of a GeoJSON feature: dates in ISO 8601, bytes in Base64.
  ///
  /// A date that no calendar holds is `null`.
  public var geoJSON: JSONValue {
    switch self {
    case .date(let date): CivilDate(date).map { .string($0.iso8601) } ?? .null
    default: json(as: .string)
    }
  }
}

extension Feature {
  /// The feature in GeoJSON (RFC 7946), with the object id as its id and every field as a
  /// property, also without a value.
  ///
  /// Coordinates are written as they are: project them to WGS 84 before, unless both sides agree on
  /// another reference.
  public func geoJSON() -> JSONValue {
    let properties = zip(attributes.fields, attributes.values).map { field, value in
      JSONObject.Member(name: field.name, value: value.geoJSON)
    }
    return [
      "type": "Feature", "id": .integer(objectID),
      "geometry": geometry?.geoJSON() ?? .null, "properties": .object(JSONObject(properties)),
    ]
  }
}
