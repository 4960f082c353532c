public import PortolanTiles

/// The tiles of one level of a region, for a picture of what is here.
public struct TileCoveragePicture: Hashable, Sendable, Codable {
  /// The level.
  public var level: Int
  /// The tiles that are done, in order.
  public var done: [TileID]
  /// The tiles that could not be loaded.
  public var failed: [TileID]
  /// The tiles that have not been tried yet.
  public var missing: [TileID]
}
