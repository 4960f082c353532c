public import PortolanJSON

extension RelationshipInfo {
  /// Reads an entry of `relationships` of the layer `owner`; `layers` are all of the service.
  ///
  /// An entry names only the key of its own end, so that the other one is looked up in the entry
  /// of the same id at the other end. `nil` if the other table is not among `layers`, or if the
  /// keys cannot be known: old servers leave them away.
  public init?(json: JSONValue, of owner: LayerResource, among layers: [LayerResource]) {
    guard let id = json["id"]?.int, let keyField = json.name("keyField"),
      let relatedID = json["relatedTableId"]?.int,
      let related = layers.first(where: { $0.id == relatedID })
    else { return nil }
    let role = json["role"]?.string.flatMap(Role.init(rawValue:)) ?? .origin
    let other = Self.counterpart(id: id, role: role, of: owner, in: related)
    guard let relatedKeyField = other?.name("keyField") ?? related.fieldName(keyField) else {
      return nil
    }
    self.init(
      id: id, name: json["name"]?.string ?? "", relatedTable: related.tableName,
      cardinality: json["cardinality"]?.string.flatMap(Cardinality.init(rawValue:))
        ?? .oneToMany,
      role: role, keyField: keyField, relatedKeyField: relatedKeyField,
      joinTable: JoinTable(json: json, other: other, among: layers),
      isComposite: json["composite"]?.bool ?? false)
  }

  /// The entry as services write it; `id` gives the ids of tables.
  public func json(idOfTable id: (String) -> Int?) -> JSONValue {
    var members: JSONObject = ["id": .integer(Int64(self.id)), "name": .string(name)]
    members["relatedTableId"] = id(relatedTable).map { .integer(Int64($0)) }
    members["cardinality"] = .string(cardinality.rawValue)
    members["role"] = .string(role.rawValue)
    members["keyField"] = .string(keyField)
    members["composite"] = .bool(isComposite)
    if let joinTable {
      members["relationshipTableId"] = id(joinTable.name).map { .integer(Int64($0)) }
      members["keyFieldInRelationshipTable"] = .string(joinTable.keyField)
    }
    return .object(members)
  }

  /// The entry of the other end; in a table related to itself, the one of the other role.
  private static func counterpart(
    id: Int, role: Role, of owner: LayerResource, in related: LayerResource
  ) -> JSONValue? {
    related.json["relationships"]?.array?.first { entry in
      guard entry["id"]?.int == id else { return false }
      return related.id != owner.id || entry["role"]?.string != role.rawValue
    }
  }
}

extension RelationshipInfo.JoinTable {
  fileprivate init?(json: JSONValue, other: JSONValue?, among layers: [LayerResource]) {
    guard let id = json["relationshipTableId"]?.int,
      let keyField = json.name("keyFieldInRelationshipTable"),
      let relatedKeyField = other?.name("keyFieldInRelationshipTable"),
      let table = layers.first(where: { $0.id == id })
    else { return nil }
    self.init(name: table.tableName, keyField: keyField, relatedKeyField: relatedKeyField)
  }
}

extension LayerResource {
  /// The name of a field as this layer spells it.
  fileprivate func fieldName(_ name: String) -> String? {
    json["fields"]?.array?.compactMap { $0["name"]?.string }
      .first { $0.lowercased() == name.lowercased() }
  }
}
