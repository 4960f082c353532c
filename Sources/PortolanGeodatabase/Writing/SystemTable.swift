internal import PortolanSQLite

/// The tables that every mobile geodatabase has, besides those for its rows.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2
struct SystemTable: Sendable {
  var name: String
  var columns: [ColumnLayout]
  /// The columns to look for items by, each with the name of its index.
  var indexes: [(name: String, column: String)] = []
  /// The number in `GDB_TableRegistry.object_flags`, as seen in real files.
  var registryFlags: Int64

  /// The column with the object id, if there is one.
  var rowIDColumn: String? { columns.first { $0.role == .rowID }?.name }

  /// Make the table and its indexes.
  var statements: [String] {
    let unique: (ColumnLayout) -> String = { $0.role == .globalID || $0.isKey ? " unique" : "" }
    let columns = columns.map { $0.declaration + unique($0) }.joined(separator: ", ")
    let indexes = indexes.map { "CREATE INDEX \($0.name) ON \(name) (\($0.column) ASC)" }
    return ["CREATE TABLE \(name) (\(columns))"] + indexes
  }

  /// The column of the extents in `GDB_Items`.
  static let itemShapeColumn = "Shape"

  /// The spatial index of those extents.
  static let itemIndexName = "st_spindex__GDB_Items_Shape"

  /// Those that `GDB_TableRegistry` lists before the tables of the definition.
  static let registered =
    [lastModified, items, itemRelationships, itemTypes, relationshipTypes]
    + [replicaLog]

  private static let lastModified = SystemTable(
    name: "GDB_Tables_Last_Modified",
    columns: [
      .required("table_name", .text(length: 160)), .required("last_modified_count", .int32),
    ], registryFlags: 0)

  static let items = SystemTable(
    name: "GDB_Items",
    columns: [
      .rowID("ObjectID"), .uuid, .required("Type", .guid), .optional("Name", .text(length: 226)),
      .optional("PhysicalName", .text(length: 226)), .optional("Path", .text(length: 512)),
      .optional("Url", .text(length: 255)), .optional("Properties", .int32),
      .optional("Defaults", .blob(length: 52_428_800)), .optional("DatasetSubtype1", .int32),
      .optional("DatasetSubtype2", .int32), .optional("DatasetInfo1", .text(length: 255)),
      .optional("DatasetInfo2", .text(length: 255)), .optional("Definition", .xml),
      .optional("Documentation", .xml), .optional("ItemInfo", .xml),
      .optional(itemShapeColumn, .geometry),
    ],
    indexes: [
      ("Items_Type_idx", "Type"), ("Items_Name_idx", "Name"),
      ("Items_PhysicalName_idx", "PhysicalName"),
    ], registryFlags: 4_210_695)

  static let itemRelationships = SystemTable(
    name: "GDB_ItemRelationships",
    columns: [
      .rowID("ObjectID"), .uuid, .required("Type", .guid), .required("OriginID", .guid),
      .required("DestID", .guid), .optional("Properties", .int32), .optional("Attributes", .xml),
    ],
    indexes: [
      ("GDB_ItemRel_Type_idx", "Type"), ("GDB_ItemRel_OriginID_idx", "OriginID"),
      ("GDB_ItemRel_DestID_idx", "DestID"),
    ], registryFlags: 4_194_307)

  static let itemTypes = SystemTable(
    name: "GDB_ItemTypes",
    columns: [
      .rowID("ObjectID"), .uuid, .required("Name", .text(length: 226)),
      .required("ParentTypeID", .guid),
    ],
    indexes: [
      ("ItemTypes_Name_idx", "Name"), ("ItemTypes_ParentTypeID_idx", "ParentTypeID"),
    ], registryFlags: 3)

  static let relationshipTypes = SystemTable(
    name: "GDB_ItemRelationshipTypes",
    columns: [
      .rowID("ObjectID"), .uuid, .required("Name", .text(length: 226)),
      .optional("ForwardLabel", .text(length: 226)),
      .optional("BackwardLabel", .text(length: 226)), .required("OrigItemTypeID", .guid),
      .required("DestItemTypeID", .guid), .optional("IsContainment", .int16),
    ],
    indexes: [
      ("ItmRTypes_Name_idx", "Name"), ("ItmRTypes_ForwardLabel_idx", "ForwardLabel"),
      ("ItmRTypes_BackwardLabel_idx", "BackwardLabel"),
      ("ItmRTypes_OrigItemTypeID_idx", "OrigItemTypeID"),
      ("ItmRTypes_DestItemTypeID_idx", "DestItemTypeID"),
    ], registryFlags: 3)

  static let replicaLog = SystemTable(
    name: "GDB_ReplicaLog",
    columns: [
      .rowID("ID"), .required("ReplicaID", .int32), .required("Event", .int32),
      .required("ErrorCode", .int32), .required("LogDate", .realDate),
      .required("SourceBeginGen", .int32), .required("SourceEndGen", .int32),
      .required("TargetGen", .int32),
    ], registryFlags: 3)

  /// The one that `GDB_TableRegistry` lists last.
  static let serviceItems = SystemTable(
    name: "GDB_ServiceItems",
    columns: [
      .rowID("OBJECTID"), .required("ItemType", .int16), .required("ItemInfo", .longText),
      .required("ItemId", .int32), .required("DatasetName", .text(length: 1024)),
      .optional("AdvancedDrawingInfo", .longText),
    ], registryFlags: 3)
}

extension ColumnLayout {
  fileprivate static func rowID(_ name: String) -> ColumnLayout {
    ColumnLayout(name: name, type: .int32, isNullable: false, role: .rowID)
  }

  fileprivate static var uuid: ColumnLayout {
    ColumnLayout(name: "UUID", type: .guid, isNullable: false, role: .globalID)
  }

  fileprivate static func required(_ name: String, _ type: ColumnType) -> ColumnLayout {
    ColumnLayout(name: name, type: type, isNullable: false)
  }

  fileprivate static func optional(_ name: String, _ type: ColumnType) -> ColumnLayout {
    ColumnLayout(name: name, type: type)
  }

  /// Whether the name of a table is the key.
  fileprivate var isKey: Bool { name == "table_name" }
}
