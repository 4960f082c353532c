/// The outcome of importing a file.
public struct TileImportResult: Hashable, Sendable, Codable {
  /// The region; the one that was there where the file was skipped.
  public var region: TileRegionSummary
  /// How many tiles were taken over.
  public var tileCount: Int
  /// How many were not, since they lie outside of the region.
  public var leftOutCount: Int
  /// How many were not, since the tiles of the server that are here are newer than the file.
  public var olderCount: Int
  /// How many could not be read: the file is damaged, or only a part of it.
  public var damagedCount: Int
  /// Whether nothing was read.
  public var isSkipped: Bool
}
