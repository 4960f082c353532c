/// A table of a FlatBuffers file, read by position; nothing is read beyond its buffer, so that damaged
/// rows cannot all have the content of one.
///
/// - SeeAlso: [FlatBuffers](https://flatbuffers.dev/internals/)
struct FlatTable {
  /// What leads out of the file.
  struct Fault: Error {}

  private let bytes: [UInt8]
  private let position: Int
  /// The buffer that the table is in, and all that belongs to it.
  let buffer: Range<Int>
  /// Where the offsets of the fields are stored.
  private let places: Range<Int>

  /// The first table of a buffer that follows its size at `start`.
  init(_ bytes: [UInt8], at start: Int) throws(Fault) {
    let size = try Self.whole(bytes, start, 4)
    guard size <= bytes.count - start - 4 else { throw Fault() }
    let buffer = start + 4..<start + 4 + size
    let position = start + 4 + (try Self.whole(bytes, start + 4, 4))
    try self.init(bytes, buffer, position: position)
  }

  private init(_ bytes: [UInt8], _ buffer: Range<Int>, position: Int) throws(Fault) {
    self.bytes = bytes
    self.buffer = buffer
    self.position = position
    let back = Int32(
      truncatingIfNeeded: try Self.number(bytes, Self.inside(buffer, position, 4), 4))
    let table = position - Int(back)
    let size = try Self.whole(bytes, Self.inside(buffer, table, 2), 2)
    guard size >= 4, table + size <= buffer.upperBound else { throw Fault() }
    places = table + 4..<table + size
  }

  /// A place where so many bytes are in a buffer.
  private static func inside(
    _ buffer: Range<Int>, _ offset: Int, _ size: Int
  ) throws(Fault) -> Int {
    guard offset >= buffer.lowerBound, offset <= buffer.upperBound - size else { throw Fault() }
    return offset
  }

  /// A number in the buffer of the table.
  private func number(at offset: Int, _ size: Int) throws(Fault) -> UInt64 {
    try Self.number(bytes, Self.inside(buffer, offset, size), size)
  }

  private func whole(at offset: Int) throws(Fault) -> Int {
    Int(truncatingIfNeeded: try number(at: offset, 4))
  }

  /// A number of some bytes, the smallest first.
  static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) throws(Fault) -> UInt64 {
    guard offset >= 0, offset <= bytes.count - size else { throw Fault() }
    var number: UInt64 = 0
    for index in 0..<size { number |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    return number
  }

  private static func whole(_ bytes: [UInt8], _ offset: Int, _ size: Int) throws(Fault) -> Int {
    Int(truncatingIfNeeded: try number(bytes, offset, size))
  }

  /// Where a field is; `nil` if the table has none.
  private func place(_ field: Int) throws(Fault) -> Int? {
    let entry = places.lowerBound + 2 * field
    guard entry + 2 <= places.upperBound else { return nil }
    let offset = try Self.whole(bytes, entry, 2)
    return offset == 0 ? nil : position + offset
  }

  /// A number; `nil` if the table has none.
  func number(_ field: Int, size: Int) throws(Fault) -> UInt64? {
    guard let place = try place(field) else { return nil }
    return try number(at: place, size)
  }

  /// Whether a field is true.
  func flag(_ field: Int) throws(Fault) -> Bool { try number(field, size: 1) ?? 0 != 0 }

  /// Where the elements of a list begin, and how many there are; `nil` if the table has none.
  private func list(_ field: Int, stride: Int) throws(Fault) -> (start: Int, count: Int)? {
    guard let place = try place(field) else { return nil }
    let start = place + (try whole(at: place))
    let count = try whole(at: start)
    guard count <= (buffer.upperBound - start - 4) / stride else { throw Fault() }
    return (start + 4, count)
  }

  /// A text; `nil` if the table has none.
  func text(_ field: Int) throws(Fault) -> String? {
    guard let list = try list(field, stride: 1) else { return nil }
    return String(decoding: bytes[list.start..<list.start + list.count], as: UTF8.self)
  }

  /// Bytes; none if the table has none.
  func bytes(_ field: Int) throws(Fault) -> ArraySlice<UInt8> {
    guard let list = try list(field, stride: 1) else { return [] }
    return bytes[list.start..<list.start + list.count]
  }

  /// Numbers with a point; none if the table has none.
  func doubles(_ field: Int) throws(Fault) -> [Double] {
    guard let list = try list(field, stride: 8) else { return [] }
    var numbers: [Double] = []
    numbers.reserveCapacity(list.count)
    for index in 0..<list.count {
      numbers.append(Double(bitPattern: try Self.number(bytes, list.start + 8 * index, 8)))
    }
    return numbers
  }

  /// Whole numbers of four bytes; none if the table has none.
  func words(_ field: Int) throws(Fault) -> [Int] {
    guard let list = try list(field, stride: 4) else { return [] }
    var numbers: [Int] = []
    for index in 0..<list.count {
      numbers.append(try whole(at: list.start + 4 * index))
    }
    return numbers
  }

  /// The table in a field; `nil` if there is none.
  func table(_ field: Int) throws(Fault) -> FlatTable? {
    guard let place = try place(field) else { return nil }
    return try FlatTable(bytes, buffer, position: place + whole(at: place))
  }

  /// The tables in a field.
  func tables(_ field: Int) throws(Fault) -> [FlatTable] {
    guard let list = try list(field, stride: 4) else { return [] }
    var tables: [FlatTable] = []
    for index in 0..<list.count {
      let place = list.start + 4 * index
      tables.append(try FlatTable(bytes, buffer, position: place + whole(at: place)))
    }
    return tables
  }
}
