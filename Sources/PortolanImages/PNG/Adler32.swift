internal import CDeflate

/// The checksum at the end of a zlib stream, computed part by part.
struct Adler32: Sendable {
  private static let base: UInt64 = 65_521
  private(set) var value: UInt32
  private var count: UInt64

  /// The checksum of no bytes.
  init() {
    value = 1
    count = 0
  }

  init(of bytes: [UInt8]) {
    value = unsafe bytes.withUnsafeBytes { bytes in
      unsafe libdeflate_adler32(1, bytes.baseAddress, bytes.count)
    }
    count = UInt64(bytes.count)
  }

  /// Continues with the bytes of another checksum.
  mutating func append(_ next: Adler32) {
    let base = Self.base
    let length = next.count % base
    let (low, high) = (UInt64(value & 0xFFFF), UInt64(value >> 16))
    let (nextLow, nextHigh) = (UInt64(next.value & 0xFFFF), UInt64(next.value >> 16))
    let sum = (low + nextLow + base - 1) % base
    let sums = (length * low + high + nextHigh + base - length) % base
    value = UInt32(sums << 16 | sum)
    count += next.count
  }
}
