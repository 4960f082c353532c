import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory) struct DatabaseTests {
  @Test func `Values survive a round trip`() async throws {
    let database = try Database.inMemory()
    let values: [SQLValue] = [
      .null, .integer(.min), .real(0.1), "a \"quoted\" text", "zero\0byte", "",
      .blob(Data([0, 255])), .blob(Data()),
    ]
    for value in values {
      let found = try await database.read { connection in
        let query = try connection.query("SELECT ?", value)
        _ = try query.step()
        return query[0]
      }
      #expect(found == value)
    }
  }

  @Test func `A failed write leaves nothing behind`() async throws {
    let database = try Database.inMemory()
    try await database.write { try $0.execute("CREATE TABLE t (x UNIQUE)") }
    await #expect {
      try await database.write { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.execute("INSERT INTO t VALUES (1)")
      }
    } throws: { ($0 as? DatabaseError)?.code == .constraint }
    let count = try await database.read { connection in
      let query = try connection.query("SELECT count(*) FROM t")
      _ = try query.step()
      return query[0]
    }
    #expect(count == 0)
  }

  @Test func `A read cannot write`() async throws {
    let database = try Database.inMemory()
    await #expect {
      try await database.read { try $0.execute("CREATE TABLE t (x)") }
    } throws: { ($0 as? DatabaseError)?.code == .readOnly }
  }

  @Test func `A nested query does not disturb the one around it`() async throws {
    let database = try Database.inMemory()
    let pairs = try await database.read { connection in
      let sql = "VALUES (1), (2)"
      var pairs = 0
      let outer = try connection.query(sql)
      while try outer.step() {
        let inner = try connection.query(sql)
        while try inner.step() { pairs += 1 }
      }
      return pairs
    }
    #expect(pairs == 4)
  }

  @Test(.timeLimit(.minutes(5)))
  func `Cancelling stops a running statement, and only that one`() async throws {
    let database = try Database.inMemory()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let endless = Task {
      try await database.read { connection in
        start.yield()
        try connection.execute(
          "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
      }
    }
    for await _ in started { break }
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
    try await database.read { try $0.execute("SELECT 1") }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A cancelled write leaves nothing behind`() async throws {
    let database = try Database.inMemory()
    try await database.write { try $0.execute("CREATE TABLE t (x)") }
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let endless = Task {
      try await database.write { connection in
        start.yield()
        try connection.execute(
          "INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT 1 FROM n) SELECT i FROM n"
        )
      }
    }
    for await _ in started { break }
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
    try await database.write { try $0.execute("INSERT INTO t VALUES (1)") }
    let count = try await database.read { connection in
      let query = try connection.query("SELECT count(*) FROM t")
      _ = try query.step()
      return query[0]
    }
    #expect(count == 1)
  }

  @Test func `A refused binding does not occupy the statement`() async throws {
    let database = try Database.inMemory()
    let sum = try await database.read { connection in
      #expect(throws: DatabaseError.self) { _ = try connection.query("SELECT ?", 1, 2) }
      let query = try connection.query("SELECT ?", 1)
      _ = try query.step()
      return query[0]
    }
    #expect(sum == 1)
  }
}
