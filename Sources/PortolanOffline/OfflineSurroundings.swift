public import Foundation

/// The clock, the source of ids and the free space that taking maps offline depends on.
public struct OfflineSurroundings: Sendable {
  /// The bytes that are free where a folder is; `nil` if that is not known.
  public let freeSpace: @Sendable (URL) -> Int?
  /// Measures pauses.
  public let clock: any Clock<Duration>
  /// The present date.
  public let now: @Sendable () -> Date
  /// A number from 0 up to 1, another each time.
  public let chance: @Sendable () -> Double
  /// Makes ids.
  public let makeID: @Sendable () -> UUID

  /// Creates surroundings.
  public init(
    freeSpace: @escaping @Sendable (URL) -> Int?, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Date, chance: @escaping @Sendable () -> Double,
    makeID: @escaping @Sendable () -> UUID
  ) {
    self.freeSpace = freeSpace
    self.clock = clock
    self.now = now
    self.chance = chance
    self.makeID = makeID
  }
}
