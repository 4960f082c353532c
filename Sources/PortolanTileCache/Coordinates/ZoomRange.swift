/// Levels from one to another, in whichever order they are given.
public struct ZoomRange: Hashable, Sendable {
  /// The lowest level.
  public let min: Int
  /// The highest level.
  public let max: Int

  /// Creates a range; `nil` if a level is none from 0 to 25.
  public init?(_ first: Int, _ second: Int) {
    guard (0...25).contains(first), (0...25).contains(second) else { return nil }
    min = Swift.min(first, second)
    max = Swift.max(first, second)
  }

  /// How many levels there are.
  public var count: Int { max - min + 1 }

  /// The levels.
  public var levels: ClosedRange<Int> { min...max }
}
