public import Foundation
public import PortolanTiles

/// A tile, and where it came from.
public struct TileReading: Hashable, Sendable, Codable {
  /// The source from which a tile came.
  public enum Path: String, Hashable, Sendable, Codable, CaseIterable {
    /// The tile comes from the cache, where it was fresh.
    case cache
    /// The tile comes from the cache, where it is too old.
    case stale
    /// The tile comes from the server.
    case network
    /// The tile comes from the cache, after the server said that it has not changed.
    case unchanged
    /// The tile comes from the cache, since the server did not give it.
    case fallback
  }

  /// The name of the source.
  public var source: String
  /// The tile that was requested.
  public var tile: TileID
  /// Its bytes; `nil` where the server has none.
  public var data: Data?
  /// The format of its bytes, as the extension of a file.
  public var format: String?
  /// The source from which it came.
  public var path: Path
  /// The date at which it was fetched, or found to be unchanged.
  public var fetched: Date
  /// The age since then, in seconds.
  public var age: Double
  /// The tile that came instead, beyond the last level of the source: what was asked for is a part of it.
  public var ancestor: TileID?
  /// Whether the bytes are that part, enlarged; else they are the whole of ``ancestor``, as of vector tiles.
  public var isEnlarged = false
  /// The reason why the server did not give it.
  public var problem: Problem?
}
