/// Moments as ISO 8601 text, to the second or finer, as in GeoPackage.
///
/// What SQLite cannot read as a moment counts as missing.
public struct ISO8601Dialect: SQLDialect {
  /// Creates the dialect.
  public init() {}

  public func milliseconds(ofColumn column: String) -> String {
    "CAST(round((julianday(\(column))-2440587.5)*86400000.0)AS INTEGER)"
  }

  // Texts of several time zones do not sort as the moments that they name.
  public func order(ofMoments column: String) -> String { "julianday(\(column))" }
}
