public import PortolanFeatures

/// A table whose features can be found by their texts: a locator for one layer.
public struct LocatorSource: Sendable, Identifiable {
  /// What identifies it among the sources of a map, the same each time the map is opened.
  public let id: String
  /// The key of the layer in its map.
  public let layerID: String
  /// The layer's title.
  public let title: String
  /// The store with the table.
  public let store: any FeatureStore
  /// The table.
  public let schema: FeatureTableSchema
  /// The fields whose values make up what a feature is found by, in their order.
  public let fields: [String]
  /// The condition that features of the layer meet, in SQL.
  public internal(set) var whereClause: String?

  /// Creates a source.
  public init(
    id: String, layerID: String, title: String, store: any FeatureStore,
    schema: FeatureTableSchema, fields: [String], whereClause: String? = nil
  ) {
    self.id = id
    self.layerID = layerID
    self.title = title
    self.store = store
    self.schema = schema
    self.fields = fields
    self.whereClause = whereClause
  }
}
