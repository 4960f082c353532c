import Foundation
import PortolanSQLite
import Testing

@testable import PortolanGeodatabase

/// The results of the functions and the collation that defaults and indexes of Esri's files call.
@Suite struct EsriFunctionsTests {
  private func row(_ sql: String, _ connection: borrowing Connection) throws -> [SQLValue] {
    let query = try connection.query(sql)
    guard try query.step() else { return [] }
    return (0..<query.columnCount).map { query[$0] }
  }

  @Test func `A default of a file may ask for the moment of the transaction`() throws {
    let connection = try Connection.inMemory()
    let functions = EsriFunctions()
    try functions.register(on: connection)
    let moments = "SELECT gdb_transaction_time(), gdb_undo_start_moment()"
    #expect(try row(moments, connection) == [.real(2_440_587.5), .real(2_440_587.5)])
    functions.begin(at: 2_460_000.25)
    #expect(try row(moments, connection) == [.real(2_460_000.25), .real(2_460_000.25)])
    try connection.execute("CREATE TABLE t (x, day DEFAULT (gdb_transaction_time()))")
    try connection.execute("INSERT INTO t (x) VALUES (1)")
    #expect(try row("SELECT day FROM t", connection) == [.real(2_460_000.25)])
  }

  @Test func `The collation orders texts without case`() throws {
    let connection = try Connection.inMemory()
    try EsriFunctions().register(on: connection)
    try connection.execute("CREATE TABLE t (x TEXT COLLATE ICUFOLDCASE)")
    for name in ["b", "ÄB", "A", "c"] {
      try connection.execute("INSERT INTO t VALUES (?1)", .text(name))
    }
    let ordered = try connection.query("SELECT x FROM t ORDER BY x")
    var names: [String] = []
    while try ordered.step() { names.append(ordered.text(at: 0)) }
    #expect(names == ["A", "b", "c", "ÄB"])
    #expect(try row("SELECT count(*) FROM t WHERE x = 'äb'", connection) == [1])
    #expect(try row("SELECT count(*) FROM t WHERE x > 'B'", connection) == [2])
  }
}
