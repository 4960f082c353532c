internal import Foundation

/// Writes messages of Protocol Buffers, field by field.
///
/// - SeeAlso: [Encoding](https://protobuf.dev/programming-guides/encoding/)
struct ProtobufWriter: Sendable {
  /// What was written so far.
  private(set) var data = Data()

  /// A whole number of at least 0, or a truth value.
  mutating func unsigned(_ value: UInt64, field: Int) {
    key(field, wireType: 0)
    varint(value)
  }

  /// A whole number whose sign is in its lowest bit (`sint32`, `sint64`).
  mutating func zigZag(_ value: Int64, field: Int) {
    unsigned(Self.zigZag(value), field: field)
  }

  mutating func bool(_ value: Bool, field: Int) { unsigned(value ? 1 : 0, field: field) }

  mutating func double(_ value: Double, field: Int) {
    key(field, wireType: 1)
    appendLittleEndian(value.bitPattern)
  }

  mutating func float(_ value: Float, field: Int) {
    key(field, wireType: 5)
    appendLittleEndian(value.bitPattern)
  }

  mutating func string(_ value: String, field: Int) {
    key(field, wireType: 2)
    varint(UInt64(value.utf8.count))
    data.append(contentsOf: value.utf8)
  }

  mutating func bytes(_ value: Data, field: Int) {
    key(field, wireType: 2)
    varint(UInt64(value.count))
    data.append(value)
  }

  /// A message inside this one.
  mutating func message(field: Int, _ write: (inout ProtobufWriter) -> Void) {
    var inner = ProtobufWriter()
    write(&inner)
    bytes(inner.data, field: field)
  }

  /// Numbers of at least 0, one after the other.
  mutating func packed(_ values: some Sequence<UInt64>, field: Int) {
    var inner = ProtobufWriter()
    for value in values { inner.varint(value) }
    bytes(inner.data, field: field)
  }

  /// Numbers whose sign is in their lowest bit, one after the other.
  mutating func packedZigZag(_ values: some Sequence<Int64>, field: Int) {
    packed(values.lazy.map(Self.zigZag), field: field)
  }

  static func zigZag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1) ^ UInt64(bitPattern: value >> 63)
  }

  private mutating func key(_ field: Int, wireType: UInt64) {
    varint(UInt64(field) << 3 | wireType)
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest > 0x7F {
      data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    data.append(UInt8(rest))
  }

  private mutating func appendLittleEndian<T: FixedWidthInteger>(_ bits: T) {
    for shift in stride(from: 0, to: T.bitWidth, by: 8) {
      data.append(UInt8(truncatingIfNeeded: bits >> T(shift)))
    }
  }
}
