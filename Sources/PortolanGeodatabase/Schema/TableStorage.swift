internal import PortolanSQLite

/// How a table of the file is laid out: all that is needed to find its rows.
struct TableStorage: Hashable, Sendable {
  /// The name, without qualifiers.
  let name: String
  let columns: [TableColumn]
  /// The column with the object id.
  let objectIDColumn: String
  /// Whether the object id is the rowid, so that rows lie in its order.
  let hasObjectIDAsRowID: Bool
  /// Whether old versions of rows are kept beside the current ones.
  let isTracked: Bool
  let geometry: GeometryColumn?
  /// The format of the file.
  var format = TableFormat.geodatabase
  /// The column that tells rows apart, for SQL.
  var rowKey = "rowid"
  /// What rows are selected from, for SQL, where it is not the table itself.
  var rowSource: String?
  /// Whether it is a view, which SQLite is kept from reading unless asked.
  var isView = false

  /// The columns that hold the history of a tracked table; they are no fields.
  static let trackingColumns: Set<String> = [
    "gdb_archive_oid", "gdb_from_date", "gdb_to_date",
  ]

  /// The column of a name, without case.
  func column(named name: String) -> TableColumn? {
    columns.first { $0.name.isSameName(as: name) }
  }

  /// The name for SQL.
  var quotedName: String { SQLIdentifier.quoted(name) }

  /// What rows are selected from, for SQL.
  var source: String { rowSource ?? quotedName }

  /// What holds for rows that are current, if the table keeps others; `alias` names the table.
  ///
  /// Files compare with a billionth of a day, since the end of time is no round number. A leading
  /// plus keeps SQLite from using the index of that column: nearly all rows are current.
  func isCurrent(_ alias: String) -> String? {
    guard isTracked else { return nil }
    let end = JulianDay.endOfTime
    return "+\(alias).gdb_to_date BETWEEN \(end - 1e-9) AND \(end + 1e-9)"
  }
}
