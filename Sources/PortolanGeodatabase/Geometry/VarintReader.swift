/// Reads the signed numbers of variable length that geometry blobs are made of.
///
/// First byte: bit 7 more, bit 6 negative, bits 0-5 the lowest bits; following bytes: bit 7 more,
/// bits 0-6 the next bits. At most nine bytes.
///
/// - SeeAlso: Docs/FORMATS.md, 2.7
@safe
struct VarintReader {
  /// The most bytes of a number.
  static let maximumLength = 9

  private let bytes: UnsafeRawBufferPointer
  /// The offset of the next number.
  private(set) var offset: Int
  /// The offset at which reading stops; never beyond the bytes.
  let end: Int

  /// Reads within `range`, which is cut to the bytes there are.
  init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    unsafe self.bytes = bytes
    end = min(range.upperBound, bytes.count)
    offset = min(range.lowerBound, end)
  }

  /// Whether all is read.
  var isAtEnd: Bool { offset >= end }

  /// The next number.
  @inline(__always)
  mutating func next() throws(GeometryBlobError) -> Int64 {
    guard offset < end else { throw .malformedNumber(offset: offset) }
    // `offset < end <= bytes.count` holds here and is checked again for every further byte.
    let first = unsafe bytes[offset]
    offset += 1
    let low = Int64(first & 0x3F)
    guard first & 0x80 != 0 else { return first & 0x40 == 0 ? low : -low }
    let magnitude = try longMagnitude(low)
    return first & 0x40 == 0 ? magnitude : -magnitude
  }

  @inline(__always)
  private mutating func longMagnitude(_ low: Int64) throws(GeometryBlobError) -> Int64 {
    var magnitude = low
    var shift: Int64 = 6
    while offset < end, shift <= 55 {
      let byte = unsafe bytes[offset]
      offset += 1
      magnitude |= Int64(byte & 0x7F) &<< shift
      if byte & 0x80 == 0 { return magnitude }
      shift += 7
    }
    throw .malformedNumber(offset: offset)
  }

  /// Skips `count` numbers.
  mutating func skip(_ count: Int) throws(GeometryBlobError) {
    for _ in 0..<count { _ = try next() }
  }
}

extension Array where Element == UInt8 {
  /// Appends a signed number of variable length.
  @inline(__always)
  mutating func appendVarint(_ value: Int64) {
    var rest = value.magnitude
    let sign: UInt8 = value < 0 ? 0x40 : 0
    append(UInt8(truncatingIfNeeded: rest & 0x3F) | sign | (rest > 0x3F ? 0x80 : 0))
    rest >>= 6
    while rest > 0 {
      append(UInt8(truncatingIfNeeded: rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
      rest >>= 7
    }
  }
}
