package import PortolanFeatures

package import struct Foundation.Date

/// The differences between the formats of feature tables in SQLite, for editing them.
///
/// Triggers of the file stay off; what they would do, and what the file says about its tables, is
/// up to the format.
///
/// - SeeAlso: ``TableFormat``
package protocol FormatEditing: Sendable {
  /// The table of Portolan's own that holds the edits of tables without archiving.
  var journalTable: String { get }
  /// The list of tables in which the extent of each is declared.
  var extents: ExtentList { get }
  /// Whether new object ids have 32 bits unless their column or rows need more.
  var hasShortObjectIDs: Bool { get }

  /// The field of a column; `nil` for shapes.
  func field(of column: TableColumn, in schema: FeatureTableSchema) -> Field?

  /// Writes the shapes of a column; `nil` if nothing says how they are stored.
  func makeShapeWriter(
    for column: GeometryColumn, of schema: FeatureTableSchema, in file: EditedFile
  ) throws(FeatureEditError) -> (any ShapeWriting)?

  /// Why a table cannot be edited, the end of a sentence; `nil` if it can.
  func refusal(of table: String, in file: EditedFile) throws(FeatureEditError) -> String?

  /// The least object id that no row of a table has ever had, as far as the file knows; 1 if it
  /// does not.
  func objectIDAfterLast(
    of table: String, in file: EditedFile
  ) throws(FeatureEditError) -> Int64

  /// Keeps right what the file says about its tables, at the end of a transaction.
  func finish(
    _ written: WrittenRows, in file: EditedFile, at now: Date
  ) throws(FeatureEditError)
}

/// A list of tables that declares the extent of each.
package struct ExtentList: Sendable {
  /// The name of the list.
  package let table: String
  /// The columns of the least x and y and of the greatest.
  package let columns: [String]

  package init(table: String, columns: [String]) {
    self.table = table
    self.columns = columns
  }
}
