public import Foundation
public import PortolanTiles

/// Whom a tile is asked of, and in which order.
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

/// A tile, and which way it came.
public struct TileReading: Hashable, Sendable, Codable {
  /// Which way a tile came.
  public enum Path: String, Hashable, Sendable, Codable, CaseIterable {
    /// From the cache, where it was fresh.
    case cache
    /// From the cache, where it is too old.
    case stale
    /// From the server.
    case network
    /// From the cache, after the server said that it has not changed.
    case unchanged
    /// From the cache, since the server did not give it.
    case fallback
  }

  /// The name of the source.
  public var source: String
  /// The tile that was requested.
  public var tile: TileID
  /// Its bytes; `nil` where the server has none.
  public var data: Data?
  /// What its bytes are, as the ending of a file.
  public var format: String?
  /// Which way it came.
  public var path: Path
  /// When it was fetched, or found to be unchanged.
  public var fetched: Date
  /// How many seconds ago that is.
  public var age: Double
  /// The tile that came instead, beyond the last level of the source: what was asked for is a part of it.
  public var ancestor: TileID?
  /// Whether the bytes are that part, enlarged; else they are the whole of ``ancestor``, as of vector tiles.
  public var isEnlarged = false
  /// Why the server did not give it.
  public var problem: Problem?
}

/// What the cache knows of one tile, and why it is here or not.
public struct TileKnowledge: Hashable, Sendable, Codable {
  /// What a region has to do with a tile.
  public enum Part: Hashable, Sendable, Codable {
    /// It keeps the tile.
    case kept
    /// It skipped the tile because it is blank.
    case blank
    /// It takes the tile, and has not come to it.
    case missing
    /// It takes the tile, and could not have it.
    case failed(TileFailure)
  }

  /// A region that takes the tile.
  public struct Region: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// What it has to do with the tile.
    public var part: Part
  }

  /// The name of the source.
  public var source: String
  /// The tile.
  public var tile: TileID
  /// Whether anything is known of it.
  public var isKnown: Bool
  /// The bytes that are here; `nil` if none are.
  public var byteCount: Int?
  /// When it was fetched, or found to be unchanged.
  public var fetched: Date?
  /// For how many seconds the server says that it is fresh.
  public var lifetime: Double?
  /// The regions that take it, by name.
  public var regions: [Region]

  /// Why the tile is here or not, a sentence.
  public var sentence: String {
    if byteCount != nil {
      return regions.contains { $0.part == .kept }
        ? "It is on this device, and a region keeps it."
        : "It is on this device until its space is needed."
    }
    if regions.contains(where: { $0.part == .blank }) {
      return "It is blank and was skipped."
    }
    if isKnown { return "The server has no such tile." }
    for region in regions {
      if case .failed(let failure) = region.part {
        return "It could not be downloaded: \(failure.reason)"
      }
    }
    return regions.isEmpty
      ? "It is not on this device, and no region contains it."
      : "A region contains it, but has not downloaded it yet."
  }
}
