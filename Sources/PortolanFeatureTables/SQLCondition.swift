public import PortolanFeatures
public import PortolanSQLite

/// A condition in SQLite's SQL, to be written after `WHERE`.
///
/// Names are quoted and values are bound, so that nothing of the clause is read as SQL. The
/// connection must have the functions that
/// ``PortolanSQLite/Connection/registerWhereFunctions()`` gives it.
public struct SQLCondition: Hashable, Sendable {
  /// The SQL, in brackets where it needs them, with a `?` for each value.
  public var sql: String
  /// The values to bind, in order.
  public var values: [SQLValue]

  /// Creates a condition.
  public init(sql: String, values: [SQLValue]) {
    self.sql = sql
    self.values = values
  }
}

extension BoundWhereClause {
  /// The clause as SQL.
  ///
  /// - Parameters:
  ///   - dialect: How the store keeps values.
  ///   - table: What qualifies the columns, for example an alias; nothing if `nil`.
  /// - Returns: The condition and the values to bind.
  public func sql(_ dialect: any SQLDialect, table: String? = nil) -> SQLCondition {
    var writer = SQLConditionWriter(dialect, table: table)
    let sql = writer.sql(condition)
    return SQLCondition(sql: sql, values: writer.values)
  }
}
