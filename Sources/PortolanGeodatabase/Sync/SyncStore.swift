internal import Foundation
internal import PortolanFeatures
internal import PortolanSQLite

/// What a file remembers of its synchronization, in tables of Portolan's own: edits that could not
/// be exchanged, and an upload of which nobody knows yet what became of it.
///
/// - SeeAlso: Docs/OFFLINE-MAPS.md
struct SyncStore {
  private static let issues = "portolan_sync_issues"
  private static let pending = "portolan_sync_pending"
  private static let place = "what is known of the synchronization"

  let file: EditedFile

  // MARK: - Issues

  /// The edits that could not be exchanged, oldest first.
  func all() throws(FeatureEditError) -> [SyncIssue] {
    try records(in: Self.issues).compactMap { id, data in
      // What another version wrote and this one cannot read: see `hasUnreadableIssues`.
      guard var issue = try? JSONDecoder().decode(SyncIssue.self, from: data) else { return nil }
      issue.id = id
      return issue
    }
  }

  /// Whether there are issues that another version wrote and this one cannot read: nobody knows which
  /// edits somebody must decide on first.
  func hasUnreadableIssues() throws(FeatureEditError) -> Bool {
    try all().count < records(in: Self.issues).count
  }

  /// Adds an issue.
  ///
  /// - Returns: Its number.
  func add(_ issue: SyncIssue) throws(FeatureEditError) -> Int64 {
    try create(Self.issues)
    try insert(issue, into: Self.issues)
    return file.held.reader.connection.lastInsertedRowID
  }

  func remove(_ id: Int64) throws(FeatureEditError) {
    try file.run("DELETE FROM \(Self.issues) WHERE id = ?1", [.integer(id)], in: Self.place)
  }

  // MARK: - The upload

  func pendingUpload() throws(FeatureEditError) -> PendingUpload? {
    try records(in: Self.pending).first.flatMap { _, data in
      // One that cannot be read: the edits are sent again, which the service recognizes.
      try? JSONDecoder().decode(PendingUpload.self, from: data)
    }
  }

  func setPending(_ upload: PendingUpload?) throws(FeatureEditError) {
    try create(Self.pending)
    try file.run("DELETE FROM \(Self.pending)", in: Self.place)
    if let upload { try insert(upload, into: Self.pending) }
  }

  // MARK: - Records

  /// Makes a table whose numbers are never used twice: who decides on an issue names it by its number,
  /// and another synchronization may have come in between.
  private func create(_ table: String) throws(FeatureEditError) {
    try file.run(
      """
      CREATE TABLE IF NOT EXISTS \(table)
        (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, record TEXT NOT NULL)
      """, in: Self.place)
  }

  private func insert(_ record: some Encodable, into table: String) throws(FeatureEditError) {
    let data: Data
    do { data = try JSONEncoder().encode(record) } catch {
      throw .writeFailed(file: file.path, reason: error.localizedDescription)
    }
    try file.run(
      "INSERT INTO \(table) (record) VALUES (?1)",
      [.text(String(decoding: data, as: UTF8.self))], in: Self.place)
  }

  private func records(in table: String) throws(FeatureEditError) -> [(Int64, Data)] {
    let isThere = try file.rows(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1", [.text(table)],
      in: Self.place)
    guard !isThere.isEmpty else { return [] }
    return try file.rows("SELECT id, record FROM \(table) ORDER BY id", in: Self.place)
      .compactMap { row in
        guard case .integer(let id) = row[0], case .text(let text) = row[1] else { return nil }
        return (id, Data(text.utf8))
      }
  }
}

extension String {
  /// Whether both are the same global id, however they are written.
  func isSameID(as other: String) -> Bool { plainID == other.plainID }

  /// A global id as a key: capital letters without braces.
  var plainID: String { uppercased().filter { $0 != "{" && $0 != "}" } }
}
