internal import PortolanFeatures
internal import PortolanSQLite

extension TableLayout {
  private var table: String { SQLIdentifier.quoted(name) }

  private static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// Keep the spatial index in step with the rows.
  ///
  /// `InsertIndexEntry` and `UpdateIndexEntry` are functions that an editor must provide.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 2.1
  var spatialTriggerStatements: [String] {
    guard let shapes, let spatialIndexName else { return [] }
    return Self.spatialTriggers(
      table: name, column: shapes.column, index: spatialIndexName, ofAnyColumn: true)
  }

  /// The same for the extents of the items.
  static var itemTriggerStatements: [String] {
    let (table, column) = (SystemTable.items.name, SystemTable.itemShapeColumn)
    return spatialTriggers(
      table: table, column: column, index: SystemTable.itemIndexName, ofAnyColumn: false)
  }

  /// A row that gets another number keeps its shape: only where any column counts is it noticed.
  private static func spatialTriggers(
    table: String, column: String, index: String, ofAnyColumn: Bool
  ) -> [String] {
    let shape = SQLIdentifier.quoted(column)
    let arguments = "(\(literal(index)),NEW.\(shape),NEW._ROWID_,2)"
    let delete = "DELETE FROM \(SQLIdentifier.quoted(index)) WHERE pkid = OLD._ROWID_;"
    let update = "SELECT UpdateIndexEntry \(arguments);"
    func trigger(_ kind: String, _ event: String, _ condition: String, _ body: String) -> String {
      let name = SQLIdentifier.quoted("st_\(kind)_trigger_\(table)_\(column)")
      let table = SQLIdentifier.quoted(table)
      return "CREATE TRIGGER \(name) AFTER \(event) ON \(table) \(condition) BEGIN \(body) END"
    }
    return [
      trigger("insert", "INSERT", "FOR EACH ROW", "SELECT InsertIndexEntry \(arguments);"),
      trigger("delete", "DELETE", "FOR EACH ROW", delete),
      trigger("update", "UPDATE OF \(shape)", "WHEN OLD._ROWID_ = NEW._ROWID_", update),
      trigger(
        "update1", ofAnyColumn ? "UPDATE" : "UPDATE OF \(shape)", "WHEN OLD._ROWID_ != NEW._ROWID_",
        "\(delete) \(update)"),
    ]
  }

  /// Make the view of the current rows and what keeps the history when it is edited.
  ///
  /// An update closes the row that was current and adds the new one, valid from that moment; a
  /// row that the same transaction made is replaced or deleted without a trace.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 2.6
  var historyStatements: [String] {
    guard isTracked else { return [] }
    let columns = visibleColumns.map { SQLIdentifier.quoted($0.name) }.joined(separator: ",")
    let current = "gdb_to_date \(Self.around(Self.endOfTime))"
    return [
      """
      CREATE VIEW \(view()) AS SELECT \(columns) FROM \(table) WHERE \(current)
      """,
      """
      CREATE TRIGGER \(view("_insert")) INSTEAD OF INSERT ON \(view()) BEGIN \
      INSERT INTO \(table) (\(columns),gdb_from_date,gdb_to_date) \
      VALUES (\(newValues(assigningObjectID: true)),\(Self.now),\(Self.endOfTime)); END
      """,
      """
      CREATE TRIGGER \(view("_delete")) INSTEAD OF DELETE ON \(view()) BEGIN \
      DELETE FROM \(table) WHERE \(isSame) AND gdb_from_date \(Self.around(Self.now)); \
      UPDATE OR REPLACE \(table) SET gdb_to_date = \(Self.now) WHERE \(isSame) AND \(current); END
      """,
      """
      CREATE TRIGGER \(view("_update")) INSTEAD OF UPDATE ON \(view()) BEGIN \
      UPDATE OR IGNORE \(table) SET gdb_to_date = \(Self.now) WHERE \(isSame) AND \(current); \
      REPLACE INTO \(table) (\(columns),gdb_from_date,gdb_to_date) \
      VALUES (\(newValues(assigningObjectID: false)),\
      (SELECT MAX (gdb_to_date) FROM \(table) WHERE \(isSame) AND gdb_to_date < \(Self.endOfTime)),\
      \(Self.endOfTime)); END
      """,
    ]
  }

  private static let now = "gdb_transaction_time ()"

  /// Dates are compared to within a billionth of a day.
  private static func around(_ date: String) -> String {
    "BETWEEN (\(date) - 0.000000001) AND (\(date) + 0.000000001)"
  }

  private func view(_ suffix: String = "") -> String {
    SQLIdentifier.quoted("\(name)_evw\(suffix)")
  }

  private var isSame: String {
    let objectID = SQLIdentifier.quoted(schema.objectIDField)
    return "\(objectID) = OLD.\(objectID)"
  }

  private func newValues(assigningObjectID: Bool) -> String {
    visibleColumns.map { column in
      let value = "NEW.\(SQLIdentifier.quoted(column.name))"
      guard assigningObjectID, column.role == .objectID else { return value }
      return "IFNULL (\(value),Next_RowID (NULL,\(Self.literal(name))))"
    }.joined(separator: ",")
  }
}
