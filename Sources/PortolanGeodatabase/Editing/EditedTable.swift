internal import Foundation
package import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSQLite

/// A table whose rows are written: how it is laid out, and what each column stores.
package struct EditedTable: Sendable {
  package let storage: TableStorage
  package let schema: FeatureTableSchema
  /// The columns and what they store, but for the shape, by their names and these in lower case.
  private let storedColumns: [String: (column: TableColumn, type: ColumnType)]
  /// The columns but for the one that is the rowid under another name, and those that SQLite computes.
  let plainColumns: [String]
  /// The SQL expression of the row number; `NULL`, which no row equals, where there is none.
  package let rowNumber: String
  /// Finds the current row of an object id.
  let rowIDStatement: String
  /// Writes the shapes; `nil` if there are none, or nothing says how.
  package let shapes: (any ShapeWriting)?
  /// Whether the column of object ids declares 64 bits.
  private let hasLongObjectIDs: Bool
  /// Puts a shape's box into the spatial index, in place of another one; `nil` if there is none.
  let indexStatement: String?
  /// Makes the extent in the list of layers hold a box.
  let extentStatement: String
  /// The SQL condition of current rows, after `AND`.
  let andIsCurrent: String
  /// Finds the last object id.
  let lastObjectIDStatement: String

  package var name: String { storage.name }

  init(
    _ storage: TableStorage, _ schema: FeatureTableSchema, _ shapes: (any ShapeWriting)?
  ) {
    self.storage = storage
    self.shapes = shapes
    self.schema = schema
    hasLongObjectIDs =
      storage.column(named: storage.objectIDColumn)?.field?.type == .bigInteger
    andIsCurrent = storage.isCurrent("t").map { " AND \($0)" } ?? ""
    lastObjectIDStatement =
      "SELECT max(\(SQLIdentifier.quoted(storage.objectIDColumn))) FROM \(storage.quotedName)"
    indexStatement = storage.geometry?.index.map { index in
      """
      INSERT OR REPLACE INTO \(SQLIdentifier.quoted(index))
        (\(storage.format.spatialIndexKey),minx,maxx,miny,maxy)
      VALUES (?1,?2,?3,?4,?5)
      """
    }
    let (list, columns) = (
      storage.format.editing.extents.table, storage.format.editing.extents.columns
    )
    let assignments = columns.enumerated().map { index, column in
      "\(column) = \(index < 2 ? "min" : "max")(coalesce(\(column), ?\(index + 1)), ?\(index + 1))"
    }
    let isOutside = columns.enumerated().map { index, column in
      "\(column) IS NULL OR \(column) \(index < 2 ? ">" : "<") ?\(index + 1)"
    }
    extentStatement = """
      UPDATE \(list) SET \(assignments.joined(separator: ", "))
      WHERE table_name = ?5 COLLATE NOCASE AND (\(isOutside.joined(separator: " OR ")))
      """
    plainColumns = storage.columns.filter { !$0.isRowID && !$0.isGenerated }.map(\.name)
    let from = storage.isTracked ? "t.gdb_from_date" : "0.0"
    rowNumber = storage.rowNumber ?? "NULL"
    rowIDStatement = """
      SELECT \(rowNumber), \(from) FROM \(storage.quotedName) AS t
      WHERE t.\(SQLIdentifier.quoted(storage.objectIDColumn)) = ?1\(andIsCurrent)
      """
    var storedColumns: [String: (column: TableColumn, type: ColumnType)] = [:]
    for column in storage.columns {
      guard let field = storage.format.editing.field(of: column, in: schema) else { continue }
      for name in [column.name, column.name.lowercased()] where storedColumns[name] == nil {
        storedColumns[name] = (column: column, type: ColumnType(of: field))
      }
    }
    self.storedColumns = storedColumns
  }

  /// Checks what is written to the table.
  var validator: FeatureValidator {
    FeatureValidator(schema, coordinateRange: shapes?.range ?? .unlimited)
  }

  // MARK: - Values

  /// A value as a column stores it.
  func stored(
    _ value: AttributeValue, in field: String, at place: EditPlace
  ) throws(FeatureEditError) -> (column: String, value: SQLValue) {
    guard let (column, type) = storedColumns[field] ?? storedColumns[field.lowercased()] else {
      throw .unknownField(name: field, place)
    }
    guard let stored = storage.format.stored(value, as: type) else {
      throw Self.refusal(of: value, by: type, column, field, at: place)
    }
    return (column.name, stored)
  }

  /// Why a column cannot hold a value.
  private static func refusal(
    of value: AttributeValue, by type: ColumnType, _ column: TableColumn, _ field: String,
    at place: EditPlace
  ) -> FeatureEditError {
    switch (type, value) {
    case (.text(let limit), .text(let text)):
      return .textTooLong(
        field: field, length: text.unicodeScalars.count, limit: limit, place)
    case (.blob(let limit?), .blob(let data)):
      return .dataTooLong(field: field, length: data.count, limit: limit, place)
    case (.int16, .integer), (.int32, .integer):
      let kind: FieldType = if case .int16 = type { .smallInteger } else { .integer }
      return .outOfRange(field: field, type: column.field?.type ?? kind, found: value, place)
    default:
      return .wrongType(
        field: field, expected: column.field?.type ?? .string, found: value, place)
    }
  }

  /// A shape as the table stores it; without one, what stands for none.
  func stored(
    _ geometry: Geometry?, at place: EditPlace
  ) throws(FeatureEditError) -> SQLValue {
    guard let shapes else { throw .geometryNotAllowed(place) }
    var bytes: [UInt8] = []
    do { _ = try shapes.write(geometry, into: &bytes) } catch {
      let reason = (error as? any LocalizedError)?.errorDescription
      throw .incompleteGeometry(reason: reason ?? "it cannot be stored", place)
    }
    return bytes.isEmpty ? .null : .blob(Data(bytes))
  }

  // MARK: - Images

  /// The object id of a row as it was before it was touched; `nil` if it was not there.
  func objectID(of image: RowImage) -> Int64? {
    guard let values = image.values else { return nil }
    let position = plainColumns.firstIndex { $0.isSameName(as: storage.objectIDColumn) }
    guard let position else { return image.key.rowID }
    if case .integer(let id) = values[position] { return id }
    return nil
  }

  /// A row as it was before it was touched, with its columns by name; `nil` if it was not there.
  func state(of image: RowImage) -> JSONValue? {
    guard let values = image.values else { return nil }
    var object = JSONObject()
    for (column, value) in zip(plainColumns, values) { object[column] = value.json }
    return .object(object)
  }

  /// The greatest object id that a row may get.
  ///
  /// Ids have 32 bits unless their column declares 64, or rows with longer ones are there: software
  /// that reads 32 bits could not read the table any more.
  func greatestObjectID(besides last: Int64) -> Int64 {
    guard storage.format.editing.hasShortObjectIDs else { return .max }
    return hasLongObjectIDs || last > Int64(Int32.max) ? .max : Int64(Int32.max)
  }
}

extension CoordinatePrecision {
  /// The ordinates that the numbers of the grid reach.
  var range: CoordinateRange {
    func range(_ origin: Double, _ scale: Double) -> ClosedRange<Double>? {
      let end = origin + Double(Self.greatestNumber) / scale
      return origin < end ? origin...end : nil
    }
    return CoordinateRange(
      x: range(xOrigin, xyScale), y: range(yOrigin, xyScale), z: range(zOrigin, zScale),
      m: range(mOrigin, mScale))
  }
}
