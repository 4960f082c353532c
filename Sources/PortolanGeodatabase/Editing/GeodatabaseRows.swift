internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanSQLite

/// The rows of a geodatabase in a transaction, as ``FeatureEditor`` changes them.
struct GeodatabaseRows: EditableRows {
  let file: EditedFile
  let writer: RowWriter
  let makeID: () -> UUID

  func newGlobalID() -> String { "{\(makeID().uuidString)}" }

  // MARK: - Tables

  func validator(of table: String) throws(FeatureEditError) -> FeatureValidator {
    try file.table(table).validator
  }

  func hasTable(_ name: String) throws(FeatureEditError) -> Bool { try file.hasTable(name) }

  // MARK: - Features

  func attributes(
    of objectID: Int64, in table: String
  ) throws(FeatureEditError) -> Attributes? {
    let query = QueryParameters(objectIDs: [objectID], returnsGeometry: false)
    return try file.reading { reader throws(FeatureStoreError) in
      try reader.features(in: table, matching: query).first?.attributes
    }
  }

  func objectIDs(
    in table: String, where field: String, equals value: AttributeValue
  ) throws(FeatureEditError) -> [Int64] {
    let table = try file.table(table)
    let place = EditPlace(table: table.name)
    let key = try table.stored(value, in: field, at: place)
    let rows = try file.rows(
      """
      SELECT t.\(SQLIdentifier.quoted(table.storage.objectIDColumn))
      FROM \(table.storage.quotedName) AS t
      WHERE t.\(SQLIdentifier.quoted(key.column)) IN (\(key.value.spellings.parameters))
        \(table.andIsCurrent) ORDER BY 1
      """, key.value.spellings, in: "the rows of \(table.name)")
    return rows.compactMap { if case .integer(let id) = $0[0] { id } else { nil } }
  }

  func insert(
    _ values: [String: AttributeValue], _ geometry: Geometry?, into table: String,
    at place: EditPlace
  ) throws(FeatureEditError) -> (objectID: Int64, globalID: String?) {
    let table = try file.table(table)
    return try insert(try stored(values, table, at: place), geometry, into: table, at: place)
  }

  /// Adds a row of values as its table stores them.
  ///
  /// Of a row that is refused nothing remains in the table.
  func insert(
    _ values: [RowWriter.ColumnValue], _ geometry: Geometry?, into table: EditedTable,
    at place: EditPlace
  ) throws(FeatureEditError) -> (objectID: Int64, globalID: String?) {
    var row = values
    if let column = table.storage.geometry {
      row.append((column.name, try table.stored(geometry, at: place)))
    }
    let objectID = try nextObjectID(of: table, at: place)
    row.append((table.storage.objectIDColumn, .integer(objectID)))
    let globalID = table.schema.globalIDField.map { _ in newGlobalID() }
    if let field = table.schema.globalIDField, let globalID {
      row.append(try table.stored(.text(globalID), in: field, at: place))
    }
    try writer.insert(row, into: table, at: place)
    return (objectID, globalID)
  }

  func update(
    _ objectID: Int64, in table: String, _ values: [String: AttributeValue],
    _ geometry: GeometryChange, at place: EditPlace
  ) throws(FeatureEditError) {
    let table = try file.table(table)
    try update(objectID, in: table, try stored(values, table, at: place), geometry, at: place)
  }

  /// Changes a row to values as its table stores them.
  func update(
    _ objectID: Int64, in table: EditedTable, _ values: [RowWriter.ColumnValue],
    _ geometry: GeometryChange, at place: EditPlace
  ) throws(FeatureEditError) {
    var row = values
    if let column = table.storage.geometry {
      switch geometry {
      case .keep: break
      case .remove: row.append((column.name, try table.stored(nil, at: place)))
      case .set(let shape): row.append((column.name, try table.stored(shape, at: place)))
      }
    }
    try writer.update(objectID, of: table, row, at: place)
  }

  func delete(_ objectID: Int64, from table: String) throws(FeatureEditError) {
    try writer.delete(objectID, of: try file.table(table))
  }

