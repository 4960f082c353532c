/// The fields in which a table records who made and who changed a row, and when.
public struct EditorTracking: Hashable, Sendable {
  /// The field of the creator.
  public var creatorField: String?
  /// When it was made.
  public var creationDateField: String?
  /// The field of the last editor.
  public var editorField: String?
  /// When it was changed last.
  public var editDateField: String?

  /// Creates the list of fields.
  public init(
    creatorField: String? = nil, creationDateField: String? = nil, editorField: String? = nil,
    editDateField: String? = nil
  ) {
    self.creatorField = creatorField
    self.creationDateField = creationDateField
    self.editorField = editorField
    self.editDateField = editDateField
  }
}
