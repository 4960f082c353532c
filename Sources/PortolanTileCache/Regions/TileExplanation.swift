public import PortolanTiles

/// A cache's knowledge of one tile, and why it is there or not.
public struct TileExplanation: Hashable, Sendable {
  /// What a region has to do with a tile.
  public enum Part: Hashable, Sendable {
    /// It keeps the tile.
    case kept
    /// It has left the tile out, since it is blank.
    case blank
    /// It takes the tile, and has not come to it.
    case missing
    /// It takes the tile, and could not have it.
    case failed(RegionFailure)
  }

  /// The tile.
  public var tile: TileID
  /// What is kept; `nil` if nothing is.
  public var stored: StoredTile?
  /// The regions that take it, by name.
  public var regions: [String: Part]
}
