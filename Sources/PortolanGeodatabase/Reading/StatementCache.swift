internal import PortolanSQLite

/// The statements that a reader keeps compiled between calls.
final class StatementCache {
  /// The statements that find candidates for a hit test, by table.
  var hitTests: [String: HitTestStatement] = [:]
  /// Whether the connection knows the functions of where clauses.
  var hasWhereFunctions = false
}

/// A compiled statement that finds the shapes near a place.
///
/// Its columns are the object id and the shape; its parameters the edges of a box, in the order
/// greatest x, least x, greatest y, least y.
final class HitTestStatement {
  let query: Query
  let precision: CoordinatePrecision
  /// Whether it takes a box, or goes through all rows because there is no spatial index.
  let takesBox: Bool

  init(_ query: consuming Query, precision: CoordinatePrecision, takesBox: Bool) {
    self.query = query
    self.precision = precision
    self.takesBox = takesBox
  }
}
