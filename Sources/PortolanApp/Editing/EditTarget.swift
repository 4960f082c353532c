internal import PortolanFeatures

/// A layer that is open for editing.
struct EditTarget: Sendable {
  /// The layer's key in the map.
  let layerID: String
  /// The layer's title.
  let layerTitle: String
  /// The table.
  let schema: FeatureTableSchema
  /// What holds it.
  let store: any EditableFeatureStore
  /// What checks edits before they are stored.
  let validator: FeatureValidator
  /// What the author of the map lets people do with it; everything if `nil`.
  let rights: AuthoredRights?
}
