import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanSQLite

/// The limits of a connection for the content of a file.
@Suite(.temporaryDirectory) struct HardeningTests {
  private var url: URL { temporaryDirectory.appending(path: "file.sqlite") }

  private func number(_ sql: String, _ connection: borrowing Connection) throws -> Int64? {
    let query = try connection.query(sql)
    return try query.step() ? query.integer(at: 0) : nil
  }

  /// Makes a file with a trigger and a view.
  private func make() throws {
    let connection = try Connection(at: url, access: .create)
    for statement in [
      "CREATE TABLE t (x)", "CREATE TABLE log (x)",
      "CREATE TRIGGER k AFTER INSERT ON t BEGIN INSERT INTO log VALUES (NEW.x); END",
      "CREATE VIEW v AS SELECT x FROM t",
    ] { try connection.execute(statement) }
  }

  @Test(arguments: [(Database.Access.create, true), (.readWrite, true), (.edit, false)])
  func `Triggers and views of a file run where it is trusted`(
    _ access: Database.Access, _ isTrusted: Bool
  ) throws {
    try make()
    let connection = try Connection(at: url, access: access)
    try connection.execute("INSERT INTO t VALUES (7)")
    #expect(try number("SELECT count(*) FROM log", connection) == (isTrusted ? 1 : 0))
    if !isTrusted {
      #expect(throws: DatabaseError.self) { try connection.execute("SELECT x FROM v") }
      try connection.allowViews()
    }
    #expect(try number("SELECT x FROM v", connection) == 7)
    // The permission is to read them, not to let triggers run.
    try connection.execute("INSERT INTO t VALUES (8)")
    #expect(try number("SELECT count(*) FROM log", connection) == (isTrusted ? 2 : 0))
  }

  @Test(arguments: [Database.Access.create, .readWrite, .edit])
  func `A file that is written can be made smaller`(_ access: Database.Access) throws {
    try make()
    let connection = try Connection(at: url, access: access)
    try connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    try connection.execute("DELETE FROM t")
    try connection.execute("DELETE FROM log")
    let before = try #require(try number("PRAGMA page_count", connection))
    try connection.execute("VACUUM")
    let after = try #require(try number("PRAGMA page_count", connection))
    #expect(after < before - 20)
  }

  @Test func `A name in double quotes is never taken for a text`() throws {
    let connection = try Connection.inMemory()
    for statement in ["SELECT \"nothing\"", "CREATE TABLE t (x CHECK (x <> \"nothing\"))"] {
      let error = #expect(throws: DatabaseError.self) { try connection.execute(statement) }
      #expect(error?.code == .sql)
    }
  }

  /// Statements that grow with a number, the greatest that is taken, roughly, and one that is not.
  private static let growing: [(statement: @Sendable (Int) -> String, Int, Int)] = [
    ({ Array(repeating: "SELECT 1", count: $0).joined(separator: " UNION ALL ") }, 90, 120),
    ({ "SELECT max(\(Array(repeating: "1", count: $0).joined(separator: ",")))" }, 30, 36),
    ({ "SELECT \(Array(repeating: "1", count: $0).joined(separator: "+"))" }, 900, 1_200),
    ({ "SELECT 'a' LIKE '\(String(repeating: "a", count: $0))'" }, 45_000, 55_000),
    ({ "SELECT /*\(String(repeating: "a", count: $0))*/ 1" }, 1_000_000, 1_100_000),
  ]

  @Test(arguments: growing.indices)
  func `A statement is taken up to a length, and no further`(_ index: Int) throws {
    let (statement, taken, refused) = Self.growing[index]
    let connection = try Connection.inMemory()
    try connection.execute(statement(taken))
    #expect(throws: DatabaseError.self) { try connection.execute(statement(refused)) }
    try connection.execute("SELECT 1")
  }

  @Test func `Pages are checked where they are read, and not where they are mapped`() throws {
    try make()
    let read = try Connection(at: url, access: .readWrite)
    #expect(try number("PRAGMA cell_size_check", read) == 1)
    #expect(try number("PRAGMA mmap_size", read) == 0)
    let mapped = try Connection(at: url, access: .readWrite, mappedSize: 1 << 20)
    #expect(try number("PRAGMA cell_size_check", mapped) == 0)
    #expect(try number("PRAGMA mmap_size", mapped) == 1_048_576)
  }

  @Test(
    arguments: [
      (5, "f is in use by another program.", "Close the program that uses it, or try again."),
      (14, "f cannot be opened.", "Check that the file exists and that you may read it."),
      (11, "f is damaged: so.", "Copy or download the file again."),
      (13, "There is no space left to write f.", "Free some space on the disk and try again."),
      (9, "Reading f was cancelled.", nil),
      (26, "f is not a database, or is encrypted.", "Copy or download the file again."),
      (8, "f may not be changed.", nil),
      (18, "f holds a value that is too large to read.", "Copy or download the file again."),
      (1, "f: so.", nil), (266, "f: so.", nil),
    ] as [(Int32, String, String?)])
  func `A failure is described in one sentence, and its remedy in another`(
    _ code: Int32, _ sentence: String, _ advice: String?
  ) {
    let error = DatabaseError(extendedCode: code, message: "so", sql: nil, file: "f")
    #expect(error.errorDescription == sentence && error.recoverySuggestion == advice)
  }

  @Test func `A path that begins with two slashes names no host`() throws {
    try make()
    let path = "/" + url.path(percentEncoded: false)
    let handle = try ConnectionHandle(
      opening: DatabaseLocation(path: path, access: .readWrite, .writing))
    try handle.prepare(for: .readWrite, mappedSize: 0)
    #expect(handle.isCurrent)
  }

  @Test func `An address of the network is no file of that path`() throws {
    try make()
    let address = try #require(URL(string: "https://demo.test\(url.path)"))
    let error = #expect(throws: DatabaseError.self) {
      _ = try Connection(at: address, access: .readOnly)
    }
    #expect(error?.code == .cannotOpen && error?.message == "not the path of a file")
    #expect(error?.file == url.path)
  }
}
