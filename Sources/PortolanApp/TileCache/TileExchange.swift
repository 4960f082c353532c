/// What happens where a region of the name of an imported file is there already.
public enum TileImportPolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing is read.
  case skip
  /// The region is deleted, and rebuilt from the file.
  case replace
  /// The file gets another name.
  case rename
  /// The file's tiles go into the region, those that lie in it.
  case merge
}

/// What became of a file that was imported.
public struct TileImportResult: Hashable, Sendable, Codable {
  /// The region; the one that was there where the file was skipped.
  public var region: TileRegionSummary
  /// How many tiles were taken over.
  public var tileCount: Int
  /// How many were not, since they lie outside of the region.
  public var leftOutCount: Int
  /// How many could not be read: the file is damaged, or only a part of it.
  public var damagedCount: Int
  /// Whether nothing was read.
  public var isSkipped: Bool
}

/// What was written of a region.
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
