/// The layers and tables of a web map that can be taken offline.
public struct OfflineMapCapabilities: Hashable, Sendable {
  /// The layers, those of the basemap last.
  public var layerCapabilities: [OfflineCapability]
  /// The tables.
  public var tableCapabilities: [OfflineCapability]

  /// Whether something that is to be taken offline cannot be.
  public var hasErrors: Bool {
    (layerCapabilities + tableCapabilities).contains {
      !$0.supportsOffline && !$0.remainsOnline
    }
  }
}
