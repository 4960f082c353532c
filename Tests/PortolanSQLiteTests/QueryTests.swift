import Foundation
import PortolanSQLite
import Testing

@Suite final class QueryTests {
  private let connection: Connection

  init() throws {
    connection = try Connection.inMemory()
  }

  @Test func `Columns are read by type`() throws {
    let query = try connection.query("SELECT 7 AS n, 2.5, 'mapa', x'00ff', NULL, '12abc'")
    #expect(try query.step())
    #expect(query.columnNames == ["n", "2.5", "'mapa'", "x'00ff'", "NULL", "'12abc'"])
    #expect(query.integer(at: 0) == 7)
    #expect(query.real(at: 1) == 2.5)
    #expect(query.text(at: 2) == "mapa")
    #expect(query.blob(at: 3) == Data([0, 255]))
    #expect(query.isNull(at: 4) && !query.isNull(at: 3))
    #expect(query.integer(at: 5) == 12)
  }

  @Test(arguments: [-1, 1, 40_000, .max])
  func `A column out of range reads as NULL`(_ column: Int) throws {
    let query = try connection.query("SELECT 1")
    #expect(try query.step())
    #expect(query[column] == .null)
    #expect(query.text(at: column) == "" && query.blob(at: column) == Data())
    #expect(query.columnName(at: column) == "")
  }

  @Test func `A blob is lent without a copy`() throws {
    let query = try connection.query("SELECT x'010203', NULL, x''")
    #expect(try query.step())
    #expect(query.withBlob(at: 0) { $0.reduce(0) { $0 + Int($1) } } == 6)
    #expect(query.withBlob(at: 1) { $0.count } == 0)
    #expect(query.withBlob(at: 2) { $0.count } == 0)
  }

  @Test func `A held query runs again with other values`() throws {
    let query = try connection.query("SELECT ?1 * 2, typeof(?2)")
    let expected = ["text", "blob", "blob", "null", "real"]
    for (number, type) in expected.enumerated() {
      query.reset()
      try query.bind(number, at: 1)
      switch number {
      case 0: try query.bind("x", at: 2)
      case 1: try query.bind(Data(), at: 2)
      case 2: try query.bind(.blob(Data([1])), at: 2)
      case 3: try query.bindNull(at: 2)
      default: try query.bind(1.5, at: 2)
      }
      #expect(try query.step())
      #expect(query.integer(at: 0) == Int64(number * 2))
      #expect(query.text(at: 1) == type)
    }
  }

  @Test func `Binding between two steps is refused`() throws {
    let query = try connection.query("SELECT ?1 UNION ALL SELECT 2", 1)
    #expect(try query.step())
    #expect(throws: DatabaseError.self) { try query.bind(2, at: 1) }
  }

  @Test func `Texts of a UTF-16 database are read as they are`() throws {
    try connection.execute("PRAGMA encoding = 'UTF-16'")
    try connection.execute("CREATE TABLE t (x)")
    try connection.execute("INSERT INTO t VALUES (?)", "Straße 地図")
    let query = try connection.query("SELECT x FROM t")
    #expect(try query.step())
    #expect(query[0] == "Straße 地図")
    #expect(query.text(at: 0) == "Straße 地図")
  }

  @Test func `Text that is not UTF-8 does no harm`() throws {
    let query = try connection.query("SELECT CAST(x'41ff42' AS TEXT)")
    #expect(try query.step())
    #expect(query.text(at: 0) == "A\u{FFFD}B")
  }

  @Test func `A large value is read by range`() throws {
    try connection.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, data)")
    let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    try connection.execute("INSERT INTO a VALUES (5, ?)", .blob(bytes))
    let blob = try connection.blob(inTable: "a", column: "data", rowID: 5)
    #expect(blob.count == bytes.count)
    #expect(try blob.read(99_990..<100_000) == bytes.suffix(10))
    #expect(try blob.read(7..<7) == Data())
    #expect(throws: DatabaseError.self) { try blob.read(99_990..<100_001) }
    #expect(throws: DatabaseError.self) {
      _ = try connection.blob(inTable: "a", column: "data", rowID: 6)
    }
  }

  @Test func `SQL calls a registered function, and fails with its error`() throws {
    struct Refusal: Error, CustomStringConvertible { let description = "not that one" }
    try connection.register(function: "joined", traits: .innocuous) { values in
      guard values.first != 13 else { throw Refusal() }
      return .text(values.map { "\($0)" }.joined(separator: "|"))
    }
    let query = try connection.query("SELECT joined(1, NULL, 'a', x'')")
    #expect(try query.step())
    #expect(query.text(at: 0) == #"integer(1)|null|text("a")|blob(0 bytes)"#)
    let error = #expect(throws: DatabaseError.self) { try connection.execute("SELECT joined(13)") }
    #expect(error?.message == "not that one")
  }

  @Test func `A registered collation orders`() throws {
    try connection.register(collation: "ICUFOLDCASE") { $0.caseInsensitiveCompare($1) }
    let query = try connection.query("SELECT 'ÄB' = 'äb' COLLATE ICUFOLDCASE")
    #expect(try query.step())
    #expect(query.integer(at: 0) == 1)
  }
}
