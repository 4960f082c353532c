/// A region with all that is known about it.
public struct TileRegionDetails: Hashable, Sendable, Codable {
  /// The region.
  public var region: TileRegionSummary
  /// The coverage of each level.
  public var coverage: [TileLevelCoverage]
  /// The failures, the first thousand of them.
  public var failures: [TileFailure]
}
