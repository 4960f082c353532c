import Foundation

/// Bytes that say themselves whether they are whole: a sum before them tells.
enum SealedData {
  /// Bytes of that many letters, sealed.
  static func make(_ count: Int, seed: UInt8) -> Data {
    let body = Data((0..<count).map { seed &+ UInt8(truncatingIfNeeded: $0 / 7) })
    return Data("SEAL \(sum(body))\n".utf8) + body
  }

  static func isWhole(_ data: Data) -> Bool {
    guard let end = data.firstIndex(of: UInt8(ascii: "\n")) else { return false }
    let body = data[data.index(after: end)...]
    return Data(data[..<end]) == Data("SEAL \(sum(body))".utf8)
  }

  private static func sum(_ data: Data) -> UInt64 {
    data.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
