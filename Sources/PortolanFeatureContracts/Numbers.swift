public import Foundation
internal import Synchronization

/// Numbers that look random and are the same every time.
public struct Numbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates numbers; equal seeds give equal numbers.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// Numbers that several threads may take from.
public final class SharedNumbers: Sendable {
  private let numbers: Mutex<Numbers>

  /// Creates numbers; equal seeds give equal numbers.
  public init(seed: UInt64) { numbers = Mutex(Numbers(seed: seed)) }

  /// An id made of the next two numbers.
  public func id() -> UUID {
    let parts = numbers.withLock { ($0.next(), $0.next()) }
    return withUnsafeBytes(of: parts) { $0.loadUnaligned(as: UUID.self) }
  }
}
