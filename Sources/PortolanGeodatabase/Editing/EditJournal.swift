internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanSQLite

/// The edits of tables that keep no history, in a table of Portolan's own in the same file.
///
/// An entry is written in the transaction of its edit, so that neither is ever there without the
/// other, whenever the process is killed; it goes where the file goes. A file beside this one could
/// be lost, left behind by a copy, or contradict it. No catalogue of the file lists the table, and
/// other software does not look at it.
///
/// - SeeAlso: Docs/STORAGE.md, "Edits"
struct EditJournal {
  private let file: EditedFile

  private var tableName: String { file.format.editing.journalTable }

  private static let place = "the journal of edits"

  init(_ file: EditedFile) { self.file = file }

  // MARK: - Reading

  /// The edits in the order in which they were made.
  func changes() throws(FeatureEditError) -> [RowChange] {
    guard try exists() else { return [] }
    let rows = try file.rows(
      """
      SELECT table_name, object_id, global_id, attachment_id, attachment_global_id, kind
      FROM \(tableName) ORDER BY id
      """, in: Self.place)
    var changes: [RowChange] = []
    for row in rows {
      guard let change = Self.change(row) else {
        throw .damaged(file: file.path, place: Self.place, reason: "an entry is no edit")
      }
      changes.append(change)
    }
    return changes
  }

  /// The number of the last entry, 0 if there is none.
  func lastEntry() throws(FeatureEditError) -> Int64 {
    guard try exists() else { return 0 }
    let rows = try file.rows("SELECT max(id) FROM \(tableName)", in: Self.place)
    guard case .integer(let id)? = rows.first?.first else { return 0 }
    return id
  }

  private func exists() throws(FeatureEditError) -> Bool {
    try !file.rows(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1",
      [.text(tableName)], in: Self.place
    ).isEmpty
  }

  private static func change(_ row: [SQLValue]) -> RowChange? {
    guard case .text(let table) = row[0], case .integer(let objectID) = row[1],
      case .text(let name) = row[5], let kind = LocalChange.Kind(rawValue: name)
    else { return nil }
    var attachment: AttachmentRow?
    if case .integer(let id) = row[3] {
      attachment = AttachmentRow(id: id, globalID: row[4].text, objectID: objectID)
    }
    return RowChange(
      table: table, objectID: objectID, globalID: row[2].text, attachment: attachment, kind: kind)
  }

  // MARK: - Writing

  /// Adds the edits of a transaction that is running.
  ///
  /// - Parameters:
  ///   - changes: The edits, in order.
  ///   - now: When they were made.
  ///   - before: The row of a feature as it was before the transaction; `nil` if it was not there.
  /// - Throws: `FeatureEditError` if the journal cannot be written, or is none of ours.
  func append(
    _ changes: [RowChange], at now: Date,
    before: (RowChange) throws(FeatureEditError) -> JSONValue?
  ) throws(FeatureEditError) {
    guard !changes.isEmpty else { return }
    if try !exists() {
      for statement in creation { try file.run(statement, in: Self.place) }
    }
    for change in changes {
      var state: String?
      if change.attachment == nil, try !hasEntry(for: change) { state = try before(change)?.text() }
      try file.run(
        """
        INSERT INTO \(tableName) (table_name, object_id, global_id, attachment_id,
          attachment_global_id, kind, edited, state_before)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """,
        [
          .text(change.table), .integer(change.objectID), SQLValue(change.globalID),
          change.attachment.map { .integer($0.id) } ?? .null,
          SQLValue(change.attachment?.globalID), .text(change.kind.rawValue),
          .real(now.timeIntervalSince1970), SQLValue(state),
        ], in: Self.place)
    }
  }

  /// Removes the entries after a number, since their edits are undone in this transaction.
  func removeEntries(after last: Int64) throws(FeatureEditError) {
    guard try exists() else { return }
    try file.run(
      "DELETE FROM \(tableName) WHERE id > ?1", [.integer(last)], in: Self.place)
  }

  /// Whether the row was edited before, so that its first state is known already.
  private func hasEntry(for change: RowChange) throws(FeatureEditError) -> Bool {
    try !file.rows(
      """
      SELECT 1 FROM \(tableName)
      WHERE table_name = ?1 AND object_id = ?2 AND attachment_id IS NULL LIMIT 1
      """, [.text(change.table), .integer(change.objectID)], in: Self.place
    ).isEmpty
  }

  /// `edited` counts seconds since 1970; `state_before` is a JSON object of the row's columns as
  /// they were before its first edit, with bytes in Base64 as `{"blob": "..."}`.
  ///
  /// With the index each entry finds those before it at once, however many there are.
  private var creation: [String] {
    [
      """
      CREATE TABLE \(tableName) (id INTEGER PRIMARY KEY NOT NULL, table_name TEXT NOT NULL,
        object_id INTEGER NOT NULL, global_id TEXT, attachment_id INTEGER,
        attachment_global_id TEXT, kind TEXT NOT NULL, edited REAL NOT NULL, state_before TEXT)
      """,
      "CREATE INDEX \(tableName)_rows ON \(tableName) (table_name, object_id)",
    ]
  }
}

extension SQLValue {
  /// A text, or `NULL` without one.
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// The text, if it is one.
  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The value in the journal of edits.
  var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): number.isFinite ? .number(number) : ["real": .string("\(number)")]
    case .text(let text): .string(text)
    case .blob(let data): ["blob": .string(data.base64EncodedString())]
    }
  }
}
