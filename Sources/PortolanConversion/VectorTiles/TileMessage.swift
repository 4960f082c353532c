/// Bytes of a protocol buffer.
struct TileMessage {
  private(set) var data: [UInt8] = []

  @inline(__always)
  mutating func varint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    data.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func number(_ field: Int, _ number: UInt64) {
    varint(UInt64(field) << 3)
    varint(number)
  }

  mutating func double(_ field: Int, _ number: Double) {
    varint(UInt64(field) << 3 | 1)
    var bits = number.bitPattern
    for _ in 0..<8 {
      data.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
    }
  }

  mutating func bytes(_ field: Int, _ bytes: [UInt8]) {
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(bytes.count))
    data += bytes
  }

  /// A list of numbers without their own keys; none if it is empty.
  mutating func packed(_ field: Int, _ numbers: [UInt32]) {
    guard !numbers.isEmpty else { return }
    var length = 0
    for number in numbers { length += Self.size(number) }
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(length))
    for number in numbers { varint(UInt64(number)) }
  }

  mutating func removeAll() { data.removeAll(keepingCapacity: true) }

  /// The bytes that a number takes.
  @inline(__always)
  private static func size(_ number: UInt32) -> Int {
    max((UInt32.bitWidth - number.leadingZeroBitCount + 6) / 7, 1)
  }
}
