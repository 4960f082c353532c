internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanSQLite

/// Writes rows of base tables in one transaction, and what Esri's triggers would write with them:
/// the history of tables that keep it, and the spatial index.
///
/// Notes how each row was before it is touched first, unless undo is not needed.
///
/// Statements say `OR ABORT`, so that no rule of the file, such as `ON CONFLICT IGNORE` or `REPLACE`,
/// lets a row go without a word, or another one in its place.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2 and 2.6
final class RowWriter {
  /// A value for a column.
  typealias ColumnValue = (column: String, value: SQLValue)

  private let file: EditedFile
  /// The moment of the transaction, as a Julian day.
  private let moment: Double
  private(set) var images: [RowImage] = []
  private let keepsImages: Bool
  /// The rows that were written.
  private(set) var written = WrittenRows()
  private var touched: Set<RowImage.Key> = []
  /// The statement that added the last row, for the next one mostly has the same columns.
  private var insertion = Insertion()

  private struct Insertion {
    var table = ""
    var columns: [String] = []
    var sql = ""
  }

  init(_ file: EditedFile, moment: Double, keepsImages: Bool = true) {
    self.file = file
    self.moment = moment
    self.keepsImages = keepsImages
  }

  // MARK: - Rows

  /// The rowid of the current row of an object id, and since when it is current.
  func row(
    _ objectID: Int64, of table: EditedTable
  ) throws(FeatureEditError) -> (rowID: Int64, from: Double)? {
    let rows = try file.rows(
      table.rowIDStatement, [.integer(objectID)], in: "the rows of \(table.name)")
    guard let row = rows.first, case .integer(let rowID) = row[0] else { return nil }
    guard case .real(let from) = row[1] else { return (rowID, moment) }
    return (rowID, from)
  }

  /// Adds a row.
  func insert(
    _ values: [ColumnValue], into table: EditedTable, at place: EditPlace
  ) throws(FeatureEditError) {
    let values = values + history(table)
    try file.run(
      statement(adding: values.map(\.column), to: table), values.map(\.value),
      in: "the table \(table.name)", place)
    let rowID = noteInsertion(of: values, into: table)
    guard let geometry = table.storage.geometry else { return }
    if let shape = values.first(where: { $0.column == geometry.name }) {
      try index(shape.value, ofRow: rowID, of: table)
    } else {
      try index(rowID, of: table)
    }
  }

