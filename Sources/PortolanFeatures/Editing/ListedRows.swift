package import PortolanGeometry

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

  /// The fields of its rows.
  var fields: FieldList { get }

  /// The object id that the next row gets.
  var nextObjectID: Int64 { get }
}

extension ListedTable {
  /// The row that is added next.
  ///
  /// - Throws: `objectIDsUsedUp`.
  package func nextFeature(
    _ values: [String: AttributeValue], _ geometry: Geometry?, globalID: String?,
    at place: EditPlace
  ) throws(FeatureEditError) -> Feature {
    guard nextObjectID <= Int64(Int32.max) else { throw .objectIDsUsedUp(place) }
    var attributes = Attributes(fields)
    for (name, value) in values { attributes[name] = value }
    attributes[schema.objectIDField] = .integer(nextObjectID)
    if let field = schema.globalIDField, let globalID { attributes[field] = .text(globalID) }
    return Feature(objectID: nextObjectID, attributes: attributes, geometry: geometry)
  }
}

extension Feature {
  /// Changes the named values, and the shape if an edit says so.
  package mutating func update(_ values: [String: AttributeValue], _ geometry: GeometryChange) {
    for (name, value) in values { attributes[name] = value }
    switch geometry {
    case .keep: break
    case .remove: self.geometry = nil
    case .set(let shape): self.geometry = shape
    }
  }
}

extension Array {
  /// The index of the row with an object id, if the rows are sorted by their object ids.
  package func index(of objectID: Int64, by key: (Element) -> Int64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) < objectID { low = middle + 1 } else { high = middle }
    }
    return low < count && key(self[low]) == objectID ? low : nil
  }
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
