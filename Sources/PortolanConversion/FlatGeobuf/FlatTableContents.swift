/// The fields of a FlatBuffers table to be written.
///
/// - SeeAlso: [FlatBuffers](https://flatbuffers.dev/internals/)
struct FlatTableContents {
  enum Value {
    /// A number of so many bytes.
    case number(UInt64, size: Int)
    case text(String)
    case bytes([UInt8])
    case words([UInt32])
    case doubles([Double])
    case table(FlatTableContents)
    case tables([FlatTableContents])

    /// What the table itself has of the value.
    fileprivate var size: Int { if case .number(_, let size) = self { size } else { 4 } }
  }

  /// The values by the numbers of their fields, which rise.
  private var fields: [(number: Int, value: Value)] = []

  init() {}

  /// Sets a field that is not set yet.
  mutating func set(_ number: Int, _ value: Value?) {
    guard let value else { return }
    let place = fields.firstIndex { $0.number > number } ?? fields.count
    fields.insert((number, value), at: place)
  }

  /// The table as a buffer behind its size.
  var sizedBuffer: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 8)
    let root = write(to: &bytes)
    bytes.put(UInt64(bytes.count - 4), size: 4, at: 0)
    bytes.put(UInt64(root - 4), size: 4, at: 4)
    return bytes
  }

  /// Adds the table and says where it begins; what it points to follows it.
  private func write(to bytes: inout [UInt8]) -> Int {
    bytes.align(to: 4)
    let places = bytes.count
    let count = (fields.last?.number ?? -1) + 1
    bytes.add(UInt64(4 + 2 * count), size: 2)
    bytes.add(0, size: 2)
    for _ in 0..<count { bytes.add(0, size: 2) }
    bytes.align(to: 8)
    let start = bytes.count
    bytes.add(UInt64(start - places), size: 4)
    var pointers: [(place: Int, value: Value)] = []
    for (number, value) in fields {
      bytes.align(to: value.size)
      bytes.put(UInt64(bytes.count - start), size: 2, at: places + 4 + 2 * number)
      if case .number(let whole, let size) = value {
        bytes.add(whole, size: size)
      } else {
        pointers.append((bytes.count, value))
        bytes.add(0, size: 4)
      }
    }
    bytes.put(UInt64(bytes.count - start), size: 2, at: places + 2)
    for (place, value) in pointers {
      let target = Self.write(value, to: &bytes)
      bytes.put(UInt64(target - place), size: 4, at: place)
    }
    return start
  }

  private static func write(_ value: Value, to bytes: inout [UInt8]) -> Int {
    switch value {
    case .number: return bytes.count
    case .table(let table): return table.write(to: &bytes)
    case .text(let text):
      let start = list(text.utf8.count, stride: 1, &bytes)
      bytes += Array(text.utf8) + [0]
      return start
    case .bytes(let content):
      let start = list(content.count, stride: 1, &bytes)
      bytes += content
      return start
    case .words(let words):
      let start = list(words.count, stride: 4, &bytes)
      for word in words { bytes.add(UInt64(word), size: 4) }
      return start
    case .doubles(let numbers):
      let start = list(numbers.count, stride: 8, &bytes)
      for number in numbers { bytes.add(number.bitPattern, size: 8) }
      return start
    case .tables(let tables):
      let start = list(tables.count, stride: 4, &bytes)
      for _ in tables { bytes.add(0, size: 4) }
      for (index, table) in tables.enumerated() {
        let place = start + 4 + 4 * index
        bytes.put(UInt64(table.write(to: &bytes) - place), size: 4, at: place)
      }
      return start
    }
  }

  /// Begins a list whose elements are at multiples of their size.
  private static func list(_ count: Int, stride: Int, _ bytes: inout [UInt8]) -> Int {
    bytes.align(to: 4)
    if stride > 4, (bytes.count + 4) % stride != 0 { bytes.add(0, size: 4) }
    bytes.add(UInt64(count), size: 4)
    return bytes.count - 4
  }
}

extension [UInt8] {
  /// Adds a number, its smallest byte first.
  mutating func add(_ number: UInt64, size: Int) {
    for index in 0..<size { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
  }

  fileprivate mutating func put(_ number: UInt64, size: Int, at place: Int) {
    for index in 0..<size {
      self[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index))
    }
  }

  fileprivate mutating func align(to unit: Int) {
    while count % unit != 0 { append(0) }
  }
}
