extension FeatureEditError {
  public var recoverySuggestion: String? {
    valueSuggestion ?? geometrySuggestion ?? fileSuggestion ?? subjectSuggestion
  }

  /// Whether the same edits may succeed a little later.
  public var isTransient: Bool {
    switch self {
    case .locked, .refusedForNow: true
    default: false
    }
  }

  private var subjectSuggestion: String? {
    switch self {
    case .noSuchTable(_, let available): "It has: \(available.joined(separator: ", "))."
    case .noSuchRow: "Look for the feature again. It may have been deleted."
    case .noSuchAttachment: "List the attachments of the feature."
    case .noSuchEdit: "Add the feature first, in the same group."
    case .noAttachments: "Attach the file to a feature of another layer."
    case .cannotRelate: "Look at the relationships of the table."
    case .conflictChanged: "Look at the list of conflicts again, and decide once more."
    case .changedByOthers: "Look at the feature as it is now, and edit it where that is needed."
    default: nil
    }
  }

  private var valueSuggestion: String? {
    switch self {
    case .unknownField: "Look at the fields of the table."
    case .duplicateField: "Name it once."
    case .readOnlyField: "Leave the field out."
    case .wrongType(_, let type, _, _): "Give \(type.noun)."
    case .outOfRange(_, let type, _, _): "Give \(type.limitText)."
    case .textTooLong(_, _, let limit, _):
      "Shorten it to \(limit) \(limit == 1 ? "character" : "characters")."
    case .dataTooLong(_, _, let limit, _): "Make it smaller than \(limit) bytes."
    case .nullNotAllowed: "Give it one."
    case .valueNotInDomain(_, _, let domain, _): "Allowed: \(domain.allowedText)."
    case .unknownSubtype(_, _, let types, _):
      "Allowed: " + types.map { "\($0.id.editText) (\($0.name))" }.joined(separator: ", ") + "."
    default: nil
    }
  }

  private var geometrySuggestion: String? {
    switch self {
    case .geometryNotAllowed: "Leave the shape out."
    case .wrongGeometryType(let expected, _, _): "Draw \(expected.noun)."
    case .missingHeights: "Give every vertex a height, 0 where it is not known."
    case .surplusOrdinates: "Leave them out."
    case .incompleteGeometry: "Draw it to the end."
    case .notFinite: "Draw it again."
    case .outsideCoordinateRange: "Check that it is in the spatial reference of the layer."
    case .ringsCross: "Move the vertices so that no edges cross, or simplify the shape."
    default: nil
    }
  }

  private var fileSuggestion: String? {
    switch self {
    case .fileReadOnly: "Copy it to where you may write, or have its permissions changed."
    case .folderReadOnly: "Copy the file to a folder that you may write to."
    case .diskFull: "Free some space, then try again."
    case .locked: "Wait until it has finished, then try again."
    case .closed: "Open it again."
    case .unreadable: "Check that the file exists and that you may read it."
    case .damaged: "Copy or download the file again."
    case .refused: "Compare the values with those of other features."
    case .writeFailed: "Check the disk, then try again."
    case .notMade(let query): query.suggestion
    case .refusedForNow: "Try again later."
    case .unanswered: "Check whether the service has the edit before you make it again."
    case .unconfirmed:
      "Check the disk, then open the map again and look whether the edit is there before making it "
        + "once more."
    default: nil
    }
  }
}
