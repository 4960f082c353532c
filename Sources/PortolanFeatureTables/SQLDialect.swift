/// How a store keeps the values of fields in SQLite.
public protocol SQLDialect: Sendable {
  /// SQL for the moment in a column, as a whole number of milliseconds since 1970 in UTC.
  ///
  /// `column` is ready for use in SQL.
  func milliseconds(ofColumn column: String) -> String

  /// SQL by which the moments in a column are sorted.
  ///
  /// `column` is ready for use in SQL.
  func order(ofMoments column: String) -> String
}

extension SQLDialect {
  public func order(ofMoments column: String) -> String { column }
}
