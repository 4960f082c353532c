/// The outcome of importing a file.
public struct TileImportResult: Hashable, Sendable, Codable {
  /// The region; the one that was there where the file was skipped.
  public var region: TileRegionSummary
  /// The number of tiles that were taken over.
  public var tileCount: Int
  /// The number of tiles left out because they lie outside of the region.
  public var leftOutCount: Int
  /// The number of tiles left out because the tiles of the server that are here are newer than the
  /// file.
  public var olderCount: Int
  /// The number of tiles that could not be read: the file is damaged, or only a part of it.
  public var damagedCount: Int
  /// Whether nothing was read.
  public var isSkipped: Bool
}
