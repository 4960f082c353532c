internal import Foundation
internal import PortolanTiles

extension Data {
  /// The whole number of up to 8 bytes at `offset` from the start, lowest byte first.
  ///
  /// The bytes must be there: what is read is checked against the file before.
  @inline(__always)
  func littleEndian(at offset: Int, count: Int) -> Int {
    unsafe withUnsafeBytes { bytes in
      var value: UInt64 = 0
      for index in stride(from: offset + count - 1, through: offset, by: -1) {
        value = unsafe value << 8 | UInt64(bytes[index])
      }
      return Int(truncatingIfNeeded: value)
    }
  }
}

extension Data {
  /// As `withUnsafeBytes`, which does not know typed errors on this platform.
  func lend<Result>(
    _ body: (UnsafeRawBufferPointer) throws(TileError) -> Result
  ) throws(TileError) -> Result {
    let result = unsafe withUnsafeBytes { bytes in
      Swift.Result { () throws(TileError) in try unsafe body(bytes) }
    }
    return try result.get()
  }
}

extension Data {
  /// Appends the lowest `count` bytes of a number that is not negative, lowest first.
  mutating func append(littleEndian value: Int, count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
