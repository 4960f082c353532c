/// What a cache of tiles holds, in figures.
public struct TileCacheUsage: Hashable, Sendable, Codable {
  /// How many tiles there are.
  public var tileCount = 0
  /// Of how many tiles it is known that the server has none.
  public var absentCount = 0
  /// The bytes of all tiles; equal ones are kept, and counted, once.
  public var byteCount = 0
  /// The bytes that regions keep.
  public var pinnedByteCount = 0
  /// The bytes that the file takes on the disk.
  public var fileByteCount = 0
  /// The most bytes of tiles that no region keeps; `nil` for no limit.
  public var capacity: Int?
  /// The path of the file.
  public var file: String

  /// The bytes of tiles that no region keeps.
  public var ambientByteCount: Int { byteCount - pinnedByteCount }
}

/// A file that was set aside, since it was damaged or no cache of tiles.
public struct SetAsideTileCache: Hashable, Sendable, Codable {
  /// Its path.
  public var file: String
  /// The bytes in it and in its journals.
  public var byteCount: Int

  /// Describes a file.
  public init(file: String, byteCount: Int) {
    self.file = file
    self.byteCount = byteCount
  }
}

/// A source of tiles that the cache knows.
public struct TileSourceSummary: Hashable, Sendable, Codable, Identifiable {
  /// Its name in the cache.
  public var name: String
  /// Where its tiles are from, without secrets.
  public var address: String
  /// The levels.
  public var levels: ClosedRange<Int>
  /// The levels that regions may have; `nil` if nobody has said that they may be downloaded.
  public var bulkLevels: ClosedRange<Int>?
  /// The attribution.
  public var attribution: String?
  /// Whether all of it came from a file, so that nobody can be asked for more.
  public var isImported: Bool
  /// How many tiles are here.
  public var tileCount = 0
  /// The bytes of these tiles.
  public var byteCount = 0
  /// How often a tile was found here.
  public var hits = 0
  /// How often it was not.
  public var misses = 0

  public var id: String { name }
}

/// What clearing or deleting has freed.
public struct FreedTiles: Hashable, Sendable, Codable {
  /// How many tiles were removed.
  public var tileCount = 0
  /// The bytes that they had and nobody else has.
  public var byteCount = 0
  /// The bytes that stay, since other regions keep them.
  public var sharedByteCount = 0
  /// How many bytes less the file takes on the disk.
  public var fileByteCount = 0
}

extension FreedTiles {
  /// Nothing was freed.
  public static let nothing = FreedTiles()
}

/// Which tiles are removed; those that a region keeps stay.
public enum TileClearingRequest: Hashable, Sendable, Codable {
  /// All.
  case everything
  /// Those that were fetched longer ago than so many seconds.
  case olderThan(seconds: Double)
  /// Those of a source.
  case source(String)
  /// Those of a source on some ground.
  case ground(TileGround, levels: ClosedRange<Int>, source: String)
  /// Those that were used least recently, until so many bytes are left.
  case capacity(bytes: Int)
}
