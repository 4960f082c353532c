public import Foundation
public import PortolanTiles

/// The cache's knowledge of one tile, and why it is cached or not.
public struct TileKnowledge: Hashable, Sendable, Codable {
  /// The relation of a region to a tile.
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
    /// Its relation to the tile.
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
  /// The date at which it was fetched, or found to be unchanged.
  public var fetched: Date?
  /// The time for which it is fresh by its server, in seconds.
  public var lifetime: Double?
  /// The regions that take it, by name.
  public var regions: [Region]

  /// The reason why the tile is here or not, a sentence.
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
