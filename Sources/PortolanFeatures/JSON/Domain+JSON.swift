public import PortolanJSON

extension Domain {
  /// Reads the `domain` of a field or of a type; `nil` where it limits nothing.
  ///
  /// `null`, `{"type": "inherited"}` and what is not understood are `nil`. Codes and bounds are
  /// read as values of a field of `type`.
  ///
  /// - SeeAlso: [Domain objects](https://developers.arcgis.com/rest/services-reference/enterprise/domain-objects/)
  public init?(json: JSONValue, as type: FieldType) {
    let name = json["name"]?.string ?? ""
    if let list = json["codedValues"]?.array {
      self = .codedValue(
        CodedValueDomain(name: name, codedValues: list.compactMap { CodedValue($0, type) }))
    } else if let bounds = Self.bounds(of: json) {
      self = .range(
        RangeDomain(
          name: name, minimum: AttributeValue(json: bounds.minimum, as: type),
          maximum: AttributeValue(json: bounds.maximum, as: type)))
    } else {
      return nil
    }
  }

  /// The domain as services write it.
  public func json(as type: FieldType) -> JSONValue {
    switch self {
    case .codedValue(let domain):
      [
        "type": "codedValue", "name": .string(domain.name),
        "codedValues": .array(
          domain.codedValues.map { ["name": .string($0.name), "code": $0.code.json(as: type)] }),
      ]
    case .range(let domain):
      [
        "type": "range", "name": .string(domain.name),
        "range": [domain.minimum.json(as: type), domain.maximum.json(as: type)],
      ]
    }
  }

  private static func bounds(of json: JSONValue) -> (minimum: JSONValue, maximum: JSONValue)? {
    if let minimum = json["range"]?[0], let maximum = json["range"]?[1] {
      return (minimum, maximum)
    }
    guard let minimum = json["minValue"], let maximum = json["maxValue"] else { return nil }
    return (minimum, maximum)
  }
}

extension CodedValue {
  /// An entry without a name is shown as its code.
  fileprivate init?(_ json: JSONValue, _ type: FieldType) {
    guard let code = json["code"] else { return nil }
    let value = AttributeValue(json: code, as: type)
    self.init(code: value, name: json["name"]?.string ?? code.string ?? code.text())
  }
}
