internal import PortolanGeometry
internal import PortolanSQLite

/// The values that a transaction has read from its file, so that not every row reads them again.
///
/// No other process writes the file meanwhile. It is forgotten with the transaction, and when a
/// part of that is rolled back.
struct TransactionCache {
  /// The place where a file notes the next object id of a table.
  struct RowIDGenerator {
    /// The number that the table is registered under.
    let registration: SQLValue
    /// The next object id, as it is noted.
    var base: SQLValue
  }

  /// Boxes that the declared extents of tables hold, by the names of the tables.
  var extents: [String: Envelope] = [:]
  /// The last object ids, by the names of the tables.
  var lastObjectIDs: [String: Int64] = [:]
  /// The places of object ids, by the names of the tables; `nil` for tables without one.
  var generators: [String: RowIDGenerator?] = [:]
}
