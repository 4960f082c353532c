internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanFiles

internal import struct Foundation.Data

/// A part of a file that moves along it, from front to back.
///
/// What lies before the mark is released when more is read.
struct ByteWindow {
  /// The bytes at hand.
  private(set) var bytes: [UInt8] = []
  /// The index in ``bytes`` of the next byte to read.
  var position = 0
  /// Where in ``bytes`` begins what must stay at hand.
  var mark = 0

  private let source: any ByteSource
  /// Where in the file ``bytes`` begins.
  private var start = 0

  /// How much is read at once.
  private static let pieceSize = 1 << 20
  /// The longest single value, in bytes.
  private static let longestValue = 256 << 20

  init(_ source: any ByteSource) { self.source = source }

  /// The place of ``position`` in the file.
  var offset: Int { start + position }

  /// Reads on; `false` at the end of the file.
  mutating func fill() throws(FeatureStoreError) -> Bool {
    guard !Task.isCancelled else { throw .cancelled }
    let end = start + bytes.count
    guard end < source.count else { return false }
    guard bytes.count - mark < Self.longestValue else {
      throw damaged("a value is longer than \(Self.longestValue >> 20) MB")
    }
    bytes.removeFirst(mark)
    (start, position, mark) = (start + mark, position - mark, 0)
    do {
      bytes += try source.read(end..<min(end + Self.pieceSize, source.count))
    } catch {
      throw .unreadable(
        file: source.name, reason: error.plainReason)
    }
    return true
  }

  /// The next byte, which stays the next; `nil` at the end of the file.
  mutating func peek() throws(FeatureStoreError) -> UInt8? {
    if position == bytes.count, try !fill() { return nil }
    return bytes[position]
  }

  /// Goes past blanks; returns the byte after them, which stays the next.
  mutating func peekAfterBlanks() throws(FeatureStoreError) -> UInt8? {
    while let byte = try peek() {
      guard byte == 0x20 || (0x09...0x0D).contains(byte) else { return byte }
      position += 1
    }
    return nil
  }

  /// The line in which what is marked begins, from 1; `nil` if all up to ``position`` is one line, or cannot be
  /// read again, which it is for this.
  func lineOfMark() -> Int? {
    let newline = UInt8(ascii: "\n")
    var (before, hasMore) = (0, false)
    var place = 0
    while place < offset {
      let end = min(place + Self.pieceSize, offset)
      // It was read before; where that is no longer possible, the byte says where it is.
      guard let piece = try? source.read(place..<end) else { return nil }
      let inFront = piece.prefix(max(start + mark - place, 0))
      before += inFront.count { $0 == newline }
      hasMore = hasMore || piece.dropFirst(inFront.count).contains(newline)
      place = end
    }
    return before > 0 || hasMore ? before + 1 : nil
  }

  /// The error that the file is not what it should be, here.
  func damaged(_ reason: String) -> FeatureStoreError {
    .damaged(file: source.name, place: "byte \(offset)", reason: reason)
  }
}
