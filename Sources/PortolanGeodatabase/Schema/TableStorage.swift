internal import PortolanSQLite

/// The layout of a table in the file: everything that is needed to find its rows.
package struct TableStorage: Sendable {
  /// The name, without qualifiers.
  package let name: String
  package let columns: [TableColumn]
  /// The column with the object id.
  package let objectIDColumn: String
  /// Whether the object id is the rowid, so that rows lie in its order.
  package let hasObjectIDAsRowID: Bool
  /// Whether old versions of rows are kept beside the current ones.
  package let isTracked: Bool
  package let geometry: GeometryColumn?
  /// The format of the file.
  package let format: any TableFormat
  /// The column that identifies rows, for SQL.
  package var rowKey = "rowid"
  /// A name by which SQLite numbers the rows and that no column has; `nil` where it does not number them, or
  /// columns have all such names.
  package var rowIDName: String?
  /// The SQL source of rows, where it is not the table itself.
  package var rowSource: String?
  /// Whether it is a view, which SQLite is kept from reading unless asked.
  package var isView = false

  package init(
    name: String, columns: [TableColumn], objectIDColumn: String, hasObjectIDAsRowID: Bool,
    isTracked: Bool, geometry: GeometryColumn?, format: any TableFormat
  ) {
    self.name = name
    self.columns = columns
    self.objectIDColumn = objectIDColumn
    self.hasObjectIDAsRowID = hasObjectIDAsRowID
    self.isTracked = isTracked
    self.geometry = geometry
    self.format = format
  }

  /// The columns that hold the history of a tracked table; they are no fields.
  package static let trackingColumns: Set<String> = [
    "gdb_archive_oid", "gdb_from_date", "gdb_to_date",
  ]

  /// The column that numbers the rows where SQLite does not: a key of one whole number; `nil` if there is none.
  package var keyColumn: String? {
    rowIDName == nil && !isView ? columns.first(where: \.isRowID)?.name : nil
  }

  /// The SQL expression of the row number for writing; `nil` if there is none.
  package var rowNumber: String? { rowIDName ?? keyColumn.map { SQLIdentifier.quoted($0) } }

  /// The name of object ids where no column has them: one that SQLite knows, and no column has.
  package static func objectIDName(among rowIDNames: [String]) -> String {
    rowIDNames.contains("rowid") ? "rowid" : rowIDNames.first ?? "rowid"
  }

  /// The column of a name, without case.
  package func column(named name: String) -> TableColumn? {
    columns.first { $0.name.isSameName(as: name) }
  }

  /// The name for SQL.
  package var quotedName: String { SQLIdentifier.quoted(name) }

  /// The SQL source of rows.
  package var source: String { rowSource ?? quotedName }

  /// The rows with numbers from 1 in the place of those that SQLite gives to rows of tables, for SQL.
  package var numberedSource: String {
    "(SELECT row_number() OVER () AS rowid, * FROM \(quotedName))"
  }

  /// The SQL condition of current rows, if the table keeps others; `alias` names the table.
  ///
  /// Files compare with a billionth of a day, since the end of time is no round number. A leading
  /// plus keeps SQLite from using the index of that column: nearly all rows are current.
  package func isCurrent(_ alias: String) -> String? {
    guard isTracked else { return nil }
    let end = JulianDay.endOfTime
    return "+\(alias).gdb_to_date BETWEEN \(end - 1e-9) AND \(end + 1e-9)"
  }
}
