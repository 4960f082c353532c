internal import PortolanGeometry
internal import PortolanSQLite

extension TableStorage {
  /// Reads how a table or view is laid out; `nil` if there is none of that name.
  ///
  /// Costs a handful of small queries, whatever the number of rows.
  static func read(
    _ table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> TableStorage? {
    let asked = TableName.unqualified(table)
    guard let item = try SchemaItem.read(asked, connection) else { return nil }
    let columns = try item.columns(connection)
    guard !columns.isEmpty else { return nil }
    let registered = try SystemTables.registryRow(of: asked, connection)
    let name = registered?.table ?? item.name
    let names = Set(columns.map { $0.name.lowercased() })
    let objectID =
      columns.first { $0.name.isSameName(as: registered?.objectIDColumn ?? "") }
      ?? columns.first { $0.isPrimaryKey && !trackingColumns.contains($0.name.lowercased()) }
      ?? columns.first { $0.name.isSameName(as: "OBJECTID") }
    let isTracked = names.isSuperset(of: trackingColumns)
    let rowIDs = try item.rowIDNames(connection)
    let unnamed = objectIDName(among: rowIDs)
    var storage = TableStorage(
      name: name, columns: columns, objectIDColumn: objectID?.name ?? unnamed,
      hasObjectIDAsRowID: item.isView || objectID?.isRowID ?? true, isTracked: isTracked,
      geometry: try GeometryColumn.read(of: name, columns, connection),
      format: GeodatabaseFormat())
    storage.rowIDName = rowIDs.first
    // Foreign tables may have a column called rowid, which the plainer name would mean.
    storage.rowKey = objectID == nil ? unnamed : storage.rowNumber ?? "_rowid_"
    if item.isView {
      storage.isView = true
      // Views have no rowid of their own.
      if let objectID {
        storage.rowKey = SQLIdentifier.quoted(objectID.name)
      } else {
        storage.rowSource = storage.numberedSource
      }
    }
    return storage
  }
}

extension TableColumn {
  /// Whether SQLite keeps rows in the order of this column, under whatever name.
  var isRowID: Bool { isWholeKey && declaredType.lowercased() == "integer" }
}

extension GeometryColumn {
  /// Reads what the file says about the shapes of a table; `nil` if it has none.
  fileprivate static func read(
    of table: String, _ columns: [TableColumn], _ connection: borrowing Connection
  ) throws(DatabaseError) -> GeometryColumn? {
    let rows = try SystemTables.geometryRows(of: table, connection)
    let row = rows.first { row in columns.contains { $0.name.isSameName(as: row.column) } }
    guard let row else { return try unregistered(in: table, columns, connection) }
    let index = try spatialIndex(of: table, row.column, connection)
    let source = PrecisionSource(table: table, column: row.column, srid: row.srid, index: index)
    var shapes = FirstShapes(type: type(ofNumber: row.typeNumber), areForeign: false)
    if shapes.type == nil { shapes = try firstShapes(of: table, row.column, connection) }
    var column = GeometryColumn(
      name: row.column, type: shapes.type, hasZ: hasZ(ofNumber: row.typeNumber),
      hasM: hasM(ofNumber: row.typeNumber), srid: row.srid,
      precision: try source.precision(connection), index: index, format: GeodatabaseFormat())
    column.holdsForeignShapes = shapes.areForeign
    column.mayMixShapes = type(ofNumber: row.typeNumber) == nil
    return column
  }

  /// The column of multipatches, of which nothing is said where the shapes of other tables are listed; `nil`
  /// of a table of anything else.
  private static func unregistered(
    in table: String, _ columns: [TableColumn], _ connection: borrowing Connection
  ) throws(DatabaseError) -> GeometryColumn? {
    let definition = try SystemTables.definition(of: table, connection) ?? ""
    guard definition.contains("esriGeometryMultiPatch") else { return nil }
    let declared = DefinitionDocument(definition)?.shapeField ?? ""
    let shape =
      columns.first { $0.name.isSameName(as: declared) }
      ?? columns.first { $0.baseType == "geometryblob" }
    guard let shape else { return nil }
    var column = GeometryColumn(
      name: shape.name, type: nil, hasZ: false, hasM: false, srid: 0, index: nil,
      format: GeodatabaseFormat())
    column.holdsForeignShapes = true
    return column
  }

  /// What the first shapes are, in a column whose declared type is none that is known; multipatches, of
  /// which nothing is published, are foreign whatever their bytes look like.
  private static func firstShapes(
    of table: String, _ column: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> FirstShapes {
    let definition = try SystemTables.definition(of: table, connection) ?? ""
    guard !definition.contains("esriGeometryMultiPatch") else {
      return FirstShapes(type: nil, areForeign: true)
    }
    return try unsafe FirstShapes.read(of: table, column, connection) {
      bytes throws(StoredShapeError) in
      // Whatever is wrong with its header: there is none that is known.
      guard let header = try? unsafe GeometryBlobHeader(bytes) else {
        throw StoredShapeError.unsupported(feature: "a shape of an unknown class")
      }
      return header.isNil ? nil : header.shapeClass.geometryType
    }
  }

  private static func spatialIndex(
    of table: String, _ column: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> String? {
    let name = "st_spindex__\(table)_\(column)"
    let columns = try SystemTables.columns(of: name, connection).prefix(5)
    return columns.map { $0.name.lowercased() } == ["pkid", "minx", "maxx", "miny", "maxy"]
      ? name : nil
  }
}
