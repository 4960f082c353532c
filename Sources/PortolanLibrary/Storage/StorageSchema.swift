internal import Foundation
internal import PortolanSQLite

/// The tables of the catalogue, and how older ones become as they are now.
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
  ]

  /// The version that this Portolan writes.
  static var currentVersion: Int { steps.count }

  /// Prepares a file: readers do not wait for writers, and what was committed is on the disk.
  static func prepare(_ url: URL) throws {
    let connection = try Connection(at: url, access: .create)
    try connection.execute("PRAGMA journal_mode = WAL")
  }

  /// Brings the tables up to date, in one transaction.
  static func migrate(_ database: Database, file: URL) async throws {
    try await database.write { connection in
      let version = Int(try connection.userVersion())
      guard version <= currentVersion else {
        throw LibraryError.newerCatalogue(
          file: file.path(percentEncoded: false), version: version)
      }
      guard version < currentVersion else { return }
      for statement in steps[max(version, 0)...].joined() { try connection.execute(statement) }
      try connection.setUserVersion(Int32(currentVersion))
    }
  }
}
