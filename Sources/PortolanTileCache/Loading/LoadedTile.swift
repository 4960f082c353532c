public import Foundation
public import PortolanTiles

/// A tile, and where it came from.
public struct LoadedTile: Hashable, Sendable {
  /// Which way a tile came.
  public enum Path: Hashable, Sendable {
    /// From the cache, where it was fresh.
    case hit
    /// From the cache, where it is too old, or of unknown age.
    case staleHit
    /// From the server.
    case fetched
    /// From the cache, after the server said that it has not changed.
    case notModified
    /// From the cache, since the server did not give it.
    case fallback(TileCacheError)
  }

  /// The tile; `nil` where the server has none.
  public var tile: Tile?
  /// Which way it came.
  public var path: Path
  /// When it was fetched, or found to be unchanged.
  public var fetched: Date
  /// Which tile this is instead of one beyond the source's highest level: its ancestor, of which the
  /// part has to be enlarged that the other covers.
  public var ancestor: TileID?
}
