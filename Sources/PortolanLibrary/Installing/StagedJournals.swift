internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

/// The journals that writers have left beside the databases of a folder that is copied or unpacked.
///
/// What a writer that died has left is rolled back, or taken over, in the copy; a folder that is copied is
/// only read.
struct StagedJournals {
  /// A database with what lies beside it.
  private struct Abandoned {
    let database: URL
    let journals: [URL]
    /// What it was before anything was copied.
    let state: GeodatabaseState
  }

  /// By the path of the database.
  private var abandoned: [String: Abandoned] = [:]

  /// Looks who has left the journals.
  ///
  /// - Parameter journals: Files that are not empty.
  /// - Throws: ``LibraryError/beingEdited(map:by:)`` if the writer of one lives, and
  ///   ``LibraryError/strayJournal(file:reason:)`` for one that belongs to no database.
  init(_ journals: [URL]) throws(LibraryError) {
    for journal in journals.sorted(by: { $0.plainPath < $1.plainPath }) {
      let database = Self.database(of: journal)
      let path = database.plainPath
      try Self.check(journal, of: database)
      abandoned[path] = Abandoned(
        database: database, journals: (abandoned[path]?.journals ?? []) + [journal],
        state: try GeodatabaseState(of: database))
    }
  }

  /// Whether a file is a journal with contents.
  static func isOne(_ url: URL, _ status: FileStatus) -> Bool {
    status.byteCount > 0 && suffix(of: url) != nil
  }

  /// Recovers the copy of a database that has journals, beside which they are copied for that.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - source: The database.
  ///   - copyFile: Copies a file to a place.
  /// - Returns: Whether there was anything to recover.
  /// - Throws: ``LibraryError/beingEdited(map:by:)`` if it was written to meanwhile, and
  ///   ``LibraryError/strayJournal(file:reason:)`` if it cannot be recovered.
  func recover(
    _ copy: URL, of source: URL, copyFile: (_ source: URL, _ target: URL) async throws -> Void
  ) async throws -> Bool {
    guard let left = abandoned[source.plainPath] else { return false }
    for journal in left.journals {
      try await copyFile(
        journal, copy.deletingLastPathComponent().appending(path: journal.lastPathComponent))
    }
    guard try GeodatabaseState(of: left.database) == left.state else {
      throw LibraryError.beingEdited(map: source.lastPathComponent, by: Self.holder(of: source))
    }
    try Self.takeOver(left.journals, by: copy)
    return true
  }

  /// Recovers the databases where they lie, as in a folder that was just unpacked.
  ///
  /// - Throws: ``LibraryError/strayJournal(file:reason:)`` if one cannot be recovered.
  func recover() throws {
    for (_, left) in abandoned.sorted(by: { $0.key < $1.key }) {
      try Self.takeOver(left.journals, by: left.database)
    }
  }

  // MARK: - Details

  /// Lets SQLite apply the journals beside a database, which are then removed.
  private static func takeOver(_ journals: [URL], by database: URL) throws {
    do {
      try CarriedGeodatabases.mergeJournal(of: database)
      try read(database)
    } catch {
      throw LibraryError.strayJournal(
        file: journals.map(\.lastPathComponent).joined(separator: ", "),
        reason: "its contents cannot be taken over: \(reason(error))")
    }
    for suffix in suffixes + ["-shm"] {
      let journal = URL(filePath: database.plainPath + suffix)
      if FileStatus(journal) != nil { try FileSystem.live.erase(journal) }
    }
  }

  private static let suffixes = ["-wal", "-journal"]

  private static func suffix(of journal: URL) -> String? {
    suffixes.first(where: journal.lastPathComponent.hasSuffix)
  }

  private static func database(of journal: URL) -> URL {
    let name = journal.lastPathComponent.dropLast(suffix(of: journal)?.count ?? 0)
    return journal.deletingLastPathComponent().appending(path: String(name))
  }

  private static func check(_ journal: URL, of database: URL) throws(LibraryError) {
    let (file, name) = (journal.lastPathComponent, database.lastPathComponent)
    guard FileStatus(database)?.kind == .file else {
      throw .strayJournal(file: file, reason: "there is no \"\(name)\" that it belongs to")
    }
    if let holder = holder(of: database) { throw .beingEdited(map: name, by: holder) }
    guard try MapLibrary.isDatabase(database) else {
      throw .strayJournal(file: file, reason: "\"\(name)\" is no database")
    }
  }

  /// The process that has a database open.
  private static func holder(of database: URL) -> String? {
    let index = URL(filePath: database.plainPath + "-shm")
    return [database, index].lazy.compactMap { FileLockHolder.find(for: $0, .database) }.first?
      .description
  }

  /// Reads a little, before which SQLite rolls back what was cut short.
  private static func read(_ database: URL) throws(DatabaseError) {
    let connection = try Connection(at: database, access: .edit)
    _ = try connection.query("SELECT count(*) FROM sqlite_schema").step()
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case LibraryError.unreadable(_, let reason), LibraryError.damaged(_, let reason): reason
    case let error as DatabaseError: error.message
    default: error.plainReason
    }
  }
}
