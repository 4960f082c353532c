/// Moments as Julian days, in columns of numbers, as in mobile geodatabases (Docs/FORMATS.md, 2.3).
public struct JulianDayDialect: SQLDialect {
  /// Creates the dialect.
  public init() {}

  public func milliseconds(ofColumn column: String) -> String {
    "CAST(round((\(column)-2440587.5)*86400000.0)AS INTEGER)"
  }
}
