/// How a store keeps the values of fields in SQLite.
public protocol SQLDialect: Sendable {
  /// SQL for the moment in a column, as a whole number of milliseconds since 1970 in UTC.
  ///
  /// `column` is ready for use in SQL.
  func milliseconds(ofColumn column: String) -> String
}

/// Moments as Julian days, in columns of numbers, as in mobile geodatabases (Docs/FORMATS.md, 2.3).
public struct JulianDayDialect: SQLDialect {
  /// Creates the dialect.
  public init() {}

  public func milliseconds(ofColumn column: String) -> String {
    "CAST(round((\(column)-2440587.5)*86400000.0)AS INTEGER)"
  }
}

/// Moments as ISO 8601 text, to the second or finer, as in GeoPackage.
///
/// What SQLite cannot read as a moment counts as missing.
public struct ISO8601Dialect: SQLDialect {
  /// Creates the dialect.
  public init() {}

  public func milliseconds(ofColumn column: String) -> String {
    "CAST(round((julianday(\(column))-2440587.5)*86400000.0)AS INTEGER)"
  }
}
