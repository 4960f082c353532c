public import Foundation

/// What a conversion takes from outside.
public struct ConversionEnvironment: Sendable {
  /// The clock.
  public var now: @Sendable () -> Date
  /// Makes ids of what has none.
  public var makeID: @Sendable () -> UUID

  /// Creates an environment; the live one unless told otherwise.
  public init(
    now: @escaping @Sendable () -> Date = { Date() },
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    self.now = now
    self.makeID = makeID
  }
}
