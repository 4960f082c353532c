/// A condition in SQLite's SQL, to stand after `WHERE`.
///
/// Names are quoted and values are bound, so that nothing of the clause is read as SQL. The
/// connection must know the functions of ``WhereFunction``.
public struct SQLCondition: Hashable, Sendable {
  /// The SQL, in brackets where it needs them, with a `?` for each value.
  public var sql: String
  /// The values to bind, in order; none of them is a date or a blob.
  public var values: [AttributeValue]

  /// Creates a condition.
  public init(sql: String, values: [AttributeValue]) {
    self.sql = sql
    self.values = values
  }
}
