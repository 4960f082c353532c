internal import CDeflate

/// The sum at the end of a zlib stream (Adler-32), added up part by part.
struct StreamSum: Sendable {
  private static let base: UInt64 = 65_521
  private(set) var value: UInt32
  private var count: UInt64

  /// The sum of no bytes.
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

  /// Continues with the bytes of another sum.
  mutating func append(_ next: StreamSum) {
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
