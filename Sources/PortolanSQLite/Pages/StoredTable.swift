/// A table of a file whose rows are read from its pages; see ``DatabasePages``.
public struct StoredTable {
  private let tree: PageTree
  private let declaration: TableDeclaration

  init(_ tree: PageTree, _ declaration: TableDeclaration) {
    self.tree = tree
    self.declaration = declaration
  }

  /// The names of the columns, in order.
  public var columnNames: [String] { declaration.columns.map(\.name) }

  /// The number of a column, whose name's case does not matter; `nil` if there is none.
  public func index(of column: String) -> Int? { declaration.index(of: column) }

  /// Whether a column is another name for the row's id.
  public func isRowID(_ column: Int) -> Bool {
    declaration.columns.indices.contains(column) && declaration.columns[column].isRowID
  }

  /// The value of a column in the row with an id; `nil` if there is no such row.
  public func value(of column: Int, inRow rowID: Int64) throws(PageError) -> SQLValue? {
    guard let record = try tree.record(ofRow: rowID) else { return nil }
    return try value(column, record, rowID)
  }

  /// The values of some columns in the rows, in the order of their ids; of those only in which the
  /// column `key` is a text, if there is one.
  func rows(
    _ columns: [Int], limit: Int, where key: Int? = nil, is text: String = ""
  ) throws(PageError) -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    guard limit > 0 else { return rows }
    let bytes = Array(text.utf8)
    try tree.forEachRow { rowID, record throws(PageError) in
      if let key {
        guard key < record.count else { throw .unusual }
        guard try record.isText(key, bytes), try record.value(key) == .text(text) else {
          return true
        }
      }
      var values: [SQLValue] = []
      values.reserveCapacity(columns.count)
      for column in columns { values.append(try value(column, record, rowID)) }
      rows.append(values)
      return rows.count < limit
    }
    return rows
  }

  private func value(
    _ column: Int, _ record: PageRecord, _ rowID: Int64
  ) throws(PageError) -> SQLValue {
    // Where a column was added later, its values are in the statement that added it.
    guard record.count == declaration.columns.count, column < record.count else { throw .unusual }
    return try record.value(column).read(as: declaration.columns[column], rowID)
  }
}

extension SQLValue {
  /// A stored value as SQLite reads it from a column.
  fileprivate func read(as column: TableDeclaration.Column, _ rowID: Int64) -> SQLValue {
    switch self {
    case .null where column.isRowID: .integer(rowID)
    case .integer(let number) where column.isReal: .real(Double(number))
    default: self
    }
  }
}
