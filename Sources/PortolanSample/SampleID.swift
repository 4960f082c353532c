internal import Foundation

/// Ids made from names, so that the sample has the same ones wherever it is built.
enum SampleID {
  /// The id that belongs to `name`.
  ///
  /// Of the kind that applications define themselves: 122 bits of a hash, and a mark that says so.
  ///
  /// - SeeAlso: [RFC 9562, 5.8](https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-8)
  static func uuid(_ name: String) -> UUID {
    var bytes = bigEndian(hash(name, seed: 0)) + bigEndian(hash(name, seed: 1))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }

  /// The same as global ids are written, with braces.
  static func globalID(_ name: String) -> String { "{\(uuid(name).uuidString)}" }

  /// FNV-1a, then mixed so that names which differ in one letter differ everywhere.
  private static func hash(_ name: String, seed: UInt64) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ (seed &* 0x9E37_79B9_7F4A_7C15)
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }

  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }
}
