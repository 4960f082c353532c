/// The mutable state of a connection while it is lent.
final class ConnectionState {
  /// How many compiled statements are kept; where clauses that people type have no end.
  private static let maximumStatements = 128

  /// Whether statements may change the file now; never on a connection for reading.
  var isWritable: Bool {
    didSet { isWritable = isWritable && allowsWriting }
  }

  private let allowsWriting: Bool

  /// The statements compiled so far, by their text.
  private var statements: [String: PreparedStatement] = [:]

  init(isWritable: Bool) {
    self.isWritable = isWritable
    allowsWriting = isWritable
  }

  /// The statement for `sql`, compiled again if it is not there or in use.
  func statement(
    for sql: String, on handle: ConnectionHandle
  ) throws(DatabaseError) -> PreparedStatement {
    let cached = statements[sql]
    if let cached, !cached.isLeased { return cached }
    let fresh = try PreparedStatement(sql, on: handle)
    if statements.count >= Self.maximumStatements {
      statements = statements.filter { $0.value.isLeased }
    }
    statements[sql] = fresh
    return fresh
  }
}
