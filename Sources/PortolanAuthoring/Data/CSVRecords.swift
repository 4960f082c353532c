internal import Foundation
internal import PortolanFiles

/// Reads the records of a file of comma-separated values one by one.
///
/// Cells may be quoted, with line breaks in them; the separator is the comma, the semicolon or the
/// tabulator, whichever the first line has most of. A byte order mark is skipped.
///
/// - SeeAlso: [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
struct CSVRecords: ~Copyable {
  private let file: RegularFile
  private var window: [UInt8]
  private var position: Int
  private var offset: Int
  private let separator: UInt8
  /// The line on which the record that was read last begins, from 1.
  private(set) var line = 0
  private var nextLine = 1

  private static let windowSize = 1 << 20
  /// No record is longer, in bytes.
  private static let longestRecord = 16 << 20

  init(at url: URL) throws(FileError) {
    let file = try RegularFile(at: url)
    let end = min(Self.windowSize, file.byteCount)
    let first = end > 0 ? Array(try file.read(0..<end)) : []
    offset = end
    window = first
    position = first.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    separator = Self.separator(of: first)
    self.file = file
  }

  /// The next record; `nil` at the end of the file.
  mutating func next() throws(FileError) -> [String]? {
    line = nextLine
    var cells: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var length = 0
    var openLine = line
    while let byte = try take() {
      length += 1
      guard length <= Self.longestRecord else {
        throw .unreadable(file: file.path, reason: "line \(line) has a cell that does not end")
      }
      if byte == UInt8(ascii: "\n") { nextLine += 1 }
      switch byte {
      case UInt8(ascii: "\"") where isQuoted:
        isQuoted = try peek() == byte
        if isQuoted {
          cell.append(byte)
          position += 1
        }
      case UInt8(ascii: "\"") where cell.isEmpty: (isQuoted, openLine) = (true, nextLine)
      case separator where !isQuoted: Self.close(&cell, into: &cells)
      case UInt8(ascii: "\r") where !isQuoted: break
      case UInt8(ascii: "\n") where !isQuoted:
        Self.close(&cell, into: &cells)
        guard cells == [""] else { return cells }
        // Empty lines are no records.
        cells.removeAll(keepingCapacity: true)
        line = nextLine
        length = 0
      default: cell.append(byte)
      }
    }
    guard !isQuoted else {
      throw .unreadable(file: file.path, reason: "the quote in line \(openLine) is not closed")
    }
    guard length > 0 else { return nil }
    Self.close(&cell, into: &cells)
    return cells == [""] ? nil : cells
  }

  private static func close(_ cell: inout [UInt8], into cells: inout [String]) {
    cells.append(String(decoding: cell, as: UTF8.self))
    cell.removeAll(keepingCapacity: true)
  }

  private mutating func take() throws(FileError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    return byte
  }

  private mutating func peek() throws(FileError) -> UInt8? {
    if position == window.count { try fill() }
    return position < window.count ? window[position] : nil
  }

  private mutating func fill() throws(FileError) {
    let end = min(offset + Self.windowSize, file.byteCount)
    guard offset < end else { return }
    window = Array(try file.read(offset..<end))
    position = 0
    offset = end
  }

  private static func separator(of text: [UInt8]) -> UInt8 {
    let firstLine = text.prefix { $0 != UInt8(ascii: "\n") }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    var best = candidates[0]
    var most = 0
    for candidate in candidates {
      let count = firstLine.count { $0 == candidate }
      if count > most { (best, most) = (candidate, count) }
    }
    return best
  }
}
