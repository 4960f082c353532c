internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanSQLite

/// Registers the tables of a new geodatabase, their columns and their shapes.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2
struct RegistryRows {
  let plan: GeodatabasePlan
  /// How far each table was filled, in the order of the plan.
  let fills: [TableFill]
  /// The definitions of the items.
  let items: ItemRows
  /// Seconds since 1970.
  let moment: Int64

  func write(on connection: borrowing Connection) throws(DatabaseError) {
    try writeVersion(on: connection)
    for reference in plan.references { try write(reference, on: connection) }
    try writeTables(on: connection)
    try writeItemLayer(on: connection)
    for (table, fill) in zip(plan.tables, fills) {
      if let shapes = table.shapes { try write(shapes, of: table, fill.extent, on: connection) }
    }
    for name in ["GDB_Layers", "GDB_TableRegistry"] {
      try connection.insert(
        into: "GDB_TablesModified",
        ["table_name": .text(name), "time_last_modified": .integer(moment)])
    }
    for table in SystemTable.registered.dropFirst() {
      try connection.insert(
        into: "GDB_Tables_Last_Modified",
        ["table_name": .text(table.name.uppercased()), "last_modified_count": 0])
    }
  }

  /// The release that the layout was taken from.
  private func writeVersion(on connection: borrowing Connection) throws(DatabaseError) {
    try connection.insert(
      into: "GDB_Version",
      [
        "major": 10, "minor": 5, "bugfix": 1, "description": "10.5.1 Geodatabase",
        "release": 105_011, "sdesvr_rel_low": 93_001,
      ])
  }

  private func write(
    _ registered: RegisteredReference, on connection: borrowing Connection
  ) throws(DatabaseError) {
    let isUnknown = registered.srid == RegisteredReference.firstCustomID
    let precision = registered.precision
    let id = isUnknown ? registered.srid : registered.reference?.currentWKID.map(Int64.init)
    let tolerances: [SQLValue] =
      isUnknown ? [.null, .null] : [.real(registered.tolerance), .real(0.001)]
    try connection.insert(
      into: "st_aux_spatial_reference_systems",
      [
        "srid": .integer(registered.srid),
        "auth_name": id.map { .text($0 > 32_767 ? "ESRI" : "EPSG") } ?? .null,
        "auth_srid": id.map { .integer($0) } ?? .null,
        "srtext": .text(registered.wkt ?? SystemTables.unknownReference),
        "falsex": .real(precision.xOrigin),
        "falsey": .real(precision.yOrigin), "xyunits": .real(precision.xyScale),
        "falsez": .real(isUnknown ? 0 : precision.zOrigin),
        "zunits": .real(isUnknown ? 1 : precision.zScale),
        "falsem": .real(isUnknown ? 0 : precision.mOrigin),
        "munits": .real(isUnknown ? 1 : precision.mScale), "xycluster_tol": tolerances[0],
        "zcluster_tol": tolerances[1], "mcluster_tol": tolerances[1], "object_flags": 1,
      ])
  }

  private func writeTables(on connection: borrowing Connection) throws(DatabaseError) {
    for (index, table) in SystemTable.registered.enumerated() {
      try write(table, id: Int64(index + 1), on: connection)
    }
    for (table, fill) in zip(plan.tables, fills) {
      try register(
        table.name, id: table.registrationID, rowIDColumn: table.schema.objectIDField,
        flags: table.registryFlags, on: connection)
      for column in table.columns {
        try register(column, of: table.name, layerID: table.shapes?.layerID, on: connection)
      }
      try writeGenerator(table.registrationID, lastID: fill.lastObjectID, on: connection)
    }
    let lastID = Int64(SystemTable.registered.count + plan.tables.count + 1)
    try write(.serviceItems, id: lastID, on: connection)
  }

  private func write(
    _ table: SystemTable, id: Int64, on connection: borrowing Connection
  ) throws(DatabaseError) {
    try register(
      table.name, id: id, rowIDColumn: table.rowIDColumn, flags: table.registryFlags,
      on: connection)
    for column in table.columns {
      try register(column, of: table.name, layerID: 1, on: connection)
    }
    guard let rowIDColumn = table.rowIDColumn else { return }
    let query = try connection.query("SELECT max(\(rowIDColumn)) FROM \(table.name)")
    let lastID = try query.step() ? query.integer(at: 0) : 0
    try writeGenerator(id, lastID: lastID, on: connection)
  }

  private func register(
    _ table: String, id: Int64, rowIDColumn: String?, flags: Int64,
    on connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.insert(
      into: "GDB_TableRegistry",
      [
        "registration_id": .integer(id), "table_name": .text(table),
        "rowid_column": rowIDColumn.map { .text($0) } ?? .null, "description": .null,
        "object_flags": .integer(flags), "registration_date": .integer(moment), "minimum_id": 1,
      ])
  }

  private func register(
    _ column: ColumnLayout, of table: String, layerID: Int64?,
    on connection: borrowing Connection
  ) throws(DatabaseError) {
    let isShape = column.type == .geometry
    let hasDigits = column.type == .float32 || column.type == .float64
    try connection.insert(
      into: "GDB_ColumnRegistry",
      [
        "table_name": .text(table), "column_name": .text(column.name),
        "sde_type": .integer(column.type.registryNumber),
        "column_size": column.type.registrySize.map { .integer($0) } ?? .null,
        "decimal_digits": hasDigits ? 0 : .null,
        "description": column.registryDescription.map { .text($0) } ?? .null,
        "object_flags": .integer(column.registryFlags),
        "object_id": isShape ? layerID.map { .integer($0) } ?? .null : .null,
      ])
  }

  private func writeGenerator(
    _ id: Int64, lastID: Int64, on connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.insert(
      into: "GDB_RowidGenerators",
      [
        "registration_id": .integer(id), "base_id": .integer(lastID + 1), "num_ids": -1,
        "last_id": .integer(lastID + 1),
      ])
  }
}
