/// Bytes of a page or of a row, of which nothing is read that is not there.
///
/// Numbers are big-endian, as everywhere in SQLite's format.
struct PageBytes: Sendable {
  private let bytes: ArraySlice<UInt8>
  /// The page that the bytes are of, for errors.
  let page: Int

  init(_ bytes: ArraySlice<UInt8>, page: Int) {
    self.bytes = bytes
    self.page = page
  }

  var count: Int { bytes.count }

  /// The bytes as they are.
  var slice: ArraySlice<UInt8> { bytes }

  func starts(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

  /// A part, which must lie inside.
  func part(_ offset: Int, _ length: Int) throws(PageError) -> PageBytes {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
      throw .damaged(page: page)
    }
    let start = bytes.startIndex + offset
    return PageBytes(bytes[start..<start + length], page: page)
  }

  func uint8(at offset: Int) throws(PageError) -> Int {
    guard offset >= 0, offset < count else { throw .damaged(page: page) }
    return Int(bytes[bytes.startIndex + offset])
  }

  func uint16(at offset: Int) throws(PageError) -> Int {
    Int(truncatingIfNeeded: try number(at: offset, length: 2))
  }

  func uint32(at offset: Int) throws(PageError) -> Int {
    Int(truncatingIfNeeded: try number(at: offset, length: 4))
  }

  /// An unsigned number of up to eight bytes.
  func number(at offset: Int, length: Int) throws(PageError) -> UInt64 {
    guard offset >= 0, length <= 8, offset <= count, length <= count - offset else {
      throw .damaged(page: page)
    }
    let start = bytes.startIndex + offset
    var value: UInt64 = 0
    for index in start..<start + length { value = value << 8 | UInt64(bytes[index]) }
    return value
  }

  /// A number of one to nine bytes, seven bits each and eight in the ninth, and where it ends.
  ///
  /// - SeeAlso: [Varint](https://www.sqlite.org/fileformat2.html#varint)
  func varint(at offset: Int) throws(PageError) -> (value: Int64, end: Int) {
    var value: UInt64 = 0
    for place in 0..<8 {
      let byte = try uint8(at: offset + place)
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return (Int64(bitPattern: value), offset + place + 1) }
    }
    value = value << 8 | UInt64(try uint8(at: offset + 8))
    return (Int64(bitPattern: value), offset + 9)
  }
}
