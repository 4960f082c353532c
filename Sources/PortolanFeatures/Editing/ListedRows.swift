/// Rows whose tables are a list in memory.
package protocol ListedRows: EditableRows {
  /// A table with whatever is kept beside its rows.
  associatedtype Table: ListedTable

  /// The tables, in order.
  var tables: [Table] { get }
}

/// A table of a list.
package protocol ListedTable {
  /// What the table is.
  var schema: FeatureTableSchema { get }
}

extension ListedRows {
  /// The place of a table in the list.
  ///
  /// - Throws: `noSuchTable`.
  package func index(of table: String) throws(FeatureEditError) -> Int {
    let key = table.lowercased()
    guard let index = tables.firstIndex(where: { $0.schema.name.lowercased() == key }) else {
      throw .noSuchTable(name: table, available: tables.map(\.schema.name))
    }
    return index
  }

  package func validator(of table: String) throws(FeatureEditError) -> FeatureValidator {
    FeatureValidator(tables[try index(of: table)].schema)
  }

  package func hasTable(_ name: String) -> Bool {
    tables.contains { $0.schema.name.lowercased() == name.lowercased() }
  }
}
