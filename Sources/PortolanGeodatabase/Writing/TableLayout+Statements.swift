internal import PortolanFeatures
internal import PortolanSQLite

extension TableLayout {
  private func quoted(_ name: String) -> String { SQLIdentifier.quoted(name) }

  private func list(_ columns: some Sequence<ColumnLayout>) -> String {
    columns.map { quoted($0.name) }.joined(separator: ",")
  }

  /// Makes the table, still without indexes and triggers.
  var tableStatement: String {
    let columns = columns.map(\.declaration).joined(separator: ", ")
    return "CREATE TABLE \(quoted(name)) (\(columns))"
  }

  /// Inserts a row, with a parameter a column.
  var insertStatement: String {
    let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ",")
    return "INSERT INTO \(quoted(name)) (\(list(columns))) VALUES (\(parameters))"
  }

  /// Finds the row of an object id.
  var objectIDStatement: String {
    "SELECT 1 FROM \(quoted(name)) WHERE \(quoted(schema.objectIDField)) = ?1"
  }

  /// Makes the indexes, once the rows are there.
  ///
  /// With history a row is unique only among those valid to, or from, the same moment.
  var indexStatements: [String] {
    let id = registrationID
    let suffix = isTracked ? ",\"gdb_to_date\"" : ""
    var statements: [String] = []
    if let globalID = schema.globalIDField {
      statements.append(
        index("GlobalID_Index_\(id)", on: quoted(globalID) + suffix, isUnique: true))
    }
    if isTracked {
      let objectID = quoted(schema.objectIDField)
      statements += [
        index("r\(id)_gdb_xpk", on: objectID + suffix, isUnique: true),
        index("gdb_ct1_\(id)", on: "\"gdb_from_date\",\"gdb_to_date\"", isUnique: false),
        index("gdb_ct4_\(id)", on: objectID + ",\"gdb_from_date\"", isUnique: true),
        index("gdb_ctr1_\(id)", on: "\"gdb_to_date\",\"gdb_from_date\"", isUnique: false),
      ]
    }
    for (number, key) in relationshipKeys.enumerated() {
      statements.append(index("gdb_rel\(number + 1)_\(id)", on: quoted(key), isUnique: false))
    }
    return statements
  }

  private func index(_ name: String, on columns: String, isUnique: Bool) -> String {
    "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(quoted(name)) ON \(quoted(self.name)) (\(columns))"
  }

  /// The columns by which related rows are looked for and that have no other index.
  private var relationshipKeys: [String] {
    var keys: [String] = []
    for key in keyFields where !schema.isObjectID(key) && !schema.isGlobalID(key) {
      guard let field = schema.field(named: key) else { continue }
      if !keys.contains(field.name) { keys.append(field.name) }
    }
    return keys
  }
}
