import Foundation
import PortolanFeatureContracts
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanGeodatabase

/// Whether the triggers of a new geodatabase do what an editor expects of them.
@Suite(.temporaryDirectory) struct GeodatabaseWriterTriggerTests {
  private let calls = IndexCalls()

  private func open() throws -> Connection {
    let url = temporaryDirectory.appending(path: "new.geodatabase")
    try Example.write(to: url)
    let connection = try Connection(at: url, access: .readWrite)
    // To SQLite even its own spatial index is unsafe in the triggers of an untrusted schema.
    try connection.execute("PRAGMA trusted_schema = ON")
    for name in ["InsertIndexEntry", "UpdateIndexEntry"] {
      try connection.register(function: name, argumentCount: 4, traits: .innocuous) {
        [calls] arguments in
        calls.note(name, arguments)
        return .null
      }
    }
    try connection.register(
      function: "gdb_transaction_time", argumentCount: 0, traits: .innocuous
    ) { [calls] _ in .real(calls.time.withLock { $0 }) }
    try connection.register(function: "Next_RowID", argumentCount: 2, traits: .innocuous) { _ in
      .integer(100)
    }
    return connection
  }

  @Test func `Inserting and updating a shape reach the spatial index`() throws {
    let connection = try open()
    try connection.execute(
      "INSERT INTO Parks (NAME, GlobalID, Shape) SELECT 'New', ?1, Shape FROM Parks LIMIT 1",
      .text("{0FC1A2B3-0000-4000-8000-000000000002}"))
    try connection.execute("UPDATE Parks SET Shape = Shape WHERE OBJECTID = 1")
    try connection.execute("UPDATE Parks SET NAME = 'Other' WHERE OBJECTID = 1")
    let index = "st_spindex__Parks_Shape"
    #expect(calls.all() == ["InsertIndexEntry \(index) 3", "UpdateIndexEntry \(index) 1"])
  }

  @Test func `Deleting a row removes it from the spatial index`() throws {
    let connection = try open()
    #expect(try connection.text("SELECT count(*) FROM st_spindex__Parks_Shape") == "1")
    try connection.execute("DELETE FROM Parks")
    #expect(try connection.text("SELECT count(*) FROM st_spindex__Parks_Shape") == "0")
    #expect(try connection.text("SELECT rtreecheck('st_spindex__Parks_Shape')") == "ok")
  }

  @Test func `A rule of a column holds for later writers`() throws {
    let connection = try open()
    #expect(throws: DatabaseError.self) {
      try connection.execute("UPDATE Parks SET AREA = 'large'")
    }
    #expect(throws: DatabaseError.self) {
      try connection.execute("UPDATE Parks SET NAME = ?1", .text(String(repeating: "x", count: 41)))
    }
    try connection.execute("UPDATE Parks SET NAME = NULL, AREA = NULL")
  }

  @Test func `Editing the view keeps the history`() throws {
    let connection = try open()
    calls.time.withLock { $0 = 2_460_000 }
    try connection.execute("UPDATE Trails_evw SET LABEL = 'Changed' WHERE OBJECTID = 8")
    calls.time.withLock { $0 = 2_460_001 }
    try connection.execute("DELETE FROM Trails_evw WHERE OBJECTID = 7")
    try connection.execute("INSERT INTO Trails_evw (LABEL) VALUES ('New')")
    let current = "SELECT group_concat(OBJECTID || LABEL) FROM Trails_evw ORDER BY OBJECTID"
    #expect(try connection.text(current) == "12Trail 12,8Changed,100New")
    let history = """
      SELECT group_concat(LABEL || ' ' || CAST(gdb_from_date AS INTEGER) || ' '
        || CAST(gdb_to_date AS INTEGER)) FROM Trails WHERE OBJECTID IN (7, 8)
      """
    #expect(
      try connection.text(history) == """
        Trail 7 2440587 2460001,Trail 8 2440587 2460000,Changed 2460000 5373484
        """)
    #expect(try connection.integrityCheck() == [])
  }

  @Test func `What a transaction created and removed leaves no trace`() throws {
    let connection = try open()
    calls.time.withLock { $0 = 2_460_000 }
    try connection.execute("INSERT INTO Trails_evw (LABEL) VALUES ('New')")
    try connection.execute("DELETE FROM Trails_evw WHERE OBJECTID = 100")
    #expect(try connection.text("SELECT count(*) FROM Trails") == "3")
  }
}

/// The calls of triggers, and the time that they are given.
private final class IndexCalls: Sendable {
  let time = Mutex(2_459_999.0)
  private let calls = Mutex<[String]>([])

  func note(_ name: String, _ arguments: [SQLValue]) {
    guard case .text(let index) = arguments[0], case .integer(let row) = arguments[2] else {
      return
    }
    calls.withLock { $0.append("\(name) \(index) \(row)") }
  }

  func all() -> [String] { calls.withLock { $0 } }
}
