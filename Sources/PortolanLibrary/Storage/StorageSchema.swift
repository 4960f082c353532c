internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

/// The tables of the catalogue, and how older ones are migrated.
enum StorageSchema {
  /// What each version adds to the one before; version 1 is the first.
  private static let steps: [[String]] = [
    [
      "CREATE TABLE stored_map (id TEXT PRIMARY KEY, title TEXT NOT NULL, record BLOB NOT NULL)",
      "CREATE TABLE known_map (id TEXT PRIMARY KEY, title TEXT NOT NULL, record BLOB NOT NULL)",
      """
      CREATE TABLE known_area (id TEXT NOT NULL, web_map TEXT NOT NULL, title TEXT NOT NULL,
        record BLOB NOT NULL, PRIMARY KEY (web_map, id)) WITHOUT ROWID
      """,
      "CREATE TABLE thumbnail (id TEXT PRIMARY KEY, data BLOB NOT NULL)",
      "CREATE TABLE job (id TEXT PRIMARY KEY, position INTEGER NOT NULL, record BLOB NOT NULL)",
      "CREATE TABLE job_message (job TEXT NOT NULL, record BLOB NOT NULL)",
      "CREATE INDEX job_message_job ON job_message (job)",
      "CREATE INDEX stored_map_title ON stored_map (title, id)",
    ],
    ["CREATE TABLE installation (id TEXT PRIMARY KEY, record BLOB NOT NULL)"],
    [
      """
      CREATE TABLE job_request (number INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL,
        intent TEXT NOT NULL)
      """,
      "CREATE INDEX job_request_job ON job_request (job)",
    ],
    [
      "form TEXT", "origin TEXT", "origin_map TEXT", "origin_item TEXT", "summary TEXT",
      "portal TEXT", "installed REAL", "source_modified REAL", "byte_count INTEGER",
      "omissions BLOB", "deleted REAL",
    ].map { "ALTER TABLE stored_map ADD COLUMN \($0)" },
    [
      "ALTER TABLE stored_map ADD COLUMN version INTEGER",
      "ALTER TABLE stored_map ADD COLUMN deleted_on INTEGER",
      """
      CREATE TABLE map_version (map TEXT NOT NULL, number INTEGER NOT NULL,
        edited INTEGER NOT NULL DEFAULT 0, record BLOB NOT NULL, PRIMARY KEY (map, number))
      """,
      "CREATE TABLE home_use (days INTEGER NOT NULL, last_day INTEGER)",
    ],
    [
      """
      CREATE TABLE outbox (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
        record BLOB NOT NULL)
      """
    ],
    ["CREATE TABLE package_date (map TEXT PRIMARY KEY, modified REAL NOT NULL)"],
    [
      "ALTER TABLE stored_map ADD COLUMN options BLOB",
      "CREATE TABLE lost_options (map TEXT PRIMARY KEY, record BLOB NOT NULL)",
    ],
  ]

  /// The first version in which processes leave requests for the one that works on a job.
  static let firstWithRequests = 3
  /// The first version whose stored maps have versions.
  static let firstWithVersions = 5
  /// The first version that keeps what is to be said to servers.
  static let firstWithOutbox = 6
  /// The first version that keeps what portals say about packages.
  static let firstWithPackageDates = 7
  /// The first version that keeps how areas were downloaded.
  static let firstWithOptions = 8

  /// The version that this Portolan writes.
  static var currentVersion: Int { steps.count }

  /// The tables that a catalogue of this version must have.
  static let tables = [
    "stored_map", "known_map", "known_area", "thumbnail", "job", "job_message", "installation",
    "job_request", "map_version", "home_use", "outbox", "package_date",
    "lost_options",
  ]

  /// The application id of a catalogue that was made when there were maps already, which have yet to be
  /// looked for.
  static let unlistedMaps: Int32 = 0x504D_4150

