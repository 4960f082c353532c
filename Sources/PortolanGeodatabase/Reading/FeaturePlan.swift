internal import PortolanFeatureTables
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanSQLite

/// The plan of a query: its SQL, and the meaning of the result's columns.
///
/// Rows come in the order of the query. Where SQLite has to sort, it sorts keys only, and reads
/// each row when its turn comes, so that no more than keys are held.
struct FeaturePlan: Sendable {
  let storage: TableStorage
  /// The fields of the features, in the order of the columns.
  let fieldList: FieldList
  let columnTypes: [ColumnType]
  let sql: String
  let values: [SQLValue]
  let returnsGeometry: Bool
  /// The box that shapes must meet, where SQLite cannot test it exactly.
  let exactExtent: Envelope?
  /// What is left out, and how much is read, after ``exactExtent`` has been tested.
  let offset: Int
  let limit: Int?
  let usesWhereFunctions: Bool

  /// The column of the shape; the object id comes first, then the fields.
  var geometryColumn: Int { fieldList.fields.count + 1 }

  /// Plans a query under conditions that hold beside its own, and looks its extent up in the spatial
  /// index if there is one and `usesIndex` says so.
  init(
    _ query: QueryParameters, conditions: RowConditions, of storage: TableStorage,
    schema: FeatureTableSchema, usingIndex usesIndex: Bool = true
  ) throws(FeatureStoreError) {
    var conditions = conditions
    self.storage = storage
    let fields = try Self.fields(query.outFields, schema)
    fieldList = FieldList(fields)
    columnTypes = fields.map(ColumnType.init(of:))
    // Rows are worth more than shapes that nobody can read, each of which would refuse its row.
    let isReadable = storage.geometry.map {
      !$0.holdsForeignShapes || schema.geometryType != nil
    }
    returnsGeometry = query.returnsGeometry && isReadable == true
    exactExtent = query.extent
    if usesIndex, let extent = query.extent, let index = storage.geometry?.index {
      conditions.add(.meets, extent, index: index, of: storage)
    }
    let isLimitedBySQL = query.extent == nil
    offset = isLimitedBySQL ? 0 : max(0, query.offset)
    limit = isLimitedBySQL ? nil : query.limit
    usesWhereFunctions = conditions.usesWhereFunctions
    let columns = Self.columns(
      of: fields, storage, withGeometry: returnsGeometry || !isLimitedBySQL)
    let order = try Self.order(query.orderBy, storage, schema)
    sql = Self.sql(columns, conditions.sql, order, storage)
    values =
      conditions.values + [
        .integer(Int64(isLimitedBySQL ? query.limit ?? -1 : -1)),
        .integer(Int64(isLimitedBySQL ? max(0, query.offset) : 0)),
      ]
  }

  private static func sql(
    _ columns: String, _ conditions: String, _ order: String?, _ storage: TableStorage
  ) -> String {
    guard let order else {
      return """
        SELECT \(columns) FROM \(storage.source) AS t \(conditions)
        ORDER BY t.\(storage.rowKey) LIMIT ? OFFSET ?
        """
    }
    // A view may show an id in several rows, each of which would be found once for every other.
    guard !storage.isView else {
      return """
        SELECT \(columns) FROM \(storage.source) AS t \(conditions)
        ORDER BY \(order) LIMIT ? OFFSET ?
        """
    }
    return """
      SELECT \(columns) FROM (
        SELECT t.\(storage.rowKey) AS key FROM \(storage.source) AS t \(conditions)
        ORDER BY \(order) LIMIT ? OFFSET ?
      ) AS keys CROSS JOIN \(storage.source) AS t ON t.\(storage.rowKey) = keys.key
      """
  }

  private static func columns(
    of fields: [Field], _ storage: TableStorage, withGeometry: Bool
  ) -> String {
    var names = [storage.objectIDColumn]
    names += fields.map { storage.column(named: $0.name)?.name ?? $0.name }
    if withGeometry, let geometry = storage.geometry { names.append(geometry.name) }
    return names.map { "t.\(SQLIdentifier.quoted($0))" }.joined(separator: ", ")
  }

  /// The terms to sort by; `nil` where rows already lie in order.
  private static func order(
    _ orderBy: [QueryParameters.OrderBy], _ storage: TableStorage, _ schema: FeatureTableSchema
  ) throws(FeatureStoreError) -> String? {
    if orderBy.isEmpty, storage.hasObjectIDAsRowID { return nil }
    var terms: [String] = []
    for order in orderBy {
      // Ids that only number the rows are no column.
      let isID = order.field.isSameName(as: storage.objectIDColumn)
      let known = isID ? storage.objectIDColumn : storage.column(named: order.field)?.name
      guard let field = schema.field(named: order.field), let column = known else {
        throw .noSuchField(name: order.field, table: schema.name)
      }
      let direction = order.isDescending ? " DESC" : ""
      let name = "t.\(SQLIdentifier.quoted(column))"
      let value = field.type == .date ? storage.format.dialect.order(ofMoments: name) : name
      terms.append("\(value)\(direction)")
    }
    return (terms + ["t.\(SQLIdentifier.quoted(storage.objectIDColumn))"]).joined(separator: ", ")
  }

  private static func fields(
    _ names: [String]?, _ schema: FeatureTableSchema
  ) throws(FeatureStoreError) -> [Field] {
    guard let names, !names.contains("*") else { return schema.fields }
    var fields: [Field] = []
    for name in names {
      guard let field = schema.field(named: name) else {
        throw .noSuchField(name: name, table: schema.name)
      }
      fields.append(field)
    }
    return fields
  }
}
