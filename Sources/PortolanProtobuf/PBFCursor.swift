/// A place in a message of protocol buffers, and where the message ends.
///
/// Nothing is read beyond the end, whatever the lengths in the message say. Holds only while the
/// bytes do.
///
/// - SeeAlso: [Encoding](https://protobuf.dev/programming-guides/encoding/)
@safe
package struct PBFCursor {
  /// How the value of a field is written.
  package enum WireType: UInt8 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case fixed32 = 5
  }

  /// The number of a field and how its value is written.
  package struct Tag {
    package let field: UInt64
    package let type: WireType
  }

  private let bytes: UnsafeRawBufferPointer
  /// The place of the next byte.
  package private(set) var offset: Int
  /// The place after the last byte; never beyond the bytes.
  private let end: Int

  /// Begins at the beginning of `bytes`.
  package init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
    offset = 0
    end = bytes.count
  }

  private init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    unsafe self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  /// Whether all is read.
  package var isAtEnd: Bool { offset >= end }

  /// How many bytes are left.
  package var count: Int { end - offset }

  /// A number of variable length.
  @inline(__always)
  package mutating func varint() throws(PBFError) -> UInt64 {
    guard offset < end else { throw malformed("a number is missing") }
    // `offset < end <= bytes.count` holds here and is checked again for every further byte.
    let first = unsafe bytes[offset]
    offset += 1
    return first < 0x80 ? UInt64(first) : try longVarint(UInt64(first & 0x7F))
  }

  private mutating func longVarint(_ low: UInt64) throws(PBFError) -> UInt64 {
    var value = low
    var shift: UInt64 = 7
    while offset < end, shift < 70 {
      let byte = unsafe bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw malformed("a number does not end")
  }

  /// A number of variable length whose sign is in its last bit.
  @inline(__always)
  package mutating func zigzag() throws(PBFError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  package mutating func fixed64() throws(PBFError) -> UInt64 {
    guard count >= 8 else { throw malformed("a number breaks off") }
    defer { offset += 8 }
    return unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  package mutating func fixed32() throws(PBFError) -> UInt32 {
    guard count >= 4 else { throw malformed("a number breaks off") }
    defer { offset += 4 }
    return unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  package mutating func double() throws(PBFError) -> Double {
    Double(bitPattern: try fixed64())
  }

  /// The number and the kind of the next field.
  @inline(__always)
  package mutating func tag() throws(PBFError) -> Tag {
    let key = try varint()
    guard let type = WireType(rawValue: UInt8(truncatingIfNeeded: key & 7)), key >> 3 > 0 else {
      throw malformed("a field is of no known kind")
    }
    return Tag(field: key >> 3, type: type)
  }

  /// The message, text or list that follows.
  package mutating func message() throws(PBFError) -> PBFCursor {
    let length = try varint()
    guard length <= UInt64(count) else { throw malformed("a length leads beyond the end") }
    defer { offset += Int(length) }
    return unsafe PBFCursor(bytes, offset..<offset + Int(length))
  }

  /// The text that follows.
  package mutating func string() throws(PBFError) -> String {
    let text = try message()
    return unsafe String(decoding: bytes[text.offset..<text.end], as: UTF8.self)
  }

  /// The bytes that follow.
  package mutating func byteList() throws(PBFError) -> [UInt8] {
    let list = try message()
    return unsafe Array(bytes[list.offset..<list.end])
  }

  /// Passes over a value that is not needed, or is of another kind than it should be.
  package mutating func skip(_ type: WireType) throws(PBFError) {
    switch type {
    case .varint: _ = try varint()
    case .fixed64: _ = try fixed64()
    case .fixed32: _ = try fixed32()
    case .lengthDelimited: _ = try message()
    }
  }

  private func malformed(_ reason: String) -> PBFError {
    .malformed(reason: reason, offset: offset)
  }
}