  private func statement(adding columns: [String], to table: EditedTable) -> String {
    if insertion.table == table.name, insertion.columns == columns { return insertion.sql }
    let names = columns.map(SQLIdentifier.quoted).joined(separator: ",")
    let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ",")
    let sql =
      "INSERT OR ABORT INTO \(table.storage.quotedName) (\(names)) VALUES (\(parameters))"
    insertion = Insertion(table: table.name, columns: columns, sql: sql)
    return sql
  }

  /// Changes the current row of an object id; with history, adds another and closes it.
  func update(
    _ objectID: Int64, of table: EditedTable, _ values: [ColumnValue], at place: EditPlace
  ) throws(FeatureEditError) {
    guard var row = try row(objectID, of: table) else {
      throw .noSuchRow(objectID: objectID, place)
    }
    // What this transaction made is not yet history for others.
    let isCopied = table.storage.isTracked && row.from < moment
    if isCopied {
      row.rowID = try succeed(row.rowID, of: table, at: place)
    } else {
      try note(row.rowID, of: table)
    }
    guard !values.isEmpty else {
      if isCopied { try index(row.rowID, of: table) }
      return
    }
    written.note(row.rowID, of: table)
    let assignments = values.enumerated().map {
      "\(SQLIdentifier.quoted($1.column)) = ?\($0 + 1)"
    }
    try file.run(
      """
      UPDATE OR ABORT \(table.storage.quotedName) SET \(assignments.joined(separator: ","))
      WHERE \(table.rowNumber) = ?\(values.count + 1)
      """, values.map(\.value) + [.integer(row.rowID)], in: "the table \(table.name)", place)
    // Only now, since a damaged shape, which has no place, may have got another in its stead.
    if isCopied || values.contains(where: { $0.column == table.storage.geometry?.name }) {
      try index(row.rowID, of: table)
    }
  }

  /// Removes the current row of an object id; with history, closes it.
  func delete(_ objectID: Int64, of table: EditedTable) throws(FeatureEditError) {
    guard let row = try row(objectID, of: table) else { return }
    try delete(rowID: row.rowID, from: row.from, of: table)
  }

  /// Removes a row; with history, closes it.
  func delete(
    rowID: Int64, from: Double, of table: EditedTable
  ) throws(FeatureEditError) {
    try note(rowID, of: table)
    if table.storage.isTracked, from < moment {
      try close(rowID, of: table)
    } else {
      try erase(rowID, of: table)
    }
  }

  // MARK: - History

  private func history(_ table: EditedTable) -> [ColumnValue] {
    guard table.storage.isTracked else { return [] }
    return [("gdb_from_date", .real(moment)), ("gdb_to_date", .real(JulianDay.endOfTime))]
  }

  /// Ends a row at the moment of the transaction.
  private func close(_ rowID: Int64, of table: EditedTable) throws(FeatureEditError) {
    try file.run(
      "UPDATE OR ABORT \(table.storage.quotedName) SET gdb_to_date = ?1 WHERE \(table.rowNumber) = ?2",
      [.real(moment), .integer(rowID)], in: "the table \(table.name)")
  }

  /// Ends a row and begins a copy of it; returns the copy's rowid.
  private func succeed(
    _ rowID: Int64, of table: EditedTable, at place: EditPlace
  ) throws(FeatureEditError) -> Int64 {
    try note(rowID, of: table)
    try close(rowID, of: table)
    let dates = TableStorage.trackingColumns
    let columns = table.plainColumns.filter { !dates.contains($0.lowercased()) }
      .map(SQLIdentifier.quoted).joined(separator: ",")
    try file.run(
      """
      INSERT OR ABORT INTO \(table.storage.quotedName) (\(columns),gdb_from_date,gdb_to_date)
      SELECT \(columns),?1,?2 FROM \(table.storage.quotedName) WHERE \(table.rowNumber) = ?3
      """, [.real(moment), .real(JulianDay.endOfTime), .integer(rowID)],
      in: "the table \(table.name)", place)
    return noteInsertion(into: table)
  }

  // MARK: - Undo

  /// Puts rows back as they were.
  func restore(_ images: [RowImage], _ tables: [String: EditedTable]) throws(FeatureEditError) {
    // First what must go, so that nothing stands in the way of what comes back.
    for image in images where image.values == nil {
      guard let table = tables[image.key.table] else { continue }
      try erase(image.key.rowID, of: table)
    }
    for image in images {
      guard let values = image.values, let table = tables[image.key.table] else { continue }
      try erase(image.key.rowID, of: table)
      let columns = ([table.rowNumber] + table.plainColumns.map(SQLIdentifier.quoted))
      var (stored, parameters) = (values, columns.indices.map { "?\($0 + 1)" })
      for (place, bytes) in image.unreadableTexts {
        stored[place] = .blob(bytes)
        parameters[place + 1] = "CAST(?\(place + 2) AS TEXT)"
      }
      try file.run(
        """
        INSERT OR ABORT INTO \(table.storage.quotedName) (\(columns.joined(separator: ",")))
        VALUES (\(parameters.joined(separator: ",")))
        """, [.integer(image.key.rowID)] + stored, in: "the table \(table.name)")
      written.note(image.key.rowID, of: table, growth: 1)
      try index(image.key.rowID, of: table, isRestored: true)
    }
  }

  /// Keeps a row as it is, unless that has been done.
  private func note(_ rowID: Int64, of table: EditedTable) throws(FeatureEditError) {
    guard keepsImages else { return }
    let key = RowImage.Key(table: table.name.lowercased(), rowID: rowID)
    guard touched.insert(key).inserted else { return }
    let columns = table.plainColumns.map(SQLIdentifier.quoted).joined(separator: ",")
    let rows = try file.rows(
      "SELECT \(columns) FROM \(table.storage.quotedName) WHERE \(table.rowNumber) = ?1",
      [.integer(rowID)],
      in: "the rows of \(table.name)")
    var image = RowImage(key: key, values: rows.first)
    image.unreadableTexts = try unreadableTexts(in: rows.first ?? [], ofRow: rowID, of: table)
    images.append(image)
  }

  /// The bytes of the texts in which reading has put a sign for what it could not tell.
  private func unreadableTexts(
    in values: [SQLValue], ofRow rowID: Int64, of table: EditedTable
  ) throws(FeatureEditError) -> [Int: Data] {
    let places = values.indices.filter { place in
      values[place].text?.unicodeScalars.contains("\u{FFFD}") ?? false
    }
    guard !places.isEmpty else { return [:] }
    let columns = places.map { "CAST(\(SQLIdentifier.quoted(table.plainColumns[$0])) AS BLOB)" }
    let rows = try file.rows(
      """
      SELECT \(columns.joined(separator: ",")) FROM \(table.storage.quotedName) WHERE \(table.rowNumber) = ?1
      """, [.integer(rowID)], in: "the rows of \(table.name)")
    var texts: [Int: Data] = [:]
    for case (let place, .blob(let bytes)) in zip(places, rows.first ?? []) { texts[place] = bytes }
    return texts
  }

  /// Keeps that the row inserted last was not there; returns its number.
  private func noteInsertion(
    of values: [ColumnValue] = [], into table: EditedTable
  ) -> Int64 {
    let rowID = key(in: values, of: table) ?? file.held.reader.connection.lastInsertedRowID
    if keepsImages {
      let key = RowImage.Key(table: table.name.lowercased(), rowID: rowID)
      if touched.insert(key).inserted { images.append(RowImage(key: key, values: nil)) }
    }
    written.note(rowID, of: table, growth: 1)
    return rowID
  }

  /// The number of a new row of a table whose rows SQLite does not number.
  private func key(in values: [ColumnValue], of table: EditedTable) -> Int64? {
    guard let key = table.storage.keyColumn,
      case .integer(let number)? = values.first(where: { $0.column == key })?.value
    else { return nil }
    return number
  }

  func erase(_ rowID: Int64, of table: EditedTable) throws(FeatureEditError) {
    try file.run(
      "DELETE FROM \(table.storage.quotedName) WHERE \(table.rowNumber) = ?1", [.integer(rowID)],
      in: "the table \(table.name)")
    written.note(rowID, of: table, growth: -file.held.reader.connection.changeCount)
    try unindex(rowID, of: table)
  }
}

