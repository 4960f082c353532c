public import PortolanOffline

/// What a download would need, to decide on it.
public struct DownloadPreview: Hashable, Sendable {
  /// The title of the map.
  public var title: String
  /// What it needs, and what there is.
  public var estimate: DownloadEstimate
}
