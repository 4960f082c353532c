/// Whether a layer or table can be taken offline.
public struct OfflineCapability: Hashable, Sendable, Identifiable {
  /// The id in the map; empty if the map gives none.
  public var id: String
  /// The name for people.
  public var title: String
  /// Whether it belongs to the basemap.
  public var isBasemap: Bool
  /// Whether it is taken offline.
  public var supportsOffline: Bool
  /// Whether it stays in the map and needs a network, as it was requested.
  public var remainsOnline: Bool
  /// Whether it is taken as a copy that cannot be synchronized, since its service does not sync.
  public var isCopyOnly: Bool
  /// The issue: an obstacle, the reason why it is only a copy, or the parts that are not
  /// downloaded.
  public var issue: OfflineIssue?
}
