internal import PortolanJSON

extension FeatureSet {
  static func objectIDField(of json: JSONValue, _ fields: [Field]) -> String? {
    json.name("objectIdFieldName") ?? fields.first { $0.type == .objectID }?.name
  }

  static func fields(of json: JSONValue) -> [Field]? {
    guard let list = json["fields"]?.array else { return nil }
    let fields = list.compactMap(Field.init(json:))
    return fields.isEmpty ? nil : fields
  }

  /// Fields for the names that occur, in the order in which they do.
  static func fields(shownBy list: [JSONValue], of json: JSONValue) -> [Field] {
    var fields: [Field] = []
    var places: [String: Int] = [:]
    for feature in list {
      for member in feature["attributes"]?.object?.members ?? [] {
        let type = FieldType(shownBy: member.value)
        if let place = places[member.name] {
          fields[place].type = fields[place].type.widened(to: type)
        } else {
          places[member.name] = fields.count
          let alias = json["fieldAliases"]?.name(member.name)
          fields.append(Field(member.name, type ?? .string, alias: alias))
        }
      }
    }
    return fields
  }
}

extension FieldType {
  /// What a value looks like; `nil` for `null`, which looks like anything.
  fileprivate init?(shownBy value: JSONValue) {
    switch value {
    case .null: return nil
    case .integer, .bool: self = .bigInteger
    case .number: self = .double
    case .string, .array, .object: self = .string
    }
  }

  /// A type for both; whole numbers are numbers, everything can be text.
  fileprivate func widened(to other: FieldType?) -> FieldType {
    guard let other, other != self else { return self }
    return isNumeric && other.isNumeric ? .double : .string
  }
}
