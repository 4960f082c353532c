import PortolanSQLite
import Testing

extension Connection {
  /// Writes what is in the log into the file, so that the file alone holds everything.
  ///
  /// While others read or write a part of it would stay in the log, which fails the test.
  func emptyLog() throws {
    let query = try query("PRAGMA wal_checkpoint(TRUNCATE)")
    try #require(try query.step())
    let isBroken = query.integer(at: 0) != 0
    try #require(!isBroken, "others read or write the file")
  }
}
