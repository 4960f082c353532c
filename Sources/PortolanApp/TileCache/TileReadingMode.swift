/// The places where a tile is looked up, and their order.
public enum TileReadingMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// The cache; the server for what is not there or too old.
  case cacheThenServer
  /// The server, asked whether the tile has changed; the cache where it does not answer.
  case serverThenCache
  /// The cache alone, however old the tile is.
  case cacheOnly
  /// The server alone.
  case serverOnly
  /// The cache at once; one that is too old is requested behind it.
  case staleWhileRevalidate
}
