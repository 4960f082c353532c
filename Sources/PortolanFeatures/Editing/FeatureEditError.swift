public import PortolanGeometry

/// The place of an error in a group of edits.
public struct EditPlace: Hashable, Sendable {
  /// The index of the edit in the group, from 0.
  public var edit: Int
  /// The table.
  public var table: String
  /// The feature; `nil` for one that is only to be added.
  public var objectID: Int64?

  /// Creates a place.
  public init(edit: Int = 0, table: String, objectID: Int64? = nil) {
    self.edit = edit
    self.table = table
    self.objectID = objectID
  }
}

/// Why edits were not carried out; the store is as it was.
public enum FeatureEditError: Error, Hashable, Sendable {
  /// Why a person may not change a field.
  public enum ReadOnlyReason: Hashable, Sendable, Codable {
    /// It numbers the rows.
    case objectID
    /// It identifies the row everywhere.
    case globalID
    /// The store notes in it who edited when.
    case editorTracking
    /// The table's owner said so.
    case notEditable
  }

  /// The four kinds of ordinates.
  public enum Axis: String, Hashable, Sendable {
    case x
    case y
    case z
    case m
  }

  /// The task was cancelled.
  case cancelled

  // MARK: What is edited

  /// There is no table of that name.
  case noSuchTable(name: String, available: [String])
  /// The table cannot be edited.
  case tableNotEditable(table: String, reason: String)
  /// There is no such feature.
  case noSuchRow(objectID: Int64, EditPlace)
  /// There is no such attachment.
  case noSuchAttachment(id: Attachment.ID, EditPlace)
  /// The edit that is to add the feature does not come before, or adds none.
  case noSuchEdit(number: Int, EditPlace)
  /// The table has no attachments.
  case noAttachments(EditPlace)
  /// No relation leads to the parent, or its key cannot be taken over.
  case cannotRelate(to: String, reason: String, EditPlace)
  /// There are no more object ids.
  case objectIDsUsedUp(EditPlace)

  // MARK: Values

  /// There is no field of that name.
  case unknownField(name: String, EditPlace)
  /// The field is named twice, in different case.
  case duplicateField(name: String, EditPlace)
  /// The field is not for people to change.
  case readOnlyField(name: String, ReadOnlyReason, EditPlace)
  /// The value is of another kind than the field.
  case wrongType(field: String, expected: FieldType, found: AttributeValue, EditPlace)
  /// The number or date is one that the field cannot hold.
  case outOfRange(field: String, type: FieldType, found: AttributeValue, EditPlace)
  /// The text has more characters than the field holds.
  case textTooLong(field: String, length: Int, limit: Int, EditPlace)
  /// The contents have more bytes than the field or the file holds.
  case dataTooLong(field: String, length: Int, limit: Int, EditPlace)
  /// The field must have a value.
  case nullNotAllowed(field: String, EditPlace)
  /// The value is none of those that the domain allows.
  case valueNotInDomain(field: String, value: AttributeValue, domain: Domain, EditPlace)
  /// The code is that of no subtype.
  case unknownSubtype(field: String, value: AttributeValue, available: [FeatureType], EditPlace)

  // MARK: Shapes

  /// The table has no shapes.
  case geometryNotAllowed(EditPlace)
  /// The shape is of another kind than the table's.
  case wrongGeometryType(expected: GeometryType, found: GeometryType, EditPlace)
  /// The table's shapes have heights, this one has none.
  case missingHeights(EditPlace)
  /// The shape has heights or measures that the table cannot hold.
  case surplusOrdinates(Axis, EditPlace)
  /// A path has too few vertices, or not as many heights as vertices.
  case incompleteGeometry(reason: String, EditPlace)
  /// An ordinate is no number.
  case notFinite(Axis, EditPlace)
  /// An ordinate lies outside what the table can store.
  case outsideCoordinateRange(Axis, value: Double, range: ClosedRange<Double>, EditPlace)
  /// Rings cross or overlap themselves or each other.
  case ringsCross(EditPlace)

  // MARK: Undo

  /// Nothing was applied that could be undone.
  case nothingToUndo
  /// Another user has changed the feature at the service since.
  case changedByOthers(EditPlace)

  // MARK: Conflicts

  /// A decision on an edit that could not be exchanged was about other edits than are there now.
  case conflictChanged(EditPlace)

  // MARK: Files

  /// The file may not be written.
  case fileReadOnly(file: String)
  /// The folder, which must hold a journal during edits, is not writable.
  case folderReadOnly(folder: String)
  /// The disk is full.
  case diskFull(file: String)
  /// Another program is writing to the file.
  case locked(file: String, holder: String?)
  /// The file was closed.
  case closed(file: String)
  /// The file cannot be opened or read.
  case unreadable(file: String, reason: String)
  /// The file, or a part of it, is not what it should be.
  case damaged(file: String, place: String, reason: String)
  /// A rule of the file forbids the row, which the table's description does not mention.
  case refused(file: String, reason: String, EditPlace)
  /// Writing failed for another reason.
  case writeFailed(file: String, reason: String)
  /// The edit was written, but the disk did not confirm it: it may be there when the file is opened
  /// next, or not.
  case unconfirmed(file: String, reason: String)
  /// A service could not be asked to make the edit, or has refused it as a whole.
  case notMade(UnansweredQuery)
  /// A service that has too much to do has refused the edit without looking at it.
  case refusedForNow(file: String, reason: String)
  /// The edit was sent to a service, and it is not known whether it has arrived.
  case unanswered(file: String, reason: String)
}