  func deletePairs(
    in table: String, where field: String, equals value: AttributeValue
  ) throws(FeatureEditError) {
    let table = try file.numberedTable(table)
    let key = try table.stored(value, in: field, at: EditPlace(table: table.name))
    let from = table.storage.isTracked ? "t.gdb_from_date" : "0.0"
    let rows = try file.rows(
      """
      SELECT \(table.rowNumber), \(from) FROM \(table.storage.quotedName) AS t
      WHERE t.\(SQLIdentifier.quoted(key.column)) IN (\(key.value.spellings.parameters))
        \(table.andIsCurrent)
      """, key.value.spellings, in: "the rows of \(table.name)")
    for row in rows {
      guard case .integer(let rowID) = row[0], case .real(let from) = row[1] else { continue }
      try writer.delete(rowID: rowID, from: from, of: table)
    }
  }

  private func stored(
    _ values: [String: AttributeValue], _ table: EditedTable, at place: EditPlace
  ) throws(FeatureEditError) -> [RowWriter.ColumnValue] {
    var row: [RowWriter.ColumnValue] = []
    // In one order, so that equal edits share a compiled statement.
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      row.append(try table.stored(value, in: name, at: place))
    }
    return row
  }

  // MARK: - Object ids

  /// The next object id, which the file then knows as given out.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 2.2
  func nextObjectID(
    of table: EditedTable, at place: EditPlace
  ) throws(FeatureEditError) -> Int64 {
    let last = try lastObjectID(of: table)
    let greatest = table.greatestObjectID(besides: last)
    guard last < greatest else { throw .objectIDsUsedUp(place) }
    var next = last + 1
    let generator = try generator(of: table)
    if case .integer(let base)? = generator?.base { next = max(next, base) }
    next = max(
      next, try file.format.editing.objectIDAfterLast(of: table.name, in: file))
    // The number after it is noted, too.
    guard next <= greatest, next < .max else { throw .objectIDsUsedUp(place) }
    if let generator {
      try file.run(
        """
        UPDATE GDB_RowidGenerators SET base_id = ?1
        WHERE registration_id = ?2 AND base_id = ?3
        """, [.integer(next + 1), generator.registration, generator.base],
        in: "the list of object ids")
      file.cache.generators[table.name]??.base = .integer(next + 1)
    }
    file.cache.lastObjectIDs[table.name] = next
    return next
  }

  /// The last object id that a row of a table has, or that was given out in this transaction.
  private func lastObjectID(of table: EditedTable) throws(FeatureEditError) -> Int64 {
    if let known = file.cache.lastObjectIDs[table.name] { return known }
    let rows = try file.rows(table.lastObjectIDStatement, in: "the rows of \(table.name)")
    guard case .integer(let id)? = rows.first?.first else { return 0 }
    return max(0, id)
  }

  /// The place where the file notes the next object id of a table; `nil` if it does not.
  private func generator(
    of table: EditedTable
  ) throws(FeatureEditError) -> TransactionCache.RowIDGenerator? {
    if let known = file.cache.generators[table.name] { return known }
    let found = try noted(table)
    file.cache.generators[table.name] = .some(found)
    return found
  }

  private func noted(
    _ table: EditedTable
  ) throws(FeatureEditError) -> TransactionCache.RowIDGenerator? {
    guard try file.hasTable("GDB_RowidGenerators"), try file.hasTable("GDB_TableRegistry") else {
      return nil
    }
    let row = try file.rows(
      """
      SELECT g.registration_id, g.base_id FROM GDB_TableRegistry AS r
      JOIN GDB_RowidGenerators AS g ON g.registration_id = r.registration_id
      WHERE r.table_name = ?1 COLLATE NOCASE ORDER BY g.base_id DESC LIMIT 1
      """, [.text(table.name)], in: "the list of object ids"
    ).first
    return row.map { TransactionCache.RowIDGenerator(registration: $0[0], base: $0[1]) }
  }
}
