internal import Foundation
internal import Synchronization

/// Ids of one service, the same on every run with the same seed.
final class IdentifierSource: Sendable {
  private let identifiers: Mutex<DemoIdentifiers>

  /// Creates the ids that belong to `name` on a portal of that seed.
  init(seed: UInt64, name: String) {
    let offset = DemoIdentifiers(seed: seed).number(name, below: 1 << 30)
    identifiers = Mutex(DemoIdentifiers(seed: seed &+ UInt64(offset)))
  }

  /// The next UUID.
  func nextUUID() -> UUID { identifiers.withLock { $0.nextUUID() } }

  /// The next id, 32 digits.
  func nextID() -> String { identifiers.withLock { $0.nextID() } }
}
