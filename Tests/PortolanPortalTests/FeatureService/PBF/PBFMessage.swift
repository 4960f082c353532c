import Foundation

/// Writes messages of protocol buffers, for tests.
struct PBFMessage {
  private(set) var bytes: [UInt8] = []

  var data: Data { Data(bytes) }

  mutating func varint(_ value: UInt64) {
    var value = value
    while value > 0x7F {
      bytes.append(UInt8(value & 0x7F) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  mutating func zigzag(_ value: Int64) { varint(UInt64(bitPattern: value << 1 ^ value >> 63)) }

  mutating func field(_ number: UInt64, _ value: UInt64) {
    varint(number << 3)
    varint(value)
  }

  mutating func field(_ number: UInt64, _ value: Double) {
    varint(number << 3 | 1)
    bytes += withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
  }

  mutating func field(_ number: UInt64, _ content: [UInt8]) {
    varint(number << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  mutating func field(_ number: UInt64, _ text: String) { field(number, Array(text.utf8)) }

  mutating func field(_ number: UInt64, _ build: (inout PBFMessage) -> Void) {
    var message = PBFMessage()
    build(&message)
    field(number, message.bytes)
  }

  /// An answer whose features are as `build` has them.
  static func features(_ build: (inout PBFMessage) -> Void) -> Data {
    var root = PBFMessage()
    root.field(2) { query in query.field(1, build) }
    return root.data
  }
}
