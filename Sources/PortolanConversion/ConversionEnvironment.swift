public import Foundation
package import PortolanFiles

/// The dependencies of a conversion.
public struct ConversionEnvironment: Sendable {
  /// The clock.
  public var now: @Sendable () -> Date
  /// Makes ids of what has none.
  public var makeID: @Sendable () -> UUID
  /// What geodatabases that are written must survive.
  package var durability = FileDurability.durable

  /// Creates an environment; the live one by default.
  public init(
    now: @escaping @Sendable () -> Date = { Date() },
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    self.now = now
    self.makeID = makeID
  }
}
