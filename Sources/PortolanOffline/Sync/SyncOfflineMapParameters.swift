public import Foundation

/// The parameters of a job that synchronizes a stored map.
public struct SyncOfflineMapParameters: Hashable, Sendable, Codable {
  /// The root of the portal whose credentials are used: that of the map, or the one in use if it was
  /// imported.
  public var portal: URL
  /// The id of the stored map.
  public var map: String
  /// In which directions changes go.
  public var direction: GeodatabaseSyncTask.Direction

  /// Creates parameters.
  public init(
    portal: URL, map: String, direction: GeodatabaseSyncTask.Direction = .bidirectional
  ) {
    self.portal = portal
    self.map = map
    self.direction = direction
  }
}
