public import PortolanJSON

extension FeatureType {
  /// Reads an entry of `types`, or of the newer `subtypes`, of a layer with these fields.
  ///
  /// `idField` is the field that holds the code. The default values of an entry of `subtypes`
  /// become a template. `nil` if the entry has no code.
  public init?(json: JSONValue, idField: String?, fields: FieldList) {
    let idType = idField.flatMap(fields.position).map { fields.fields[$0].type } ?? .integer
    guard let code = json["id"] ?? json["code"], !code.isNull else { return nil }
    let id = AttributeValue(json: code, as: idType)
    let name = json["name"]?.string ?? code.string ?? code.text()
    self.init(
      id: id, name: name, domains: Self.domains(json["domains"], fields),
      templates: json["templates"]?.array?.compactMap { FeatureTemplate(json: $0, fields: fields) }
        ?? Self.template(json["defaultValues"], named: name, idField: idField, id: id, fields))
  }

  /// The type as services write it in `types`.
  public func json(fields: FieldList) -> JSONValue {
    let domains = domains.sorted { $0.key < $1.key }.map { name, domain in
      JSONObject.Member(name: name, value: domain.json(as: fields.type(of: name)))
    }
    return [
      "id": id.json(as: .integer), "name": .string(name), "domains": .object(JSONObject(domains)),
      "templates": .array(templates.map { $0.json(fields: fields) }),
    ]
  }

  private static func domains(_ json: JSONValue?, _ fields: FieldList) -> [String: Domain] {
    var domains: [String: Domain] = [:]
    for member in json?.object?.members ?? [] {
      domains[member.name] = Domain(json: member.value, as: fields.type(of: member.name))
    }
    return domains
  }

  private static func template(
    _ defaults: JSONValue?, named name: String, idField: String?, id: AttributeValue,
    _ fields: FieldList
  ) -> [FeatureTemplate] {
    guard let defaults = defaults?.object, !defaults.isEmpty else { return [] }
    var template = FeatureTemplate(
      name: name, prototype: FeatureTemplate.prototype(defaults, fields))
    if let idField { template.prototype[idField] = id }
    return [template]
  }
}

extension FeatureTemplate {
  /// Reads an entry of `templates` of a layer with these fields; `nil` if it is no object.
  public init?(json: JSONValue, fields: FieldList) {
    guard json.object != nil else { return nil }
    self.init(
      name: json["name"]?.string ?? "", summary: json["description"]?.string ?? "",
      prototype: json["prototype"]?["attributes"]?.object.map { Self.prototype($0, fields) } ?? [:],
      drawingTool: json["drawingTool"]?.string)
  }

  /// The template as services write it.
  public func json(fields: FieldList) -> JSONValue {
    let attributes = prototype.sorted { $0.key < $1.key }.map { name, value in
      JSONObject.Member(name: name, value: value.json(as: fields.type(of: name)))
    }
    var members: JSONObject = ["name": .string(name), "description": .string(summary)]
    members["drawingTool"] = drawingTool.map { .string($0) }
    members["prototype"] = ["attributes": .object(JSONObject(attributes))]
    return .object(members)
  }

  fileprivate static func prototype(
    _ attributes: JSONObject, _ fields: FieldList
  ) -> [String: AttributeValue] {
    var prototype: [String: AttributeValue] = [:]
    for member in attributes.members {
      prototype[member.name] = AttributeValue(
        json: member.value, as: fields.type(of: member.name))
    }
    return prototype
  }
}

extension FieldList {
  /// The type of a field; text for one that is not in the list.
  fileprivate func type(of name: String) -> FieldType {
    position(of: name).map { fields[$0].type } ?? .string
  }
}
