internal import Foundation

/// Bytes of a file that are read by position; what lies behind the end is `nil`.
struct ShapefileBytes {
  private let data: Data

  init(_ data: Data) { self.data = data }

  var count: Int { data.count }

  /// Whether any byte stands for no character of ASCII.
  var hasOtherThanASCII: Bool { data.contains { $0 >= 0x80 } }

  func byte(_ offset: Int) -> UInt8? {
    offset >= 0 && offset < data.count ? data[data.startIndex + offset] : nil
  }

  func bytes(_ range: Range<Int>) -> Data? {
    guard range.lowerBound >= 0, range.upperBound <= data.count else { return nil }
    return data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
  }

  /// A number of four bytes, the greatest first.
  func big(_ offset: Int) -> Int? {
    bytes(offset..<offset + 4).map { Int(Int32(bitPattern: $0.reduce(0) { $0 << 8 | UInt32($1) })) }
  }

  /// A number of two or four bytes, the smallest first.
  func little(_ offset: Int, _ count: Int = 4) -> Int? {
    bytes(offset..<offset + count).map { bytes in
      let value = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return count == 4 ? Int(Int32(bitPattern: value)) : Int(value)
    }
  }

  func double(_ offset: Int) -> Double? {
    bytes(offset..<offset + 8).map { bytes in
      Double(bitPattern: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
  }
}
