/// The outcome of exporting a region.
public struct TileExportResult: Hashable, Sendable, Codable {
  /// The region.
  public var region: String
  /// The path of the file.
  public var file: String
  /// The numbers of tiles that were written, by level.
  public var levels: [TileRegionPlan.Level]
  /// The number of tiles of the region that are not here yet, or failed: the file is without them.
  public var missingCount: Int
  /// The number of tiles that could not be read, and were left out.
  public var damagedCount: Int
  /// Why, for the first of them.
  public var damages: [String]
  /// The bytes in the file.
  public var byteCount: Int

  /// The number of tiles that were written.
  public var tileCount: Int { levels.reduce(0) { $0 + $1.count } }
}
