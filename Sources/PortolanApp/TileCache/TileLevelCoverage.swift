/// The share of one level of a region that is cached.
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
