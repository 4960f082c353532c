/// The share of one level of a region that is cached.
public struct TileLevelCoverage: Hashable, Sendable, Codable {
  /// The level.
  public var level: Int
  /// The number of tiles that it takes.
  public var planned: Int
  /// The number of tiles that are done.
  public var done: Int

  /// Whether the level is whole.
  public var isWhole: Bool { done == planned }
}
