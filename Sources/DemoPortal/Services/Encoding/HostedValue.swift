internal import PortolanFeatures
internal import PortolanJSON

/// The spelling of values and ids by a hosted service.
enum HostedValue {
  /// A GUID as ArcGIS Online writes it, without braces and in small letters.
  static func plain(_ guid: String) -> String {
    let inner =
      guid.hasPrefix("{") && guid.hasSuffix("}") ? String(guid.dropFirst().dropLast()) : guid
    return inner.lowercased()
  }

  /// A GUID as tables hold it, with braces and in capitals, whichever way a client spelled it.
  static func stored(_ guid: String) -> String {
    "{\(plain(guid).uppercased())}"
  }

  /// The text of a field.
  static func text(_ text: String, as type: FieldType) -> String {
    type == .globalID || type == .guid ? plain(text) : text
  }

  /// The value as services write it.
  static func json(_ value: AttributeValue, as type: FieldType) -> JSONValue {
    if case .text(let text) = value { return .string(self.text(text, as: type)) }
    return value.json(as: type)
  }

  /// The values of a feature as services write them.
  static func json(_ attributes: Attributes, inBraces: Bool = false) -> JSONValue {
    .object(
      JSONObject(
        zip(attributes.fields, attributes.values).map { field, value in
          let isID = field.type == .globalID || field.type == .guid
          if inBraces, isID, case .text(let text) = value {
            return JSONObject.Member(name: field.name, value: .string(stored(text)))
          }
          return JSONObject.Member(name: field.name, value: json(value, as: field.type))
        }))
  }

  /// Reads the value of a field as tables hold it.
  static func value(_ json: JSONValue, as type: FieldType) -> AttributeValue {
    let value = AttributeValue(json: json, as: type)
    guard type == .guid || type == .globalID, case .text(let text) = value else { return value }
    return .text(stored(text))
  }
}
