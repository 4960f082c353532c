/// The outcome of exporting a region.
public struct TileExportResult: Hashable, Sendable, Codable {
  /// The region.
  public var region: String
  /// The path of the file.
  public var file: String
  /// How many tiles of each level were written.
  public var levels: [TileRegionPlan.Level]
  /// How many tiles of the region are not here yet, or failed: the file is without them.
  public var missingCount: Int
  /// How many tiles could not be read, and were left out.
  public var damagedCount: Int
  /// Why, for the first of them.
  public var damages: [String]
  /// The bytes in the file.
  public var byteCount: Int

  /// How many tiles were written.
  public var tileCount: Int { levels.reduce(0) { $0 + $1.count } }
}
