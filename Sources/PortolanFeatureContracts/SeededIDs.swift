public import Foundation
internal import PortolanGeometry
internal import Synchronization

/// Ids that look random and are the same for the same seed, for several threads.
public final class SeededIDs: Sendable {
  private let numbers: Mutex<SplitMix64>

  /// Creates a source of ids; equal seeds give equal ids.
  public init(seed: UInt64) { numbers = Mutex(SplitMix64(seed: seed)) }

  /// The next id.
  public func id() -> UUID {
    let parts = numbers.withLock { ($0.next(), $0.next()) }
    return withUnsafeBytes(of: parts) { $0.loadUnaligned(as: UUID.self) }
  }
}
