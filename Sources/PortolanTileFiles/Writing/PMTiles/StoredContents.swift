internal import Foundation
internal import PortolanFiles

/// The contents that a file has already, so that equal tiles are written once.
///
/// Hashes find them and the bytes decide. Beyond a million contents no more are remembered: what
/// comes again and again, such as the sea, has come by then.
struct StoredContents {
  private static let maximumCount = 1 << 20

  private struct Place {
    var offset: Int
    var length: Int
  }

  /// How many different contents were written.
  private(set) var count = 0
  private var places: [UInt64: Place] = [:]

  /// The range of a content in the file, to whose end it is written if it is new.
  mutating func place(of data: Data, in file: inout StagedFile) throws(FileError) -> Int {
    let hash = Self.hash(data)
    if let place = places[hash], place.length == data.count,
      try file.read(place.offset..<place.offset + place.length) == data
    {
      return place.offset
    }
    let offset = file.count
    try file.write(data)
    count += 1
    if places.count < Self.maximumCount, places[hash] == nil {
      places[hash] = Place(offset: offset, length: data.count)
    }
    return offset
  }

  /// Eight bytes at a time, each stirred into all bits.
  private static func hash(_ data: Data) -> UInt64 {
    unsafe data.withUnsafeBytes { bytes in
      var hash = UInt64(truncatingIfNeeded: bytes.count)
      func stir(_ word: UInt64) {
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
      }
      let end = bytes.count & ~7
      for offset in stride(from: 0, to: end, by: 8) {
        unsafe stir(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      for offset in end..<bytes.count { unsafe stir(UInt64(bytes[offset])) }
      return hash
    }
  }
}
