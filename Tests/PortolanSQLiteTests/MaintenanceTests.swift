import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

/// The state of a file that a connection reports, and of the data that was written to it last.
@Suite(.temporaryDirectory) struct MaintenanceTests {
  private var url: URL { temporaryDirectory.appending(path: "file.sqlite") }

  @Test func `An index that differs from its table is found where all is checked`() throws {
    do {
      let connection = try Connection(at: url, access: .create)
      for statement in [
        "CREATE TABLE t (x)", "CREATE TABLE u (x)", "CREATE INDEX i ON t (x)",
        "CREATE INDEX j ON u (x)", "INSERT INTO t VALUES (1), (2), (3)",
      ] { try connection.execute(statement) }
      #expect(try connection.integrityCheck() == [])
      #expect(try connection.quickCheck() == [])
      // Each index gets the pages of the other, which are 4 and 5.
      try connection.withSchemaEditing { connection in
        try connection.execute(
          "UPDATE sqlite_schema SET rootpage = 9 - rootpage WHERE rootpage > 3")
      }
    }
    let connection = try Connection(at: url, access: .readOnly)
    #expect(try connection.integrityCheck().contains("row 1 missing from index i"))
    #expect(try connection.integrityCheck(limit: 2).count == 2)
    #expect(try connection.integrityCheck(limit: 0).count == 1)
    #expect(try connection.quickCheck() == [])
  }

  @Test func `What was written last is known by its row and by how much it was`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
    var written: [[Int64]] = []
    for statement in [
      "INSERT INTO t VALUES (7, 1), (5000000000, 2), (9, 3)", "UPDATE t SET x = 0 WHERE id > 8",
      "INSERT INTO t VALUES (5000000001, 2)",
    ] {
      try connection.execute(statement)
      written.append([connection.lastInsertedRowID, Int64(connection.changeCount)])
    }
    #expect(written == [[9, 3], [9, 2], [5_000_000_001, 1]])
  }

  @Test func `The bytes of a file come in order, each once`() throws {
    let connection = try Connection(at: url, access: .create)
    try connection.execute("CREATE TABLE t (x)")
    try connection.execute("INSERT INTO t VALUES (randomblob(20000))")
    var chunks: [Data] = []
    try connection.forEachFileChunk(of: 1_000) { chunks.append($0) }
    let bytes = try Data(contentsOf: url)
    var read = Data()
    for chunk in chunks { read.append(chunk) }
    #expect(read == bytes)
    #expect(chunks.dropLast().allSatisfy { $0.count == 1_000 })
    #expect(chunks.count == (bytes.count + 999) / 1_000)
  }

  @Test func `What is set for a connection holds, and no reader of the database may set more`()
    async throws
  {
    let database = try Database(at: url, access: .create) { connection throws(DatabaseError) in
      try connection.execute("CREATE TABLE t (x)")
      try connection.execute("PRAGMA synchronous = OFF")
    }
    let synchronous = try await database.read { connection in
      let query = try connection.query("PRAGMA synchronous")
      return try query.step() ? query.integer(at: 0) : -1
    }
    #expect(synchronous == 0)
    await #expect {
      try await database.read { try $0.execute("INSERT INTO t VALUES (1)") }
    } throws: { ($0 as? DatabaseError)?.code == .readOnly }
    #expect(throws: DatabaseError.self) {
      _ = try Database(at: url, access: .readWrite) { connection throws(DatabaseError) in
        try connection.execute("SELECT * FROM absent")
      }
    }
  }

  @Test func `A name that is quoted has no zero bytes, and its quotes twice`() {
    #expect(SQLIdentifier.quoted("a\0b\"c") == "\"ab\"\"c\"")
  }

  // MARK: - Functions and collations

  @Test(arguments: [
    SQLValue.null, .integer(.min), .real(0.5), "zero\0byte", "", .blob(Data([0, 255])),
    .blob(Data()),
  ])
  func `A function gets and gives values as they are`(_ value: SQLValue) throws {
    let connection = try Connection.inMemory()
    try connection.register(function: "same") { $0[0] }
    let query = try connection.query("SELECT same(?1)", value)
    #expect(try query.step() && query[0] == value)
  }

  @Test func `A function checks its number of arguments, and explains a failure`()
    throws
  {
    struct Refusal: LocalizedError { var errorDescription: String? { "Not on a Sunday" } }
    let connection = try Connection.inMemory()
    try connection.register(function: "two", argumentCount: 2) { arguments in
      guard arguments != [0, 0] else { throw Refusal() }
      return .integer(Int64(arguments.count))
    }
    let query = try connection.query("SELECT two(1, NULL)")
    #expect(try query.step() && query[0] == 2)
    for arguments in ["", "1", "1, 2, 3"] {
      #expect(throws: DatabaseError.self) { try connection.execute("SELECT two(\(arguments))") }
    }
    let error = #expect(throws: DatabaseError.self) { try connection.execute("SELECT two(0, 0)") }
    #expect(error?.message == "Not on a Sunday")
  }

  @Test func `A registered collation sorts with its comparison function`() throws {
    let connection = try Connection.inMemory()
    try connection.register(collation: "BACKWARDS") { left, right in
      left == right ? .orderedSame : left < right ? .orderedDescending : .orderedAscending
    }
    try connection.execute("CREATE TABLE t (x TEXT)")
    try connection.execute("INSERT INTO t VALUES ('b'), ('ä'), ('a'), ('')")
    let query = try connection.query("SELECT x FROM t ORDER BY x COLLATE BACKWARDS")
    var names: [String] = []
    while try query.step() { names.append(query.text(at: 0)) }
    #expect(names == ["ä", "b", "a", ""])
  }
}
