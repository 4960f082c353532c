public import PortolanJSON

extension Field {
  /// Reads an entry of `fields`; `nil` if it has no name or stands for the shape.
  ///
  /// A type that is not known is read as text. Members that old servers leave away mean what
  /// they did then: the field allows `null` and may be changed, object and global ids apart.
  public init?(json: JSONValue) {
    guard let name = json["name"]?.string, !name.isEmpty else { return nil }
    let type = json["type"]?.string.flatMap(FieldType.init(rawValue:)) ?? .string
    guard type != .geometry else { return nil }
    let isIdentifier = type == .objectID || type == .globalID
    self.init(
      name, type, alias: json["alias"]?.string,
      length: json["length"]?.int.flatMap { $0 > 0 ? $0 : nil },
      isNullable: json["nullable"]?.bool ?? !isIdentifier,
      isEditable: json["editable"]?.bool ?? !isIdentifier,
      domain: json["domain"].flatMap { Domain(json: $0, as: type) },
      // What identifies a row is made by the store; servers write their own SQL for it here.
      defaultValue: isIdentifier ? nil : Self.defaultValue(json["defaultValue"], type))
  }

  /// The field as services write it.
  public var json: JSONValue {
    var members: JSONObject = [
      "name": .string(name), "type": .string(type.rawValue), "alias": .string(alias),
      "sqlType": "sqlTypeOther",
    ]
    members["length"] = length.map { .integer(Int64($0)) }
    members["nullable"] = .bool(isNullable)
    members["editable"] = .bool(isEditable)
    members["domain"] = domain?.json(as: type) ?? .null
    members["defaultValue"] = defaultValue?.json(as: type) ?? .null
    return .object(members)
  }

  private static func defaultValue(_ json: JSONValue?, _ type: FieldType) -> AttributeValue? {
    guard let json, !json.isNull else { return nil }
    return AttributeValue(json: json, as: type)
  }
}
