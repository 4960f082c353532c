public import Foundation

/// Ids that are the same on every run with the same seed.
public struct DemoIdentifiers: Sendable {
  private let seed: UInt64
  private var count: UInt64 = 0

  /// Creates ids that depend on `seed` alone.
  public init(seed: UInt64) { self.seed = seed }

  /// The id of what is called `name`, 32 digits, whatever else there is.
  public func itemID(_ name: String) -> String {
    hexadecimal(hash(name, salt: 1)) + hexadecimal(hash(name, salt: 2))
  }

  /// The next unused id, 32 digits.
  public mutating func nextID() -> String {
    count += 1
    return itemID("#\(count)")
  }

  /// The next unused secret: a token or a code.
  public mutating func nextSecret() -> String { "demo-" + nextID() + nextID() }

  /// The next UUID.
  public mutating func nextUUID() -> UUID {
    count += 1
    return uuid("#\(count)")
  }

  /// The UUID of what is called `name`, whatever else there is.
  public func uuid(_ name: String) -> UUID {
    let digits = Array(itemID(name))
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return UUID(uuidString: groups.joined(separator: "-")) ?? UUID()
  }

  /// A number below `bound` that belongs to `name`.
  public func number(_ name: String, below bound: Int) -> Int {
    Int(hash(name, salt: 3) % UInt64(max(bound, 1)))
  }

  /// FNV-1a over the name, then mixed so that names which differ in one letter differ everywhere.
  private func hash(_ name: String, salt: UInt64) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ ((seed &+ salt) &* 0x9E37_79B9_7F4A_7C15)
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }

  private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
