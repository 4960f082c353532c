internal import PortolanGeodatabase
internal import PortolanSQLite

/// The table between two related tables that the related tables extension demands: pairs of
/// object ids in `base_id` and `related_id`.
///
/// - SeeAlso: [OGC 18-000](https://www.geopackage.org/18-000.html)
enum MappingTable {
  /// The name of the table for a relationship.
  static func name(_ relationship: String) -> String { "\(relationship)__PAIRS" }

  /// The name of the table between features and what is attached to them.
  static func attachmentsName(of table: String) -> String { "\(table)__ATTACHREL" }

  /// Makes a table.
  static func statement(_ name: String) -> String {
    """
    CREATE TABLE \(SQLIdentifier.quoted(name)) \
    (base_id INTEGER NOT NULL, related_id INTEGER NOT NULL)
    """
  }
}
