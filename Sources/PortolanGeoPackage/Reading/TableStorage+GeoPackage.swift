internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanSQLite

extension TableStorage {
  /// Reads how a table or view of a GeoPackage is laid out; `nil` if there is none of that name.
  static func readGeoPackage(
    _ table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> TableStorage? {
    guard let item = try SchemaItem.read(table, connection) else { return nil }
    var columns = try item.columns(connection)
    guard !columns.isEmpty else { return nil }
    let geometry = try GeometryColumn.readGeoPackage(item, columns, connection)
    let key = item.isView ? columns.viewKey : try columns.tableKey(of: item.name, connection)
    if item.isView { columns = try columns.typed(byRowsOf: item.name, connection) }
    // Views have no rowid of their own, nor have some tables.
    let rowIDs = try item.rowIDNames(connection)
    let unnamed = objectIDName(among: rowIDs)
    var storage = TableStorage(
      name: item.name, columns: columns, objectIDColumn: key ?? unnamed,
      hasObjectIDAsRowID: true, isTracked: false, geometry: geometry, format: GeoPackageFormat())
    storage.rowKey = key.map { SQLIdentifier.quoted($0) } ?? unnamed
    storage.rowIDName = rowIDs.first
    if key == nil, rowIDs.isEmpty { storage.rowSource = storage.numberedSource }
    storage.isView = item.isView
    return storage
  }
}

extension [TableColumn] {
  /// The column that SQLite numbers the rows of a table by; `nil` if there is none.
  fileprivate func tableKey(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> String? {
    guard let key = first(where: \.isPrimaryKey), key.baseType == "integer" else { return nil }
    let query = try connection.query(
      "SELECT count(*) FROM pragma_table_info(?) WHERE pk > 0", .text(table))
    return try query.step() && query.integer(at: 0) == 1 ? key.name : nil
  }

  /// The columns of a view.
  ///
  /// Computed columns declare no type; they get the type of the values in the first rows.
  fileprivate func typed(
    byRowsOf view: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> [TableColumn] {
    let computed = indices.filter { ["", "num"].contains(self[$0].baseType) }
    let types = computed.map { "typeof(\(SQLIdentifier.quoted(self[$0].name)))" }
    let sql = """
      SELECT \(types.joined(separator: ", ")) FROM \(SQLIdentifier.quoted(view))
      LIMIT 256
      """
    guard !computed.isEmpty else { return self }
    var found = [Set<String>](repeating: [], count: computed.count)
    _ = try connection.attempt(withinSteps: SchemaItem.stepLimit) {
      connection throws(DatabaseError) in
      // A view of what is not there says so when its rows are read.
      guard let query = try connection.optionalQuery(sql) else { return }
      while try query.stepUnlessBroken() {
        for index in computed.indices { found[index].insert(query.text(at: index)) }
      }
    }
    var columns = self
    for (index, types) in zip(computed, found) {
      columns[index].declaredType = Self.declaredType(holding: types)
    }
    return columns
  }

  /// A declared type for values of some storage classes.
  private static func declaredType(holding types: Set<String>) -> String {
    switch types.subtracting(["null"]) {
    case ["integer"]: "INTEGER"
    case ["real"], ["integer", "real"]: "DOUBLE"
    case ["blob"]: "BLOB"
    default: "TEXT"
    }
  }

  /// The column that identifies the rows of a view, as GDAL and QGIS choose it; `nil` if none
  /// looks so.
  fileprivate var viewKey: String? {
    let conventional = ["ogc_fid", "fid", "objectid", "id"].lazy.compactMap { name in
      first { $0.name.isSameName(as: name) && $0.baseType.contains("int") }
    }
    return conventional.first?.name
  }
}

extension SchemaItem {
  /// How many steps of SQLite finding out what a view holds may take, which are less than a second: a view
  /// may have to go through whole tables before its first row.
  fileprivate static let stepLimit = 20_000_000
}

extension GeometryColumn {
  /// Reads what the file says about the shapes of a table; `nil` if it has none.
  fileprivate static func readGeoPackage(
    _ item: SchemaItem, _ columns: [TableColumn], _ connection: borrowing Connection
  ) throws(DatabaseError) -> GeometryColumn? {
    guard let row = try GeoPackageTables.geometry(of: item.name, connection),
      let column = columns.first(where: { $0.name.isSameName(as: row.column) })
    else { return nil }
    var shapes = FirstShapes(type: GeometryType(geoPackageName: row.typeName), areForeign: false)
    // Columns may be declared to hold any shape, or curves, which others fill with straight lines.
    if shapes.type == nil || GeometryType.mayBeCurved(geoPackageName: row.typeName) {
      let first = try firstShapes(of: item, column.name, connection)
      if shapes.type == nil || first.areForeign { shapes = first }
    }
    let index = try spatialIndex(of: item.name, column.name, connection)
    var geometry = GeometryColumn(
      name: column.name, type: shapes.type, hasZ: row.hasZ, hasM: row.hasM,
      srid: row.srsID, precision: nil, index: index, format: GeoPackageFormat())
    geometry.holdsForeignShapes = shapes.areForeign
    geometry.mayLackHeights = row.mayLackHeights
    geometry.mayMixShapes = GeometryType(geoPackageName: row.typeName) == nil
    return geometry
  }

  private static func firstShapes(
    of item: SchemaItem, _ column: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> FirstShapes {
    func look(_ connection: borrowing Connection) throws(DatabaseError) -> FirstShapes {
      try unsafe FirstShapes.read(of: item.name, column, connection) {
        bytes throws(StoredShapeError) in try unsafe GeoPackageBinary.geometry(of: bytes)?.type
      }
    }
    guard item.isView else { return try look(connection) }
    let found = try connection.attempt(withinSteps: SchemaItem.stepLimit, look)
    return found ?? FirstShapes(type: nil, areForeign: false)
  }

  private static func spatialIndex(
    of table: String, _ column: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> String? {
    let name = "rtree_\(table)_\(column)"
    let columns = try SystemTables.columns(of: name, connection).prefix(5)
    return columns.map { $0.name.lowercased() } == ["id", "minx", "maxx", "miny", "maxy"]
      ? name : nil
  }
}

extension GeometryType {
  /// The kind that a name in `gpkg_geometry_columns` stands for; `nil` for those that hold any.
  fileprivate init?(geoPackageName name: String) {
    switch name {
    case _ where Self.mayBeCurved(geoPackageName: name):
      self = name.contains("POLYGON") || name.contains("SURFACE") ? .polygon : .polyline
    case "POINT": self = .point
    case "MULTIPOINT": self = .multipoint
    case "LINESTRING", "MULTILINESTRING": self = .polyline
    case "POLYGON", "MULTIPOLYGON": self = .polygon
    default: return nil
    }
  }

  /// Whether a name there stands for lines or areas with curves.
  fileprivate static func mayBeCurved(geoPackageName name: String) -> Bool {
    [
      "CIRCULARSTRING", "COMPOUNDCURVE", "CURVE", "MULTICURVE", "CURVEPOLYGON", "SURFACE",
      "MULTISURFACE",
    ].contains(name)
  }
}

extension TableColumn {
  /// The field that a column is when nothing but its declaration describes it.
  ///
  /// - SeeAlso: [Column data types](https://www.geopackage.org/spec131/#table_column_data_types)
  var geoPackageField: Field {
    let type: FieldType =
      switch baseType {
      case "boolean", "tinyint", "smallint": .smallInteger
      case "mediumint": .integer
      case "int", "integer": .bigInteger
      case "float": .single
      case "double", "real", "double precision", "numeric", "decimal": .double
      case "blob": .blob
      case "date": .dateOnly
      case "datetime", "timestamp": .date
      case let name where name.contains("int"): .bigInteger
      default: .string
      }
    return Field(
      name, type, length: type == .string || type == .blob ? length : nil,
      isNullable: isGenerated || !isRequired && !isPrimaryKey,
      isEditable: !isPrimaryKey && !isGenerated,
      defaultValue: defaultValue(as: type))
  }

  /// Whether SQLite has a default for the column that the field does not name, such as an expression.
  func computesDefault(of field: Field) -> Bool {
    guard let sql = defaultSQL, sql.lowercased() != "null" else { return false }
    return field.defaultValue.flatMap(field.type.normalized) == nil
  }

  /// The default, where it is a plain number or text.
  private func defaultValue(as type: FieldType) -> AttributeValue? {
    guard let sql = defaultSQL, sql.lowercased() != "null" else { return nil }
    if sql.count > 1, sql.first == "'", sql.last == "'" {
      let literal = String(sql.dropFirst().dropLast())
      // An expression may begin and end with a text, too.
      guard !literal.replacing("''", with: "").contains("'") else { return nil }
      return AttributeValue(constraintText: literal.replacing("''", with: "'"), as: type)
    }
    guard type.isNumeric, Double(sql) != nil else { return nil }
    return AttributeValue(constraintText: sql, as: type)
  }
}
