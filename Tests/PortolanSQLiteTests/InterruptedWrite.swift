import Foundation
import PortolanSQLite

/// A database as a writer leaves it that dies in the middle of a transaction, or after one.
enum InterruptedWrite {
  /// The number of committed rows; each has the number 1, and 2 where a transaction was not.
  static let rowCount = 2_000

  /// Puts a database with a hot journal at a place: all rows are changed, and nothing is committed.
  static func hotJournal(at url: URL, in scratch: URL) throws {
    let source = scratch.appending(path: "rolled-\(UUID().uuidString).sqlite")
    let writer = try filled(source)
    try writer.execute("PRAGMA cache_size = 5")
    try writer.execute("BEGIN IMMEDIATE")
    try writer.execute("UPDATE t SET x = 2")
    try copy(source, ["", "-journal"], to: url)
    try writer.execute("ROLLBACK")
  }

  /// Puts a database with a write-ahead log at a place: rows were changed and committed to the log.
  static func log(at url: URL, in scratch: URL) throws {
    let source = scratch.appending(path: "logged-\(UUID().uuidString).sqlite")
    let writer = try filled(source)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("PRAGMA wal_autocheckpoint = 0")
    try writer.execute("UPDATE t SET x = 2")
    try copy(source, ["", "-wal"], to: url)
  }

  /// Puts a database at a place whose header asks for a log; there is none, or an empty one.
  static func emptyLog(at url: URL, leavingFile: Bool) throws {
    do {
      let writer = try filled(url)
      try writer.execute("PRAGMA journal_mode = WAL")
    }
    if leavingFile { try Data().write(to: beside(url, "-wal")) }
  }

  static func beside(_ url: URL, _ suffix: String) -> URL {
    URL(filePath: url.path(percentEncoded: false) + suffix)
  }

  /// The greatest number in a row, and how many rows there are.
  static func contents(_ connection: borrowing Connection) throws -> [Int64] {
    let query = try connection.query("SELECT max(x), count(*) FROM t")
    return try query.step() ? [query.integer(at: 0), query.integer(at: 1)] : []
  }

  private static func filled(_ url: URL) throws -> Connection {
    let writer = try Connection(at: url, access: .create)
    try writer.execute("CREATE TABLE t (x, data)")
    try writer.execute(
      """
      INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n
        LIMIT \(rowCount)) SELECT 1, zeroblob(200) FROM n
      """)
    return writer
  }

  private static func copy(_ source: URL, _ suffixes: [String], to url: URL) throws {
    for suffix in suffixes {
      try FileManager.default.copyItem(at: beside(source, suffix), to: beside(url, suffix))
    }
  }
}
