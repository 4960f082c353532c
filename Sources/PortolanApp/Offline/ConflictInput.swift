internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanOffline

extension OfflineMapSyncTask.Conflict {
  /// The values that people are offered for a field of the feature as one side has it.
  func offeredDomain(of field: Field, in feature: Feature?) -> Domain? {
    guard let feature else { return field.domain }
    return offeredDomain(of: field, in: feature.attributes)
  }

  /// The values that people are offered for a field of a feature with those attributes.
  func offeredDomain(of field: Field, in attributes: Attributes) -> Domain? {
    guard let schema else { return field.domain }
    return schema.offeredDomain(of: field, in: attributes)
  }

  /// The values that texts mean which a person has typed.
  ///
  /// - Parameters:
  ///   - values: The texts, by the names or labels of the fields.
  ///   - codes: The fields whose texts are codes and no names.
  /// - Returns: The values, by the names of the fields.
  /// - Throws: `FeatureEditError` if there is no such field or a text is no value of it, and a `Problem` if it
  ///   may be one of several.
  func attributes(
    typed values: [(field: String, text: String)], codes: Set<String>
  ) throws -> [String: AttributeValue] {
    let place = EditPlace(table: issue.table, objectID: issue.objectID)
    let typed = try values.map { value in
      (field: try field(named: value.field, at: place), text: value.text, name: value.field)
    }
    let typeField = schema?.typeIDField?.lowercased()
    // The values that other fields may hold depend on the subtype.
    let ordered =
      typed.filter { $0.field.name.lowercased() == typeField }
      + typed.filter { $0.field.name.lowercased() != typeField }
    var latest = mine?.attributes ?? Attributes(FieldList(fields))
    var attributes: [String: AttributeValue] = [:]
    for (field, text, name) in ordered {
      let input = FieldInput(
        field: field, domain: offeredDomain(of: field, in: latest), isCode: codes.contains(name))
      if let ambiguity = input.ambiguity(of: text) { throw ambiguity }
      let value = try input.value(of: text, at: place)
      latest[field.name] = value
      attributes[field.name] = value
    }
    return attributes
  }

  private func field(named name: String, at place: EditPlace) throws(FeatureEditError) -> Field {
    let field =
      fields.first { $0.name.lowercased() == name.lowercased() }
      ?? fields.first { $0.alias.lowercased() == name.lowercased() }
    guard let field else { throw .unknownField(name: name, place) }
    return field
  }
}
