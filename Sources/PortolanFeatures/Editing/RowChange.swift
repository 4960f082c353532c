/// The change of a row by an edit, directly or by consequence.
package struct RowChange: Hashable, Sendable {
  /// The table of features.
  package var table: String
  /// The feature.
  package var objectID: Int64
  /// The feature's global id, if it has one.
  package var globalID: String?
  /// The attachment; `nil` where the feature itself changed.
  package var attachment: AttachmentRow?
  /// The kind of the change.
  package var kind: LocalChange.Kind

  package init(
    table: String, objectID: Int64, globalID: String?, attachment: AttachmentRow? = nil,
    kind: LocalChange.Kind
  ) {
    self.table = table
    self.objectID = objectID
    self.globalID = globalID
    self.attachment = attachment
    self.kind = kind
  }
}

extension LocalChange {
  /// The net effect of a sequence of changes: by table in the order given, then by object id.
  package static func merged(
    _ changes: some Sequence<RowChange>, orderOfTables: [String]
  ) -> [LocalChange] {
    var rows: [String: [Int64: LocalChange]] = [:]
    for change in changes {
      let key = change.table.lowercased()
      var row =
        rows[key]?[change.objectID]
        ?? LocalChange(
          table: change.table, objectID: change.objectID, globalID: change.globalID, kind: nil)
      row.globalID = row.globalID ?? change.globalID
      row.add(change)
      rows[key, default: [:]][change.objectID] = row.isEmpty ? nil : row
    }
    return orderOfTables.flatMap { table in
      (rows[table.lowercased()] ?? [:]).values.sorted { $0.objectID < $1.objectID }
    }
  }

  private var isEmpty: Bool { kind == nil && attachments.isEmpty }

  private mutating func add(_ change: RowChange) {
    guard let attachment = change.attachment else {
      kind = Kind.merged(kind, change.kind)
      return
    }
    let index = attachments.firstIndex { $0.id == attachment.id }
    let old = index.map { attachments.remove(at: $0).kind }
    guard let new = Kind.merged(old, change.kind) else { return }
    attachments.append(
      AttachmentChange(id: attachment.id, globalID: attachment.globalID, kind: new))
    attachments.sort { $0.id < $1.id }
  }
}

extension LocalChange.Kind {
  /// The net effect of two changes of a row, one after the other; `nil` if there is none.
  fileprivate static func merged(_ first: Self?, _ second: Self) -> Self? {
    switch (first, second) {
    case (nil, _): second
    case (.add, .delete): nil
    case (.add, _): .add
    case (.delete, .add): .update
    case (_, .delete): .delete
    default: .update
    }
  }
}
