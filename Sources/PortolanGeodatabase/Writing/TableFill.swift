package import Foundation
package import PortolanFeatures
internal import PortolanFiles
package import PortolanGeometry
package import PortolanSQLite

/// A table while rows are added to it.
package final class TableFill {
  package let layout: TableLayout
  /// The box around the shapes so far, snapped to the grid.
  package private(set) var extent = Envelope.empty
  /// The greatest object id so far.
  package private(set) var lastObjectID: Int64 = 0
  /// The boxes of the shapes so far.
  package private(set) var index = SpatialIndexPacking()

  /// The folder in which boxes are sorted that do not fit into memory.
  package let folder: URL

  private let insertion: Query
  /// Finds the row of an object id.
  private let search: Query
  private let format: any TableFormat
  private var encoder: ShapeEncoder?
  private let makeID: () -> UUID
  private var rowCount: Int64 = 0
  /// The indexes of the columns' values in the attributes of the previous row.
  private var positions: (fields: FieldList, ofColumns: [Int?])?

  package init(
    _ layout: TableLayout, format: any TableFormat = GeodatabaseFormat(),
    on connection: borrowing Connection, sortingIn folder: URL, makeID: @escaping () -> UUID
  ) throws(DatabaseError) {
    self.layout = layout
    self.folder = folder
    self.makeID = makeID
    self.format = format
    encoder = layout.shapes.map { ShapeEncoder($0, format: format) }
    insertion = try connection.query(layout.insertStatement)
    search = try connection.query(layout.objectIDStatement)
    guard layout.isTracked else { return }
    // What is bound stays so for all rows.
    try insertion.bind(JulianDay.beginningOfTime, at: layout.columns.count - 1)
    try insertion.bind(JulianDay.endOfTime, at: layout.columns.count)
  }

  /// How many shapes lost heights or measures that the table has no place for.
  package var cutShapeCount: Int { encoder?.cutCount ?? 0 }

  /// Whether a shape was written without heights although the table has them.
  package var lacksHeights: Bool { encoder?.lacksHeights ?? false }

  /// Whether a shape was written without measures although the table has them.
  package var lacksMeasures: Bool { encoder?.lacksMeasures ?? false }

  /// The ids under which a row was written.
  package struct RowIdentity {
    package var objectID: Int64
    package var globalID: String?
  }

  /// Adds a row.
  ///
  /// An object id above 0 is kept, else the next one is given; a global id is kept or made.
  package func append(_ feature: Feature) throws -> RowIdentity {
    let objectID = feature.objectID > 0 ? feature.objectID : lastObjectID + 1
    // The file notes the id that comes next.
    guard objectID < .max else {
      throw invalid(layout.schema.objectIDField, objectID, "no id would be left after it")
    }
    let rowID = layout.isTracked ? rowCount + 1 : objectID
    insertion.reset()
    var row = RowIdentity(objectID: objectID)
    var box: Envelope?
    let positions = positions(in: feature.attributes.fieldList)
    for (index, column) in layout.columns.enumerated() {
      let value = positions[index].map { feature.attributes.values[$0] } ?? .null
      switch column.role {
      case .rowID, .objectID: try insertion.bind(objectID, at: index + 1)
      case .archiveID: try insertion.bind(rowID, at: index + 1)
      case .archiveDate: break
      case .globalID: row.globalID = try bindGlobalID(value, column, at: index + 1, objectID)
      case .attribute where column.type == .geometry:
        box = try bindShape(of: feature, at: index + 1, objectID)
      case .attribute: try bind(value, column, at: index + 1, objectID)
      }
    }
    try insert(objectID)
    try finish(objectID, rowID: rowID, box)
    return row
  }

  /// Adds an attachment as ``append(_:)`` does, but under the next id if another one has its own.
  ///
  /// In a GeoPackage several features can have one attachment, of which each gets a copy in the new file.
  package func append(attachment row: Feature) throws -> RowIdentity {
    var row = row
    if try holds(row.objectID) { row.objectID = 0 }
    return try append(row)
  }

  /// Whether a row has an object id already; only known of tables without history, in which an object id
  /// is the number of the row.
  private func holds(_ objectID: Int64) throws(DatabaseError) -> Bool {
    guard !layout.isTracked, objectID > 0, objectID <= lastObjectID else { return false }
    // An index cannot be made as long as a query waits in a row.
    defer { search.reset() }
    try search.bind(objectID, at: 1)
    return try search.step()
  }

  private func insert(_ objectID: Int64) throws {
    do {
      _ = try insertion.step()
    } catch {
      guard error.code == .constraint else { throw error }
      throw invalid(layout.schema.objectIDField, objectID, "another row has that id")
    }
  }

  /// Counts a row that was written.
  private func finish(_ objectID: Int64, rowID: Int64, _ box: Envelope?) throws {
    rowCount += 1
    lastObjectID = max(lastObjectID, objectID)
    guard let box else { return }
    extent = extent.union(box)
    index.append(rowID: rowID, box: box)
    try index.spill(to: folder)
  }

  private func positions(in fields: FieldList) -> [Int?] {
    if let positions, positions.fields === fields { return positions.ofColumns }
    let found = layout.columns.map { fields.position(of: $0.name) }
    positions = (fields, found)
    return found
  }

  private func bind(
    _ value: AttributeValue, _ column: ColumnLayout, at parameter: Int, _ objectID: Int64
  ) throws {
    guard let stored = format.stored(value, as: column.type) else {
      throw invalid(
        column.name, objectID, "it holds \(column.type.limitText), not \(value.editText)")
    }
    guard stored != .null || column.isNullable else {
      throw invalid(column.name, objectID, "there must be a value")
    }
    try insertion.bind(stored, at: parameter)
  }

  private func bindGlobalID(
    _ value: AttributeValue, _ column: ColumnLayout, at parameter: Int, _ objectID: Int64
  ) throws -> String {
    let value = value.isNull ? AttributeValue.text(makeID().uuidString) : value
    guard case .text(let text)? = column.type.stored(value) else {
      throw invalid(column.name, objectID, "\(value.editText) is not a GUID")
    }
    try insertion.bind(text, at: parameter)
    return text
  }

  private func bindShape(
    of feature: Feature, at parameter: Int, _ objectID: Int64
  ) throws -> Envelope? {
    guard encoder != nil, let shapes = layout.shapes else { return nil }
    let box: Envelope?
    do {
      box = try encoder?.encode(feature.geometry)
    } catch {
      throw invalid(shapes.column, objectID, error.plainReason)
    }
    if let bytes = encoder?.bytes, !bytes.isEmpty {
      try insertion.bind(bytes, at: parameter)
    } else {
      try insertion.bindNull(at: parameter)
    }
    return box
  }

  private func invalid(_ field: String, _ objectID: Int64, _ reason: String) -> any Error {
    GeodatabaseWriterError.invalidValue(
      table: layout.name, objectID: objectID, field: field, reason: reason)
  }
}
