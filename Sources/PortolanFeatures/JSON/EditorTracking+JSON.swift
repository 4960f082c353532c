public import PortolanJSON

extension EditorTracking {
  /// Reads `editFieldsInfo`; `nil` if it names no field.
  public init?(json: JSONValue) {
    self.init(
      creatorField: json.name("creatorField"), creationDateField: json.name("creationDateField"),
      editorField: json.name("editorField"), editDateField: json.name("editDateField"))
    if self == EditorTracking() { return nil }
  }

  /// The names as services write them.
  public var json: JSONValue {
    var members = JSONObject()
    members["creationDateField"] = creationDateField.map { .string($0) }
    members["creatorField"] = creatorField.map { .string($0) }
    members["editDateField"] = editDateField.map { .string($0) }
    members["editorField"] = editorField.map { .string($0) }
    return .object(members)
  }
}

extension JSONValue {
  /// The text of a member; `nil` if it is empty, which is how services write "none".
  func name(_ member: String) -> String? {
    self[member]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }
}
