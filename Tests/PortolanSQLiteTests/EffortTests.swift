import PortolanSQLite
import Testing

@Suite(.timeLimit(.minutes(5))) struct EffortTests {
  private static let endless = """
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
    """

  private static func first(
    _ sql: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Int64? {
    let query = try connection.query(sql)
    return try query.step() ? query.integer(at: 0) : nil
  }

  @Test func `What takes too many steps is stopped, and what comes after it is not`() throws {
    let connection = try Connection.inMemory()
    let stopped = try connection.limited(toSteps: 100_000) {
      (connection: borrowing Connection) throws(DatabaseError) -> Int64? in
      try Self.first(Self.endless, connection)
    }
    #expect(stopped == nil)
    let long = Self.endless.replacing("FROM n)", with: "FROM n LIMIT 100000)")
    let count = try Self.first(long, connection)
    #expect(count == 100_000)
  }

  @Test func `What takes few steps is done, and what is wrong is an error`() throws {
    let connection = try Connection.inMemory()
    let done = try connection.limited(toSteps: 100_000) {
      (connection: borrowing Connection) throws(DatabaseError) -> Int64? in
      try Self.first("SELECT 3", connection)
    }
    #expect(done == 3)
    do {
      _ = try connection.limited(toSteps: 100_000) {
        (connection: borrowing Connection) throws(DatabaseError) -> Int64? in
        try Self.first("SELECT absent", connection)
      }
      Issue.record("a column that is not there was read")
    } catch {
      #expect(error.code == .sql)
    }
  }
}
