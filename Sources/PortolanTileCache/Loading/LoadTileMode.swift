/// The places where a tile is requested, and their order.
///
/// The first four are MapCache's.
public enum LoadTileMode: String, Hashable, Sendable, CaseIterable {
  /// The cache; the server for what is not there or too old.
  case cacheThenServer
  /// The server, asked whether the tile has changed; the cache where it does not answer.
  case serverThenCache
  /// The cache alone, however old the tile is.
  case cacheOnly
  /// The server alone, unconditionally; what it sends is kept.
  case serverOnly
  /// The cache at once, however old the tile is; one that is too old is requested behind it.
  case staleWhileRevalidate
}
