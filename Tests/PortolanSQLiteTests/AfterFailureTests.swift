import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanSQLite

/// The state of a connection after something has gone wrong on it: as good as before.
@Suite(.temporaryDirectory) struct AfterFailureTests {
  private struct Mishap: Error {}

  private var url: URL { temporaryDirectory.appending(path: "file.sqlite") }

  private func made() throws -> Connection {
    let connection = try Connection(at: url, access: .create)
    try connection.execute("CREATE TABLE t (x)")
    try connection.execute("INSERT INTO t VALUES (1)")
    return connection
  }

  /// Expects that nobody keeps others from writing.
  private func expectUnlocked(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let other = try Connection(at: url, access: .readWrite, patience: .zero)
    #expect(throws: Never.self, sourceLocation: sourceLocation) {
      try other.execute("INSERT INTO t VALUES (2)")
    }
  }

  @Test func `A question that fails ends its transaction`() throws {
    let connection = try made()
    #expect(throws: DatabaseError.self) {
      try connection.readTransaction { connection throws(DatabaseError) in
        try connection.execute("SELECT * FROM t")
        try connection.execute("SELECT * FROM absent")
      }
    }
    try expectUnlocked()
    let count = try connection.readTransaction { connection throws(DatabaseError) in
      let query = try connection.query("SELECT count(*) FROM t")
      return try query.step() ? query.integer(at: 0) : -1
    }
    #expect(count == 2)
    try expectUnlocked()
  }

  @Test func `A question within a transaction does not end it`() throws {
    let connection = try made()
    try connection.execute("BEGIN")
    try connection.execute("INSERT INTO t VALUES (2)")
    try connection.readTransaction { connection throws(DatabaseError) in
      try connection.execute("SELECT * FROM t")
    }
    try connection.execute("ROLLBACK")
    let query = try connection.query("SELECT count(*) FROM t")
    #expect(try query.step() && query.integer(at: 0) == 1)
  }

  @Test func `An aborted read of a file's bytes keeps no lock on it`() throws {
    let connection = try made()
    #expect(throws: Mishap.self) { try connection.forEachFileChunk { _ in throw Mishap() } }
    try expectUnlocked()
    var isRead = false
    #expect(throws: Mishap.self) {
      try connection.forEachFileChunk(after: { throw Mishap() }, { _ in isRead = true })
    }
    #expect(!isRead)
    try expectUnlocked()
    var count = 0
    try connection.forEachFileChunk(of: 1_000) { count += $0.count }
    #expect(count == (try Data(contentsOf: url)).count)
  }

  @Test func `The schema is closed again though editing it has failed`() throws {
    let connection = try made()
    #expect(throws: Mishap.self) {
      try connection.withSchemaEditing { _ in throw Mishap() }
    }
    #expect(throws: DatabaseError.self) { try connection.execute("DELETE FROM sqlite_schema") }
    let reader = try Connection(at: url, access: .readOnly)
    let error = #expect(throws: DatabaseError.self) { try reader.withSchemaEditing { _ in } }
    #expect(error?.code == .readOnly)
  }

  @Test func `A query that is let go of before its end gives its lock back`() throws {
    let connection = try made()
    try connection.execute("INSERT INTO t VALUES (2)")
    do {
      let query = try connection.query("SELECT x FROM t")
      #expect(try query.step())
    }
    try expectUnlocked()
  }

  @Test func `Values bound to one run of a statement are not present in the next`() throws {
    let connection = try made()
    let sql = "SELECT ?1, ?2"
    do {
      let query = try connection.query(sql, 1, "secret")
      #expect(try query.step() && query[1] == "secret")
    }
    let query = try connection.query(sql, 2)
    #expect(try query.step() && query[0] == 2 && query[1] == .null)
  }

  @Test func `After a write that failed reading cannot write either`() async throws {
    let connection = try made()
    _ = consume connection
    let database = try Database(at: url, access: .readWrite)
    await #expect(throws: Mishap.self) { try await database.write { _ in throw Mishap() } }
    await #expect {
      try await database.read { try $0.execute("DELETE FROM t") }
    } throws: { ($0 as? DatabaseError)?.code == .readOnly }
    try await database.write { try $0.execute("INSERT INTO t VALUES (3)") }
  }

  @Test
  func `A shorter wait for one statement does not change the next, even if it failed`()
    throws
  {
    _ = try made()
    let connection = try Connection(at: url, access: .readWrite, patience: .seconds(7))
    let holder = try Connection(at: url, access: .readWrite)
    try holder.execute("BEGIN EXCLUSIVE")
    let start = ContinuousClock.now
    let error = #expect(throws: DatabaseError.self) {
      try connection.waiting(atMost: .zero) { connection throws(DatabaseError) in
        try connection.execute("INSERT INTO t VALUES (1)")
      }
    }
    #expect(error?.code == .busy)
    #expect(.now - start < .seconds(7))
    #expect(connection.handle.patience == .seconds(7))
    try holder.execute("ROLLBACK")
  }

  @Test(.needsTool("python3"))
  func `A file in write-ahead mode that is busy names the process that writes to it`() throws {
    let connection = try made()
    try connection.execute("PRAGMA journal_mode = WAL")
    let other = try LockingProcess(url)
    let writer = try Connection(at: url, access: .readWrite, patience: .milliseconds(20))
    let error = #expect(throws: DatabaseError.self) {
      try other.whileLocked { try writer.execute("INSERT INTO t VALUES (1)") }
    }
    #expect(error?.code == .busy)
    #expect(error?.holder?.processID == other.processID)
  }
}
