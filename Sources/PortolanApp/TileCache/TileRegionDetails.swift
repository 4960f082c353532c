public import Foundation
public import PortolanTiles

/// A region with all that is known of it.
public struct TileRegionDetails: Hashable, Sendable, Codable {
  /// The region.
  public var region: TileRegionSummary
  /// How much of each level is there.
  public var coverage: [TileLevelCoverage]
  /// What failed, the first thousand of it.
  public var failures: [TileFailure]
}

/// How much of one level of a region is there.
public struct TileLevelCoverage: Hashable, Sendable, Codable {
  /// The level.
  public var level: Int
  /// How many tiles it takes.
  public var planned: Int
  /// How many are done.
  public var done: Int

  /// Whether the level is whole.
  public var isWhole: Bool { done == planned }
}

/// A tile of a region that could not be loaded.
public struct TileFailure: Hashable, Sendable, Codable {
  /// The tile.
  public var tile: TileID
  /// Why, a sentence.
  public var reason: String
  /// How often it was tried.
  public var attempts: Int
  /// When it was tried last.
  public var time: Date
}
