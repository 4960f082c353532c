internal import PortolanGeometry
internal import PortolanSQLite

extension RegistryRows {
  /// Registers the extents of the items, which are layer 1.
  func writeItemLayer(on connection: borrowing Connection) throws(DatabaseError) {
    let shapes = TableLayout.Shapes(
      column: SystemTable.itemShapeColumn, type: .polygon, layerID: 1, reference: .wgs84,
      hasZ: false, hasM: false)
    try write(shapes, ofTable: SystemTable.items.name, items.extent, on: connection)
  }

  /// Registers the shapes of a table.
  func write(
    _ shapes: TableLayout.Shapes, of table: TableLayout, _ extent: Envelope,
    on connection: borrowing Connection
  ) throws(DatabaseError) {
    try write(shapes, ofTable: table.name, extent, on: connection)
  }

  private func write(
    _ shapes: TableLayout.Shapes, ofTable table: String, _ extent: Envelope,
    on connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.insert(
      into: "st_geometry_columns",
      [
        "f_table_name": .text(table), "f_geometry_column": .text(shapes.column),
        "geometry_type": .integer(shapes.registryType),
        "coord_dimension": .integer(2 + (shapes.hasZ ? 1 : 0) + (shapes.hasM ? 1 : 0)),
        "srid": .integer(shapes.reference.srid), "spatial_index_type": "RTREEXY",
      ])
    // What real files have where there is no shape yet.
    let unset = Envelope(xMin: 9.999e35, yMin: 9.999e35, xMax: -9.999e35, yMax: -9.999e35)
    let extent = extent.isEmpty ? unset : extent
    let height: SQLValue = shapes.hasZ ? .real(0) : .null
    try connection.insert(
      into: "GDB_Layers",
      [
        "layer_id": .integer(shapes.layerID), "description": .null, "table_name": .text(table),
        "spatial_column": .text(shapes.column), "eflags": .integer(shapes.layerFlags),
        "layer_mask": 0, "minx": .real(extent.xMin), "miny": .real(extent.yMin),
        "maxx": .real(extent.xMax), "maxy": .real(extent.yMax), "minz": height, "minm": .null,
        "maxz": height, "maxm": .null, "cdate": .integer(moment), "minimum_id": 1,
        "srid": .integer(shapes.reference.srid), "base_layer_id": 0,
      ])
  }
}

extension TableLayout.Shapes {
  /// The number in `st_geometry_columns.geometry_type`, as in ISO well-known binary.
  fileprivate var registryType: Int64 {
    let base: Int64 =
      switch type {
      case .point: 1
      case .multipoint: 4
      case .polyline: 5
      case .polygon, .envelope: 6
      }
    return base + (hasZ ? 1000 : 0) + (hasM ? 2000 : 0)
  }

  /// The bits in `GDB_Layers.eflags`, as seen in real files.
  ///
  /// Nil shapes allowed, the kind, several parts allowed, heights. The bit for measures was not
  /// seen and is left unset.
  fileprivate var layerFlags: Int64 {
    let kind: Int64 =
      switch type {
      case .point: 0x2
      case .multipoint: 0x4_0002
      case .polyline: 0x4_000C
      case .polygon, .envelope: 0x4_0010
      }
    return 0x0440_0081 | kind | (hasZ ? 0x1_0000 : 0)
  }
}

extension TableLayout {
  /// The bits in `GDB_TableRegistry.object_flags`, as seen in real files.
  var registryFlags: Int64 { 3 | (shapes == nil ? 0 : 0x4004) | (isTracked ? 0x4_0000 : 0) }
}
