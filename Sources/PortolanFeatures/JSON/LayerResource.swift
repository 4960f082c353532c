public import PortolanJSON

/// A layer or table as a feature service, or the `GDB_ServiceItems` of a geodatabase, describes
/// it, with the name of the table that holds its rows.
///
/// - SeeAlso: [Layer / Table](https://developers.arcgis.com/rest/services-reference/enterprise/layer-table/);
///   Docs/FORMATS.md, 2.2
public struct LayerResource: Hashable, Sendable {
  /// The name of the table.
  public var tableName: String
  /// The description.
  public var json: JSONValue

  /// Creates a resource; without a table the name of the layer stands for it.
  public init(tableName: String? = nil, json: JSONValue) {
    self.tableName = tableName ?? json["name"]?.string ?? ""
    self.json = json
  }

  /// The id by which relationships refer to it.
  public var id: Int? { json["id"]?.int }
}