  /// Prepares a file, for its owner only: readers do not wait for writers, and what was committed is
  /// on the disk.
  static func prepare(_ url: URL) throws {
    let path = url.path(percentEncoded: false)
    let home = HomeLayout(home: url.deletingLastPathComponent())
    try checkRepair(of: home)
    if let status = FileStatus(url) {
      // An empty list would hide what is there.
      guard status.byteCount > 0 || !home.holdsMaps else {
        throw LibraryError.damagedCatalogue(file: path, reason: "it is empty")
      }
    } else {
      // SQLite says better than this why it cannot be created; another process may have done so.
      try? Data().write(to: url, options: .withoutOverwriting)
    }
    // Once more: a repair has the new catalogue ready before the old one goes.
    try checkRepair(of: home)
    for suffix in ["", "-wal", "-shm"] {
      home.restrict(URL(filePath: path + suffix), to: 0o600)
    }
    let connection = try Connection(at: url, access: .create)
    try connection.execute("PRAGMA journal_mode = WAL")
  }

  /// Refuses a catalogue that is being replaced, whose journal may be gone already.
  private static func checkRepair(of home: HomeLayout) throws(LibraryError) {
    let isBeingReplaced: Bool
    do throws(FileError) {
      isBeingReplaced = try FileStatus(at: home.rebuiltCatalogue) != nil
    } catch {
      // A home that may not be looked into is not damaged by that.
      throw LibraryError(reading: error)
    }
    guard isBeingReplaced else { return }
    throw .damagedCatalogue(
      file: home.catalogue.path(percentEncoded: false), reason: CatalogueDamage.interruptedRepair)
  }

  /// Brings the tables up to date, in one transaction.
  static func migrate(_ database: Database, file: URL) async throws {
    // If they are up to date, a process that is writing is not waited for.
    let isCurrent = try await database.read { connection in
      guard !connection.isReadOnly, Int(try connection.userVersion()) == currentVersion else {
        return false
      }
      try checkTables(of: connection, file)
      return true
    }
    guard !isCurrent else { return }
    try await database.write { connection in
      let version = Int(try connection.userVersion())
      guard version <= currentVersion else {
        throw LibraryError.newerCatalogue(
          file: file.path(percentEncoded: false), version: version)
      }
      // SQLite opens it nevertheless, and refuses only what is written later.
      guard !connection.isReadOnly else {
        throw LibraryError.readOnlyHome(
          file: file.path(percentEncoded: false), reason: "its medium can only be read")
      }
      guard version < currentVersion else {
        return try checkTables(of: connection, file)
      }
      for statement in steps[max(version, 0)...].joined() { try connection.execute(statement) }
      if version == 0, HomeLayout(home: file.deletingLastPathComponent()).holdsMaps {
        try connection.setApplicationID(unlistedMaps)
      }
      try connection.setUserVersion(Int32(currentVersion))
    }
  }

  /// What is wrong with the tables of a catalogue, the end of a sentence; `nil` if nothing is.
  ///
  /// - Parameters:
  ///   - connection: The catalogue.
  ///   - holdsMaps: Whether there are maps that it should know of.
  /// - Returns: The fault.
  /// - Throws: `DatabaseError` if it cannot be read.
  static func fault(
    in connection: borrowing Connection, holdsMaps: Bool
  ) throws(DatabaseError) -> String? {
    let version = Int(try connection.userVersion())
    if version == 0, holdsMaps { return "it is empty" }
    guard version == currentVersion else { return nil }
    return try missingTable(in: connection).map { "it lacks the table \($0)" }
  }

  /// Refuses a catalogue that lacks a table: an empty list would hide what is stored.
  private static func checkTables(of connection: borrowing Connection, _ file: URL) throws {
    guard let fault = try fault(in: connection, holdsMaps: false) else { return }
    throw LibraryError.damagedCatalogue(file: file.path(percentEncoded: false), reason: fault)
  }

  /// A table that a catalogue of this version lacks.
  private static func missingTable(
    in connection: borrowing Connection
  ) throws(DatabaseError) -> String? {
    let query = try connection.query("SELECT name FROM sqlite_schema WHERE type = 'table'")
    var found: Set<String> = []
    while try query.step() { found.insert(query.text(at: 0)) }
    return tables.first { !found.contains($0) }
  }
}
