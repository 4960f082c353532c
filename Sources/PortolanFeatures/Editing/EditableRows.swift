package import PortolanGeometry

/// The rows of a store inside a transaction, as ``FeatureEditor`` changes them.
///
/// Nothing is checked here but that rows exist and the file holds out; names of tables are
/// compared without case, names of fields are those of the schema.
package protocol EditableRows {
  /// The validator of a table.
  ///
  /// - Throws: `noSuchTable` or `tableNotEditable`.
  func validator(of table: String) throws(FeatureEditError) -> FeatureValidator

  /// Whether there is a table of that name.
  func hasTable(_ name: String) throws(FeatureEditError) -> Bool

  /// The values of a feature; `nil` if there is none.
  func attributes(of objectID: Int64, in table: String) throws(FeatureEditError) -> Attributes?

  /// The features that have a value in a field.
  func objectIDs(
    in table: String, where field: String, equals value: AttributeValue
  ) throws(FeatureEditError) -> [Int64]

  /// Adds a feature, with the next object id and a new global id.
  mutating func insert(
    _ values: [String: AttributeValue], _ geometry: Geometry?, into table: String, at: EditPlace
  ) throws(FeatureEditError) -> (objectID: Int64, globalID: String?)

  /// Changes a feature that exists.
  mutating func update(
    _ objectID: Int64, in table: String, _ values: [String: AttributeValue],
    _ geometry: GeometryChange, at: EditPlace
  ) throws(FeatureEditError)

  /// Removes a feature that exists.
  mutating func delete(_ objectID: Int64, from table: String) throws(FeatureEditError)

  /// Removes the rows of a table between two others that have a value in a field.
  mutating func deletePairs(
    in table: String, where field: String, equals value: AttributeValue
  ) throws(FeatureEditError)

  /// The attachments of a feature.
  func attachments(
    of objectID: Int64, in table: String
  ) throws(FeatureEditError) -> [AttachmentRow]

  /// An attachment; `nil` if there is none of that id.
  func attachment(
    _ id: Attachment.ID, in table: String
  ) throws(FeatureEditError) -> AttachmentRow?

  /// Adds an attachment, with the next id and a new global id.
  mutating func insert(
    _ attachment: NewAttachment, to objectID: Int64, in table: String, at: EditPlace
  ) throws(FeatureEditError) -> AttachmentRow

  /// Puts another file in place of an attachment that exists.
  mutating func update(
    _ id: Attachment.ID, _ attachment: NewAttachment, in table: String, at: EditPlace
  ) throws(FeatureEditError)

  /// Removes an attachment that exists.
  mutating func delete(
    attachment id: Attachment.ID, in table: String
  ) throws(FeatureEditError)
}

/// The identity of an attachment and of its feature.
package struct AttachmentRow: Hashable, Sendable {
  /// The id.
  package var id: Attachment.ID
  /// The global id, with braces, if there is one.
  package var globalID: String?
  /// The feature.
  package var objectID: Int64

  package init(id: Attachment.ID, globalID: String?, objectID: Int64) {
    self.id = id
    self.globalID = globalID
    self.objectID = objectID
  }
}
