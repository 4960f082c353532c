internal import PortolanGeometry
package import PortolanSQLite

/// The system tables of a geodatabase, asked a row at a time.
///
/// Any of them may be missing; what they would say is then unknown.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2
package enum SystemTables {
  /// A row of `st_geometry_columns`.
  struct GeometryRow {
    let table: String
    let column: String
    let typeNumber: Int
    let srid: Int
  }

  /// A row of `st_aux_spatial_reference_systems`.
  struct ReferenceRow {
    let authorityID: Int?
    let text: String?
    let precision: CoordinatePrecision
  }

  /// The columns of a table; empty if there is no such table.
  ///
  /// Those are left out that SQLite would compute with functions of another program.
  package static func columns(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> [TableColumn] {
    let query = try connection.query(
      """
      SELECT name, type, pk, "notnull", dflt_value, hidden > 1,
        pk = 1 AND (SELECT count(*) FROM pragma_table_xinfo(?1) WHERE pk > 0) = 1
      FROM pragma_table_xinfo(?1) WHERE hidden <> 1
      """, .text(table))
    var columns: [TableColumn] = []
    while try query.step() {
      let column = TableColumn(
        name: query.text(at: 0), declaredType: query.text(at: 1),
        isPrimaryKey: query.integer(at: 2) == 1, isWholeKey: query.integer(at: 6) != 0,
        isRequired: query.integer(at: 3) != 0,
        defaultSQL: query.isNull(at: 4) ? nil : query.text(at: 4),
        isGenerated: query.integer(at: 5) != 0)
      if column.isGenerated, try !canRead(column.name, of: table, connection) { continue }
      columns.append(column)
    }
    return columns
  }

  private static func canRead(
    _ column: String, of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    let sql = """
      SELECT \(SQLIdentifier.quoted(column)) FROM \(SQLIdentifier.quoted(table)) LIMIT 0
      """
    guard let query = try connection.optionalQuery(sql) else { return false }
    return try !query.step()
  }

  /// The entry of a table in the registry.
  struct RegistryRow {
    /// The name as it was registered.
    let table: String
    /// The column with the object id, if there is one.
    let objectIDColumn: String?
  }

  /// The row of a table in the registry.
  static func registryRow(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> RegistryRow? {
    guard
      let query = try connection.optionalQuery(
        """
        SELECT table_name, rowid_column FROM GDB_TableRegistry
        WHERE table_name = ? COLLATE NOCASE
        """, .text(table)), try query.step()
    else { return nil }
    let column = query.text(at: 1)
    return RegistryRow(
      table: query.text(at: 0), objectIDColumn: column.isEmpty ? nil : column)
  }

  /// What is said about the shapes of a table, or of all tables.
  static func geometryRows(
    of table: String? = nil, _ connection: borrowing Connection
  ) throws(DatabaseError) -> [GeometryRow] {
    let condition = table == nil ? "?" : "f_table_name = ? COLLATE NOCASE"
    guard
      let query = try connection.optionalQuery(
        """
        SELECT f_table_name, f_geometry_column, geometry_type, srid FROM st_geometry_columns
        WHERE \(condition) ORDER BY rowid
        """, table.map { .text($0) } ?? .integer(1))
    else { return [] }
    var rows: [GeometryRow] = []
    while try query.step() {
      rows.append(
        GeometryRow(
          table: query.text(at: 0), column: query.text(at: 1),
          typeNumber: Int(query.integer(at: 2)), srid: Int(query.integer(at: 3))))
    }
    return rows
  }

  /// The spatial reference of a number, if this file defines it.
  static func reference(
    _ srid: Int, _ connection: borrowing Connection
  ) throws(DatabaseError) -> ReferenceRow? {
    guard
      let query = try connection.optionalQuery(
        """
        SELECT auth_srid, srtext, falsex, falsey, xyunits, falsez, zunits, falsem, munits
        FROM st_aux_spatial_reference_systems WHERE srid = ?
        """, .integer(Int64(srid))), try query.step()
    else { return nil }
    return ReferenceRow(
      authorityID: query.isNull(at: 0) ? nil : Int(query.integer(at: 0)),
      text: query.isNull(at: 1) ? nil : query.text(at: 1),
      precision: CoordinatePrecision(
        xOrigin: query.real(at: 2), yOrigin: query.real(at: 3), xyScale: query.real(at: 4),
        zOrigin: query.real(at: 5), zScale: query.real(at: 6), mOrigin: query.real(at: 7),
        mScale: query.real(at: 8)))
  }

  /// The spatial reference of a number; `nil` if it stands for an unknown one.
  static func spatialReference(
    _ srid: Int, _ connection: borrowing Connection
  ) throws(DatabaseError) -> SpatialReference? {
    guard srid >= leastCustomReference else {
      return srid > 0 ? SpatialReference(wkid: srid, latestWKID: srid) : nil
    }
    guard srid != leastCustomReference, let row = try reference(srid, connection) else {
      return nil
    }
    // A table has a row of its own for its grid, also where nothing is known of its coordinates.
    let text = row.text == unknownReference ? nil : row.text
    return row.authorityID == nil && text == nil
      ? nil : SpatialReference(wkid: row.authorityID, wkt: text)
  }

  /// From here on numbers mean rows of this file; the first one stands for "unknown".
  private static let leastCustomReference = 300_000
  /// The text in place of a definition where none is known.
  static let unknownReference = "UNKNOWN"

  /// The XML definition of a table, relationship class or domain.
  ///
  /// Names are qualified (`main.Trails`), and their case need not be that of the table.
  static func definition(
    of name: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> String? {
    // The first two are found through indexes, the last is for other qualifiers.
    let attempts: [(condition: String, value: String)] = [
      ("Name = ?", "main.\(name)"),
      ("PhysicalName = ?", "MAIN.\(name.uppercased())"),
      ("upper(substr(Name, -length(?1) - 1)) = '.' || upper(?1)", name),
    ]
    for attempt in attempts {
      guard
        let query = try connection.optionalQuery(
          "SELECT Definition FROM GDB_Items WHERE \(attempt.condition) AND Definition <> ''",
          .text(attempt.value))
      else { return nil }
      if try query.step() { return query.text(at: 0) }
    }
    return nil
  }

  /// A layer or table of the service that a geodatabase came from.
  struct ServiceItem: Sendable {
    let id: Int
    /// The name of the table, without qualifiers.
    let table: String
    /// The layer resource as JSON text.
    let info: String
  }

  /// The layers and tables of the service, in its order.
  static func serviceItems(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [ServiceItem] {
    guard
      let query = try connection.optionalQuery(
        """
        SELECT ItemId, DatasetName, ItemInfo FROM GDB_ServiceItems WHERE ItemType = 1
        ORDER BY ItemId, rowid
        """)
    else { return [] }
    var items: [ServiceItem] = []
    while try query.step() {
      items.append(
        ServiceItem(
          id: Int(query.integer(at: 0)), table: TableName.unqualified(query.text(at: 1)),
          info: query.text(at: 2)))
    }
    return items
  }

  /// The extent that the layer list declares for a table, if it is set.
  static func extent(
    of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Envelope? {
    guard
      let query = try connection.optionalQuery(
        "SELECT minx, miny, maxx, maxy FROM GDB_Layers WHERE table_name = ? COLLATE NOCASE",
        .text(table)), try query.step()
    else { return nil }
    let extent = Envelope(
      xMin: query.real(at: 0), yMin: query.real(at: 1), xMax: query.real(at: 2),
      yMax: query.real(at: 3))
    // 9.999e+35 to -9.999e+35 means that none was computed.
    return extent.isEmpty || abs(extent.xMin) > 1e35 ? nil : extent
  }

  /// The definitions of all items of some types, in the order of the file.
  static func definitions(
    ofTypes types: [ItemType], _ connection: borrowing Connection
  ) throws(DatabaseError) -> [(name: String, definition: String)] {
    let list = types.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    guard
      let query = try connection.optionalQuery(
        "SELECT Name, Definition FROM GDB_Items WHERE Type IN (\(list)) ORDER BY rowid")
    else { return [] }
    var items: [(name: String, definition: String)] = []
    while try query.step() { items.append((query.text(at: 0), query.text(at: 1))) }
    return items
  }
}

extension Connection {
  /// Starts a query, or returns `nil` if it names a table or column that the file does not have.
  package func optionalQuery(
    _ sql: String, _ values: SQLValue...
  ) throws(DatabaseError) -> Query? {
    do {
      let query = try self.query(sql)
      for (index, value) in values.enumerated() { try query.bind(value, at: index + 1) }
      return query
    } catch  where error.code == .sql {
      // The SQL is our own and right, so it is the file that lacks something.
      return nil
    }
  }
}

extension Query {
  /// Moves to the next row; `false` also where SQLite cannot compute one, as when it takes text for JSON:
  /// that is reported when the row is read.
  package func stepUnlessBroken() throws(DatabaseError) -> Bool {
    do { return try step() } catch {
      guard error.code == .sql else { throw error }
      return false
    }
  }
}
