package import PortolanFeatures

/// A column of a table in the file.
package struct TableColumn: Hashable, Sendable {
  /// The name, as the table declares it.
  package let name: String
  /// The declared type, for example `text(80)`.
  package var declaredType: String
  /// Whether it is the key of the table, or the first column of a key of several.
  package let isPrimaryKey: Bool
  /// Whether the key has no other column, and so, for integers, is the rowid.
  package var isWholeKey = false
  /// Whether it refuses `NULL`.
  package var isRequired = false
  /// The default value, in SQL.
  package var defaultSQL: String?
  /// Whether SQLite computes what it holds from other columns, so that nothing can be written to it.
  package var isGenerated = false

  /// The declared type without its length, in lower case.
  package var baseType: String {
    declaredType.prefix { $0 != "(" }.lowercased().trimmingSuffix(of: " ")
  }

  /// The length in the declared type.
  package var length: Int? {
    guard let open = declaredType.firstIndex(of: "(") else { return nil }
    return Int(declaredType[declaredType.index(after: open)...].prefix { $0.isNumber })
  }

  /// The field that a column is when nothing but its declaration describes it.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 2.3
  package var field: Field? {
    switch baseType {
    case "int16", "smallint": Field(name, .smallInteger)
    case "int64", "bigint": Field(name, .bigInteger)
    case "float32": Field(name, .single)
    case "float64", "double", "real", "float", "double precision": Field(name, .double)
    case "realdate", "date", "datetime", "timestamp": Field(name, .date)
    case "uuidtext": Field(name, .guid, length: 38)
    case "xmltext": Field(name, .xml)
    case "blob": Field(name, .blob, length: length)
    case "geometryblob": nil
    case let type where type.contains("int"): Field(name, .integer)
    default: Field(name, .string, length: length)
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(of character: Character) -> String {
    var copy = self
    while copy.last == character { copy.removeLast() }
    return copy
  }
}