// MARK: - Spatial index

extension RowWriter {
  /// Brings the spatial index, and the extent of the layer, in step with the shape of a row.
  ///
  /// A damaged shape has no place. A row that is restored comes back with it all the same.
  private func index(
    _ rowID: Int64, of table: EditedTable, isRestored: Bool = false
  ) throws(FeatureEditError) {
    guard let geometry = table.storage.geometry, table.shapes != nil else { return }
    let rows = try file.rows(
      """
      SELECT \(SQLIdentifier.quoted(geometry.name)) FROM \(table.storage.quotedName)
      WHERE \(table.rowNumber) = ?1
      """, [.integer(rowID)], in: "row \(rowID) of \(table.name)")
    try index(rows.first?.first, ofRow: rowID, of: table, isRestored: isRestored)
  }

  private func index(
    _ shape: SQLValue?, ofRow rowID: Int64, of table: EditedTable, isRestored: Bool = false
  ) throws(FeatureEditError) {
    guard let geometry = table.storage.geometry, table.shapes != nil else { return }
    var box: Envelope?
    if case .blob(let blob)? = shape {
      do {
        box = try unsafe blob.withUnsafeBytes { bytes throws(StoredShapeError) in
          try unsafe geometry.extent(of: bytes)
        }
      } catch {
        guard isRestored else {
          throw .damaged(
            file: file.path, place: "row \(rowID) of \(table.name)", reason: error.plainReason)
        }
      }
    }
    guard let box else { return try unindex(rowID, of: table) }
    if let statement = table.indexStatement {
      try file.run(
        statement, [.integer(rowID)] + [box.xMin, box.xMax, box.yMin, box.yMax].map { .real($0) },
        in: "the spatial index of \(table.name)")
    }
    try widenExtent(of: table, to: box)
  }

  private func unindex(_ rowID: Int64, of table: EditedTable) throws(FeatureEditError) {
    guard let index = table.storage.geometry?.index else { return }
    let key = table.storage.format.spatialIndexKey
    try file.run(
      "DELETE FROM \(SQLIdentifier.quoted(index)) WHERE \(key) = ?1", [.integer(rowID)],
      in: "the spatial index of \(table.name)")
  }

  /// Makes the extent that the layer list declares hold a box.
  ///
  /// No trigger of the file does that; without it, what lies outside would be lost to readers that
  /// take the list at its word. Where there is no extent yet, the box becomes it.
  private func widenExtent(
    of table: EditedTable, to box: Envelope
  ) throws(FeatureEditError) {
    let known = file.cache.extents[table.name]
    guard !(known?.contains(box) ?? false) else { return }
    let edges: [SQLValue] = [box.xMin, box.yMin, box.xMax, box.yMax].map { .real($0) }
    guard try file.hasTable(file.format.editing.extents.table) else { return }
    try file.run(
      table.extentStatement, edges + [.text(table.name)], in: "the list of layers")
    file.cache.extents[table.name] = known?.union(box) ?? box
  }
}
