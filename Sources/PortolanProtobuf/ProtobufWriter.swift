package import Foundation

/// Writes messages of Protocol Buffers, field by field.
///
/// - SeeAlso: [Encoding](https://protobuf.dev/programming-guides/encoding/)
package struct ProtobufWriter: Sendable {
  /// The bytes written so far.
  package private(set) var data = Data()

  /// Begins a message.
  package init() {}

  /// A whole number of at least 0, or a truth value.
  package mutating func unsigned(_ value: UInt64, field: Int) {
    key(field, wireType: 0)
    varint(value)
  }

  /// A whole number whose sign is in its lowest bit (`sint32`, `sint64`).
  package mutating func zigZag(_ value: Int64, field: Int) {
    unsigned(Self.zigZag(value), field: field)
  }

  /// A truth value.
  package mutating func bool(_ value: Bool, field: Int) { unsigned(value ? 1 : 0, field: field) }

  /// A number of 64 bits.
  package mutating func double(_ value: Double, field: Int) {
    key(field, wireType: 1)
    appendLittleEndian(value.bitPattern)
  }

  /// A number of 32 bits.
  package mutating func float(_ value: Float, field: Int) {
    key(field, wireType: 5)
    appendLittleEndian(value.bitPattern)
  }

  /// A text.
  package mutating func string(_ value: String, field: Int) {
    key(field, wireType: 2)
    varint(UInt64(value.utf8.count))
    data.append(contentsOf: value.utf8)
  }

  /// Bytes as they are.
  package mutating func bytes(_ value: Data, field: Int) {
    key(field, wireType: 2)
    varint(UInt64(value.count))
    data.append(value)
  }

  /// A message inside this one.
  package mutating func message(field: Int, _ write: (inout ProtobufWriter) -> Void) {
    var inner = ProtobufWriter()
    write(&inner)
    bytes(inner.data, field: field)
  }

  /// Numbers of at least 0, one after the other.
  package mutating func packed(_ values: some Sequence<UInt64>, field: Int) {
    var inner = ProtobufWriter()
    for value in values { inner.varint(value) }
    bytes(inner.data, field: field)
  }

  /// Numbers whose sign is in their lowest bit, one after the other.
  package mutating func packedZigZag(_ values: some Sequence<Int64>, field: Int) {
    packed(values.lazy.map(Self.zigZag), field: field)
  }

  /// A number with its sign in its lowest bit.
  package static func zigZag(_ value: Int64) -> UInt64 {
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
