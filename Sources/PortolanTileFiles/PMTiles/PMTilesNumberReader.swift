internal import Foundation

/// Reads numbers of seven bits a byte, the lowest first.
struct PMTilesNumberReader {
  /// The failure to read a directory.
  enum Failure: Error {
    case end
    case tooLarge
    case disorder

    /// A clause for messages.
    var reason: String {
      switch self {
      case .end: "it ends inside an entry"
      case .tooLarge: "it holds a number that no file can have"
      case .disorder: "its ids do not rise, or are not those of its place"
      }
    }
  }

  private let data: Data
  private var position: Data.Index

  init(_ data: Data) {
    self.data = data
    position = data.startIndex
  }

  /// The next number.
  mutating func next() throws(Failure) -> Int {
    var value = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard position < data.endIndex else { throw .end }
      let byte = data[position]
      position += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .tooLarge
  }

  /// Reads the ids, each as the distance from the one before.
  mutating func readIDs(
    into entries: inout [PMTilesEntry], _ ids: Range<Int>
  ) throws(Failure) {
    var last = 0
    for index in entries.indices {
      let step = try next()
      let (id, overflows) = last.addingReportingOverflow(step)
      guard !overflows, ids.contains(id), index == 0 || step > 0 else { throw .disorder }
      entries[index].id = id
      last = id
    }
  }

  /// Reads the offsets: 0 for what follows the entry before, else one more than the offset.
  mutating func readOffsets(into entries: inout [PMTilesEntry]) throws(Failure) {
    var end: Int?
    for index in entries.indices {
      let code = try next()
      guard let offset = code == 0 ? end : code - 1 else { throw .disorder }
      let (next, overflows) = offset.addingReportingOverflow(entries[index].length)
      guard !overflows else { throw .tooLarge }
      entries[index].offset = offset
      end = next
    }
  }
}

extension Data {
  /// Appends a number that is not negative, seven bits a byte, the lowest first.
  mutating func append(varint value: Int) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
