import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory) struct ConnectionTests {
  /// Makes a file with one table of one row.
  private func makeFile(named name: String = "sample.sqlite") throws -> URL {
    let url = temporaryDirectory.appending(path: name)
    let connection = try Connection(at: url, access: .create)
    try connection.execute("CREATE TABLE t (x)")
    try connection.execute("INSERT INTO t VALUES (42)")
    return url
  }

  private func answer(_ connection: borrowing Connection) throws -> Int64 {
    let query = try connection.query("SELECT x FROM t")
    return try query.step() ? query.integer(at: 0) : 0
  }

  @Test(arguments: [
    "plain.sqlite", "what?.sqlite", "a#b.sqlite", "100%25.sqlite", "Übersicht 地図.sqlite",
    "file:x?mode=memory", "a&b=c;d'e\"f",
  ])
  func `A file is found by its name, whatever it contains`(_ name: String) throws {
    let url = try makeFile(named: name)
    for access in [Database.Access.immutable, .readOnly, .readWrite, .create] {
      #expect(try answer(Connection(at: url, access: access)) == 42)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path) == [name])
  }

  @Test func `What takes too many steps is stopped, and nothing after it`() throws {
    func count(to end: String) -> String {
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c \(end)) SELECT count(*) FROM c"
    }
    let connection = try Connection(at: makeFile(), access: .readOnly)
    let stopped = try connection.attempt(withinSteps: 100_000) {
      connection throws(DatabaseError) in
      try connection.query(count(to: "")).step()
    }
    #expect(stopped == nil)
    let found = try connection.attempt(withinSteps: 100_000) {
      connection throws(DatabaseError) in
      try connection.query("SELECT x FROM t").step()
    }
    #expect(found == true)
    let query = try connection.query(count(to: "WHERE n < 100000"))
    #expect(try query.step())
    #expect(query.integer(at: 0) == 100_000)
  }

  @Test(arguments: [Database.Access.immutable, .readOnly, .readWrite])
  func `A missing file is not made, and is named`(_ access: Database.Access) throws {
    let url = temporaryDirectory.appending(path: "absent.sqlite")
    let error = #expect(throws: DatabaseError.self) { _ = try Connection(at: url, access: access) }
    #expect(error?.code == .cannotOpen)
    #expect(error?.file == url.path(percentEncoded: false))
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test(arguments: [Database.Access.immutable, .readOnly])
  func `A file opened for reading cannot be written`(_ access: Database.Access) throws {
    let connection = try Connection(at: try makeFile(), access: access)
    let error = #expect(throws: DatabaseError.self) {
      try connection.execute("INSERT INTO t VALUES (1)")
    }
    #expect(error?.code == .readOnly)
  }

  @Test func `A file that is no database is refused at once`() throws {
    let url = temporaryDirectory.appending(path: "holiday photo.gpkg")
    try Data(repeating: 7, count: 4096).write(to: url)
    let error = #expect(throws: DatabaseError.self) {
      _ = try Database(at: url, access: .immutable)
    }
    #expect(error?.code == .notADatabase)
    #expect(error?.errorDescription == "\(url.path) is not a database, or is encrypted.")
  }

  @Test func `A file left in write-ahead mode opens on read-only storage`() throws {
    let url = try makeFile()
    var bytes = try Data(contentsOf: url)
    bytes[18] = 2
    bytes[19] = 2
    try bytes.write(to: url)
    let folder = temporaryDirectory.path
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer {
      // The folder is removed after the test, whatever its mode.
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    }
    #expect(try answer(Connection(at: url, access: .immutable)) == 42)
  }

  @Test func `A process that has a file open notices that it was replaced`() throws {
    let url = temporaryDirectory.appending(path: "file.sqlite")
    try Connection(at: url, access: .create).execute("CREATE TABLE t (x)")
    let reader = try Connection(at: url, access: .readOnly)
    var isCurrent = [reader.isCurrent]
    let next = temporaryDirectory.appending(path: "next.sqlite")
    try FileManager.default.copyItem(at: url, to: next)
    #expect(rename(next.path, url.path) == 0)
    isCurrent.append(reader.isCurrent)
    try FileManager.default.removeItem(at: url)
    isCurrent.append(reader.isCurrent)
    #expect(isCurrent == [true, false, false])
  }

  @Test func `A transaction that has only read yet keeps others from writing`() throws {
    let url = temporaryDirectory.appending(path: "both.sqlite")
    let mine = try Connection(at: url, access: .create)
    try mine.execute("CREATE TABLE t (x)")
    let other = try Connection(at: url, access: .readWrite, patience: .milliseconds(10))
    try mine.transaction { _ in
      let error = #expect(throws: DatabaseError.self) {
        try other.execute("INSERT INTO t VALUES (1)")
      }
      #expect(error?.code == .busy)
    }
    try other.execute("INSERT INTO t VALUES (1)")
  }

  @Test func `A transaction that fails is rolled back`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (x)")
    #expect(throws: CancellationError.self) {
      try connection.transaction { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        throw CancellationError()
      }
    }
    try connection.transaction { try $0.execute("INSERT INTO t VALUES (42)") }
    #expect(try answer(connection) == 42)
  }

  @Test func `A second statement in one text is refused`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("SELECT 1 ; \n")
    let error = #expect(throws: DatabaseError.self) {
      try connection.execute("SELECT 1; DROP TABLE t")
    }
    #expect(error?.code == .misuse)
  }

  @Test func `A query that outlives its connection still reads`() throws {
    let query = try Connection.inMemory().query(
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i FROM n"
    )
    var rows = 0
    while try query.step() { rows += 1 }
    #expect(rows == 5000)
  }

  @Test func `Header fields are kept in the file`() throws {
    let url = try makeFile()
    do {
      let connection = try Connection(at: url, access: .readWrite)
      try connection.setApplicationID(0x4573_7269)
      try connection.setUserVersion(-7)
    }
    let connection = try Connection(at: url, access: .immutable)
    #expect(try connection.applicationID() == 0x4573_7269)
    #expect(try connection.userVersion() == -7)
    #expect(try connection.integrityCheck() == [])
  }

  @Test func `A virtual table without its module does not hinder the others`() throws {
    let url = try makeFile()
    do {
      let connection = try Connection(at: url, access: .readWrite)
      try connection.withSchemaEditing { connection in
        try connection.execute(
          """
          INSERT INTO sqlite_schema VALUES ('table', 'vtsp', 'vtsp', 0,
            'CREATE VIRTUAL TABLE vtsp USING VTSpindex()')
          """)
      }
    }
    let connection = try Connection(at: url, access: .immutable)
    #expect(try answer(connection) == 42)
    #expect(throws: DatabaseError.self) { try connection.execute("SELECT * FROM vtsp") }
  }

  @Test func `The schema cannot be written except where that was asked for`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE VIRTUAL TABLE r USING rtree(id, x0, x1)")
    #expect(throws: DatabaseError.self) {
      try connection.execute("DELETE FROM sqlite_schema")
    }
    #expect(throws: DatabaseError.self) { try connection.execute("DELETE FROM r_node") }
    try connection.withSchemaEditing { try $0.execute("INSERT INTO r_rowid VALUES (1, 1)") }
    #expect(throws: DatabaseError.self) { try connection.execute("DELETE FROM r_node") }
  }

  @Test func `Statements that are no longer needed are let go`() throws {
    let connection = try Connection.inMemory()
    let held = try connection.query("SELECT 'held'")
    for number in 0..<1000 { try connection.execute("SELECT \(number)") }
    _ = try held.step()
    #expect(held.text(at: 0) == "held")
  }

  @Test(arguments: ["plain", "with \"quotes\"", "a;b--c", "über", "'", ""])
  func `Quoted identifiers name exactly one thing`(_ name: String) throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE \(SQLIdentifier.quoted(name)) (x)")
    let query = try connection.query("SELECT name FROM sqlite_schema")
    _ = try query.step()
    #expect(query.text(at: 0) == name)
  }
}
