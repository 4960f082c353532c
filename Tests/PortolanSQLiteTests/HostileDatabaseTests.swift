import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct HostileDatabaseTests {
  private let url: URL

  init() throws { url = temporaryDirectory.appending(path: "hostile.sqlite") }

  /// Makes the file with a connection that may edit the schema.
  private func make(_ statements: [String]) throws {
    let connection = try Connection(at: url, access: .create)
    try connection.withSchemaEditing { connection in
      for statement in statements { try connection.execute(statement) }
    }
  }

  /// Reads whatever can be read; damage must end in an error, never in a crash.
  private func readAll(of url: URL) throws {
    let connection = try Connection(at: url, access: .immutable)
    let tables = try connection.query("SELECT name FROM sqlite_schema WHERE type = 'table'")
    while try tables.step() {
      let name = SQLIdentifier.quoted(tables.text(at: 0))
      let rows = try connection.query("SELECT * FROM \(name) LIMIT 10000")
      while try rows.step() {
        for column in 0..<rows.columnCount { _ = rows[column] }
      }
    }
  }

  private static let sound = [
    "PRAGMA page_size = 1024",
    "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, data BLOB)",
    "CREATE INDEX byName ON t (name)",
    "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1)",
    """
    INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 40)
    SELECT i, 'name ' || i, zeroblob(i * i) FROM n
    """,
    "INSERT INTO r SELECT id, id, id + 1 FROM t",
  ]

  @Test func `A file cut anywhere gives rows or an error`() throws {
    try make(Self.sound)
    let whole = try Data(contentsOf: url)
    for count in stride(from: 0, to: whole.count, by: 512) {
      let cut = temporaryDirectory.appending(path: "cut.sqlite")
      try whole.prefix(count).write(to: cut)
      do { try readAll(of: cut) } catch is DatabaseError {}
    }
  }

  @Test func `Lies in the headers give rows or an error`() throws {
    try make(Self.sound)
    let whole = try Data(contentsOf: url)
    let altered = temporaryDirectory.appending(path: "altered.sqlite")
    let pages = stride(from: 0, to: whole.count, by: 1_024)
    let places =
      Array(0..<110) + pages.flatMap { [$0, $0 + 3, $0 + 5, $0 + 8, $0 + 12, $0 + 1_000] }
    for place in places where place < whole.count {
      for value in [UInt8(0), 0xFF] {
        var bytes = whole
        bytes[place] = value
        try bytes.write(to: altered)
        do { try readAll(of: altered) } catch is DatabaseError {}
      }
    }
  }

  @Test func `A view is not run, however deep it is`() throws {
    try make([
      "CREATE TABLE t (x)",
      "INSERT INTO t VALUES (1)",
      "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        + "SELECT i FROM n",
    ])
    let connection = try Connection(at: url, access: .readOnly)
    #expect(throws: DatabaseError.self) { try connection.execute("SELECT * FROM v") }
    try connection.execute("SELECT * FROM t")
  }

  @Test func `A table that turns out to be a view of itself is refused`() throws {
    try make([
      "CREATE TABLE a (x)", "CREATE TABLE b (x)",
      "UPDATE sqlite_schema SET type = 'view', rootpage = 0, sql = 'CREATE VIEW a AS SELECT * FROM b' "
        + "WHERE name = 'a'",
      "UPDATE sqlite_schema SET type = 'view', rootpage = 0, sql = 'CREATE VIEW b AS SELECT * FROM a' "
        + "WHERE name = 'b'",
    ])
    let connection = try Connection(at: url, access: .immutable)
    #expect(throws: DatabaseError.self) { try connection.execute("SELECT * FROM a") }
  }

  @Test func `A schema cannot call functions that do harm`() throws {
    try make([
      "CREATE TABLE t (x)",
      "CREATE VIEW v AS SELECT writefile('/tmp/hostile', 'x') FROM t",
      "CREATE TRIGGER k AFTER INSERT ON t BEGIN SELECT load_extension('x'); END",
    ])
    let connection = try Connection(at: url, access: .readWrite)
    #expect(throws: DatabaseError.self) { try connection.execute("INSERT INTO t VALUES (1)") }
    #expect(throws: DatabaseError.self) { try connection.execute("SELECT * FROM v") }
  }

  @Test func `A function of ours is called by a schema only when it is harmless`() throws {
    try make([
      "CREATE TABLE t (x)", "CREATE TABLE log (x)",
      "CREATE TRIGGER k AFTER INSERT ON t BEGIN INSERT INTO log VALUES (stamp()); END",
    ])
    let connection = try Connection(at: url, access: .readWrite)
    try connection.register(function: "stamp") { _ in 7 }
    #expect(throws: DatabaseError.self) { try connection.execute("INSERT INTO t VALUES (1)") }
    try connection.register(function: "stamp", traits: .innocuous) { _ in 7 }
    try connection.execute("INSERT INTO t VALUES (1)")
  }

  @Test func `No other file can be attached`() throws {
    try make(["CREATE TABLE t (x)"])
    let connection = try Connection(at: url, access: .immutable)
    #expect(throws: DatabaseError.self) {
      try connection.execute("ATTACH 'file:/tmp/other.sqlite?mode=rwc' AS other")
    }
  }

  @Test func `A value beyond the limit is refused, not allocated`() throws {
    let connection = try Connection.inMemory()
    let error = #expect(throws: DatabaseError.self) {
      try connection.execute("SELECT length(randomblob(300000000))")
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func `A schema with a statement nested too deep is refused`() throws {
    try make([
      "CREATE TABLE t (x)",
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (x CHECK ("
        + String(repeating: "(", count: 5_000) + "1" + String(repeating: ")", count: 5_000) + "))'",
    ])
    #expect(throws: DatabaseError.self) { try readAll(of: url) }
  }
}
