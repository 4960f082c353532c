package import PortolanFeatures
package import PortolanSQLite

/// Reads the schemas of a file's tables.
///
/// What is read once may be kept while the reader lives, so that all tables cost little more than
/// one.
package protocol SchemaReading {
  /// The tables that people are meant to see, in the order of the file.
  mutating func tableNames(_ connection: borrowing Connection) throws(DatabaseError) -> [String]

  /// How a table is laid out; `nil` if there is no such table.
  mutating func storage(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> TableStorage?

  /// The schema of a table.
  mutating func schema(
    of storage: TableStorage, _ connection: borrowing Connection
  ) throws(DatabaseError) -> FeatureTableSchema

  /// The attachments of a table, if it has any.
  mutating func attachmentTable(
    of storage: TableStorage, globalIDField: String?, _ connection: borrowing Connection
  ) throws(DatabaseError) -> AttachmentTable?
}
