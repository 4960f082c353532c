public import Foundation

/// The tiles to remove.
///
/// Those that a region keeps stay: they go with the region.
public enum TileClearing: Hashable, Sendable {
  /// All.
  case everything
  /// Those that were fetched longer ago than this; not those that seem to come from the future.
  case olderThan(seconds: Double, now: Date)
  /// Those of one source.
  case source(CachedSourceID)
  /// Those that were used least recently, until the others have no more than so many bytes.
  case capacity(Int)
  /// Those of one source in a shape, on some levels.
  case shape(TileRegion, levels: ClosedRange<Int>, CachedSourceID)
}

/// The space that clearing has freed.
public struct ClearedTiles: Hashable, Sendable {
  /// How many tiles, with those of which only was known that there are none.
  public var tileCount = 0
  /// How many of their bytes no other tile shares.
  public var byteCount = 0
  /// How many bytes less the file takes on the disk.
  public var fileByteCount = 0
}
