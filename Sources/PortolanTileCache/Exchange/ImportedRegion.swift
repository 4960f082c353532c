/// The outcome of importing a file.
public struct ImportedRegion: Hashable, Sendable {
  /// The region; the one that was there where the file was skipped.
  public var region: CachedRegion
  /// How many tiles were taken over.
  public var tileCount = 0
  /// How many were not, since they lie outside of the region.
  public var leftOutCount = 0
  /// How many were not, since the tiles of the server that are here are newer than the file.
  public var olderCount = 0
  /// How many could not be read: the file is damaged, or only a part of it.
  public var damagedCount = 0
  /// Whether nothing was read, since a region of that name is there.
  public var isSkipped = false
}
