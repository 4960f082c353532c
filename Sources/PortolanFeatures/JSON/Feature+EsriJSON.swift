public import PortolanGeometry
public import PortolanJSON

extension Attributes {
  /// Reads the `attributes` of a feature; what is missing is `null`, what has no field is dropped.
  ///
  /// Members that are those of `fields`, in their order, are read one by one, so that two of the
  /// same name, which servers do send, are both kept.
  public init(esriJSON json: JSONValue?, fields: FieldList) {
    let members = json?.object?.members ?? []
    if members.lazy.map(\.name).elementsEqual(fields.fields.lazy.map(\.name)) {
      let values = zip(members, fields.fields).map { member, field in
        AttributeValue(json: member.value, as: field.type)
      }
      self.init(fields, values)
      return
    }
    self.init(fields)
    for member in members {
      guard let position = fields.position(of: member.name) else { continue }
      self[member.name] = AttributeValue(json: member.value, as: fields.fields[position].type)
    }
  }

  /// The values as services write them, in the order of the fields.
  public var esriJSON: JSONValue {
    .object(
      JSONObject(
        zip(fields, values).map { field, value in
          JSONObject.Member(name: field.name, value: value.json(as: field.type))
        }))
  }
}

extension Feature {
  /// Reads `{"attributes", "geometry"}` as services and web maps write it.
  ///
  /// `objectID` is that of the feature, since not every set of features says which field holds
  /// it. `hasZ` and `hasM` are those of the set, for shapes that do not say themselves.
  ///
  /// - Throws: ``GeometryError`` if there is a shape that cannot be read.
  public init(
    esriJSON json: JSONValue, objectID: Int64, fields: FieldList, hasZ: Bool? = nil,
    hasM: Bool? = nil
  ) throws(GeometryError) {
    self.init(
      objectID: objectID, attributes: Attributes(esriJSON: json["attributes"], fields: fields))
    if let shape = json["geometry"], !shape.isNull {
      geometry = try Geometry(esriJSON: shape, hasZ: hasZ, hasM: hasM)
    }
  }

  /// The feature as services write it.
  public func esriJSON(spatialReference: SpatialReference? = nil) -> JSONValue {
    var members: JSONObject = ["attributes": attributes.esriJSON]
    members["geometry"] = geometry?.esriJSON(spatialReference: spatialReference)
    return .object(members)
  }
}
