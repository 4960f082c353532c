public import Foundation

extension FeatureEditError: LocalizedError {
  public var errorDescription: String? {
    valueDescription ?? geometryDescription ?? fileDescription ?? subjectDescription
  }

  private var subjectDescription: String? {
    switch self {
    case .cancelled: "The edits were cancelled."
    case .noSuchTable(let name, _): "There is no table \"\(name)\"."
    case .tableNotEditable(let table, let reason): "\"\(table)\" cannot be edited: \(reason)."
    case .noSuchRow(let id, let place): "\"\(place.table)\" has no feature \(id)."
    case .noSuchAttachment(let id, let place): "\"\(place.table)\" has no attachment \(id)."
    case .noSuchEdit(let number, let place):
      "Edit \(place.edit + 1) needs the feature that edit \(number + 1) adds, but that adds none "
        + "before it."
    case .noAttachments(let place): "Features of \"\(place.table)\" cannot have attachments."
    case .cannotRelate(let other, let reason, let place):
      "A feature of \"\(place.table)\" cannot belong to one of \"\(other)\": \(reason)."
    case .objectIDsUsedUp(let place): "\"\(place.table)\" has no object ids left."
    case .nothingToUndo: "There is nothing to undo."
    case .conflictChanged: "The conflict was changed or resolved meanwhile."
    case .changedByOthers(let place):
      "The edit of \"\(place.table)\" cannot be undone: another user has changed the feature since."
    default: nil
    }
  }

  private var valueDescription: String? {
    switch self {
    case .unknownField(let name, let place): "\"\(place.table)\" has no field \"\(name)\"."
    case .duplicateField(let name, _): "The field \"\(name)\" is given two values."
    case .readOnlyField(let name, let reason, _):
      "The field \"\(name)\" cannot be changed: \(reason.text)."
    case .wrongType(let field, let type, let value, _):
      "The field \"\(field)\" holds \(type.noun), not \(value.editText)."
    case .outOfRange(let field, let type, let value, _):
      "The field \"\(field)\" cannot hold \(value.editText): it is \(type.limitText)."
    case .textTooLong(let field, let length, let limit, _):
      "The text for \"\(field)\" has \(length) characters; it holds at most \(limit)."
    case .dataTooLong(let field, let length, let limit, _):
      "The contents for \"\(field)\" have \(length) bytes; it holds at most \(limit)."
    case .nullNotAllowed(let field, _): "The field \"\(field)\" must have a value."
    case .valueNotInDomain(let field, let value, let domain, _):
      "\(value.editText) is not allowed in \"\(field)\" by the domain \"\(domain.name)\"."
    case .unknownSubtype(let field, let value, _, _):
      "\(value.editText) in \"\(field)\" is no subtype."
    default: nil
    }
  }

  private var geometryDescription: String? {
    switch self {
    case .geometryNotAllowed(let place): "Rows of \"\(place.table)\" have no shape."
    case .wrongGeometryType(let expected, let found, let place):
      "\"\(place.table)\" holds \(expected.noun), not \(found.noun)."
    case .missingHeights(let place): "Shapes of \"\(place.table)\" need heights."
    case .surplusOrdinates(let axis, let place):
      "Shapes of \"\(place.table)\" hold no \(axis == .m ? "measures" : "heights")."
    case .incompleteGeometry(let reason, _): "The shape is incomplete: \(reason)."
    case .notFinite(let axis, _): "An ordinate of the shape (\(axis.rawValue)) is no number."
    case .outsideCoordinateRange(let axis, let value, let range, let place):
      "The \(axis.rawValue) of a vertex is \(value); \"\(place.table)\" stores "
        + "\(range.lowerBound) to \(range.upperBound)."
    case .ringsCross: "The rings of the area cross or overlap."
    default: nil
    }
  }

  private var fileDescription: String? {
    switch self {
    case .fileReadOnly(let file): "\(file) may not be written."
    case .folderReadOnly(let folder): "The folder \(folder) may not be written."
    case .diskFull(let file): "The disk is full; \(file) is unchanged."
    case .locked(let file, let holder):
      "\(file) cannot be written now: \(holder ?? "another program") is using it."
    case .closed(let file): "\(file) was closed."
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .damaged(let file, let place, let reason): "\(file) is damaged, in \(place): \(reason)."
    case .refused(let file, let reason, let place):
      "\(file) does not accept the row of \"\(place.table)\": \(reason)."
    case .writeFailed(let file, let reason): "Writing \(file) failed: \(reason)."
    case .unconfirmed(let file, let reason):
      "The edit was written to \(file), but the disk did not confirm it: \(reason)."
    case .notMade(let query): "The edit was not made. \(query.reason)"
    case .refusedForNow(let file, let reason):
      "\(file) has refused the edit for now, and has not made it: \(reason)."
    case .unanswered(let file, let reason):
      "The edit was sent to \(file), which did not confirm it: \(reason)."
    default: nil
    }
  }
}

extension FeatureEditError.ReadOnlyReason {
  fileprivate var text: String {
    switch self {
    case .objectID: "it numbers the rows"
    case .globalID: "it identifies the row everywhere"
    case .editorTracking: "it records who edited when"
    case .notEditable: "the owner of the data does not allow it"
    }
  }
}
