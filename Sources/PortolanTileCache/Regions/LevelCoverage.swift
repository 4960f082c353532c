/// The coverage of one level of a region.
public struct LevelCoverage: Hashable, Sendable {
  /// The level.
  public var level: Int
  /// How many tiles it takes.
  public var planned: Int
  /// How many are done: there, known not to be on the server, or blank and left out.
  public var done: Int

  /// Whether the level is whole.
  public var isWhole: Bool { done == planned }
}
