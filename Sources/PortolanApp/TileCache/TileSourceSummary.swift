/// A source of tiles that the cache knows.
public struct TileSourceSummary: Hashable, Sendable, Codable, Identifiable {
  /// Its name in the cache.
  public var name: String
  /// The address of its tiles, without secrets.
  public var address: String
  /// The levels.
  public var levels: ClosedRange<Int>
  /// The levels that regions may have; `nil` if downloading them is not allowed.
  public var bulkLevels: ClosedRange<Int>?
  /// The attribution.
  public var attribution: String?
  /// Whether all of it came from a file, so that there is no server to ask for more.
  public var isImported: Bool
  /// The number of tiles that are here.
  public var tileCount = 0
  /// The bytes of these tiles.
  public var byteCount = 0
  /// The number of times that a tile was found here.
  public var hits = 0
  /// The number of times that a tile was not found here.
  public var misses = 0

  public var id: String { name }
}
