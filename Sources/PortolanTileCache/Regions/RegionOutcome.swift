internal import PortolanTiles

/// The outcome of a tile of a region.
enum RegionOutcome: Sendable {
  /// It was fetched, or the server has said that there is none.
  case fetched(StoredTile)
  /// The server does not have it, which takes nothing from a region.
  case gone(StoredTile, TileCacheError)
  /// It was in the cache already.
  case existing
  /// It is in the cache, and there was no server to ask whether it has changed.
  case unasked(TileCacheError)
  /// The server says that it has not changed; which version that is, without its bytes.
  case notModified(StoredTile)
  /// It is blank and is left out.
  case blank(byteCount: Int)
  /// It could not be loaded.
  case failed(TileCacheError)

  /// The bytes that came with it.
  var byteCount: Int {
    guard case .fetched(let stored) = self else { return 0 }
    return stored.data?.count ?? 0
  }
}

/// The tiles of a region that a pass is for.
public enum RegionPass: Hashable, Sendable {
  /// Those that are not there and did not fail.
  case missing
  /// Those that failed.
  case failed
  /// All, asked whether they have changed.
  case update
}
