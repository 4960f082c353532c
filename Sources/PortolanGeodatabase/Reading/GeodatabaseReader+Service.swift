public import PortolanFeatures
public import PortolanJSON
internal import PortolanSQLite

/// What the service that a geodatabase was made from said about its tables.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2, `GDB_ServiceItems`
extension GeodatabaseReader {
  /// The name of the table that packages refer to by `?itemId=`; `nil` if there is none.
  ///
  /// The same number as `FeatureTableSchema.serviceLayerID`.
  public borrowing func tableName(
    ofServiceLayer id: Int
  ) throws(FeatureStoreError) -> String? {
    let query = try optionalStatement(
      "SELECT DatasetName FROM GDB_ServiceItems WHERE ItemType = 1 AND ItemId = ?",
      .integer(Int64(id)))
    guard let query, try step(query, "the list of tables") else { return nil }
    return TableName.unqualified(query.text(at: 0))
  }

  /// The layer resource of a table as the service described it, drawing included; `nil` if it
  /// did not, or not in JSON.
  ///
  /// Of a table in a GeoPackage, the one that Portolan's writer kept beside it.
  public borrowing func layerResource(
    of table: String
  ) throws(FeatureStoreError) -> JSONObject? {
    let name = try storage(of: table).name
    return try translating("the description of \(name)") { () throws(DatabaseError) in
      try source.format.layerResource(of: name, connection)
    }
  }

  /// The `drawingInfo` of a table with CIM symbols; `nil` if there is none.
  public borrowing func advancedDrawingInfo(
    of table: String
  ) throws(FeatureStoreError) -> JSONObject? {
    let name = try storage(of: table).name
    return try translating("the description of \(name)") { () throws(DatabaseError) in
      try ServiceItems.json(in: "AdvancedDrawingInfo", of: name, connection)
    }
  }

  private borrowing func optionalStatement(
    _ sql: String, _ value: SQLValue
  ) throws(FeatureStoreError) -> Query? {
    do { return try connection.optionalQuery(sql, value) } catch {
      throw source.location.failure(error, in: "the list of tables")
    }
  }
}

/// The rows of `GDB_ServiceItems`, which say what the service said about its layers.
enum ServiceItems {
  /// The JSON in a column for a table; `nil` if there is none.
  static func json(
    in column: String, of table: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> JSONObject? {
    let query = try connection.optionalQuery(
      """
      SELECT \(column) FROM GDB_ServiceItems WHERE ItemType = 1 AND \(column) <> ''
        AND (DatasetName = ?1 COLLATE NOCASE
          OR upper(substr(DatasetName, -length(?1) - 1)) = '.' || upper(?1))
      """, .text(table))
    guard let query, try query.step() else { return nil }
    // Drawing that cannot be read is as good as none; the features are what matters.
    return try? JSONValue(parsing: query.text(at: 0)).object
  }
}
