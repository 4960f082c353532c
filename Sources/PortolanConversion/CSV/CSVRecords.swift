package import Foundation
package import PortolanFeatures
internal import PortolanFiles

/// Reads the records of a file of comma-separated values one by one.
///
/// Cells may be quoted, with line breaks in them; the separator is the comma, the semicolon, the tabulator or the
/// bar, whichever the first line has most of, or the one that it names (`sep=;`). A byte order mark is skipped; UTF-16 is recognized by its
/// mark or its zeros. Cells that are not in UTF-8 are read as Windows-1252; lines end as the first one does.
///
/// - SeeAlso: [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
package struct CSVRecords: ~Copyable {
  private let name: String
  private let file: RegularFile
  private let encoding: UnicodeEncoding
  private var window: [UInt8]
  private var position: Int
  private var offset: Int
  private let separator: UInt8
  /// What lines end with, behind which a carriage return does not count.
  private let lineEnd: UInt8
  /// The line on which the record that was read last begins, from 1.
  package private(set) var line = 0
  /// Whether some of the records that were read are neither in UTF-8 nor in UTF-16.
  private var hasOtherEncoding = false
  private var nextLine = 1

  private static let windowSize = 1 << 20
  /// No record is longer, in bytes.
  private static let longestRecord = 16 << 20

  /// The size of the file, in bytes.
  package var byteCount: Int { file.byteCount }

  /// In which encoding the records that were read are, a sentence; `nil` for UTF-8.
  package var encodingNote: String? {
    if encoding != .utf8 { return "\"\(name)\" was read as UTF-16." }
    guard hasOtherEncoding else { return nil }
    return "Texts of \"\(name)\" that are not in UTF-8 were read as Windows-1252. If they look "
      + "wrong, convert the file to UTF-8 first: \"iconv -f SHIFT_JIS -t UTF-8\" does it from Shift JIS."
  }

  /// Opens a file.
  ///
  /// - Throws: `FeatureStoreError` if it cannot be read.
  package init(at url: URL) throws(FeatureStoreError) {
    let name = url.lastPathComponent
    let file = try Self.opened(url)
    let piece = try Self.piece(of: file, from: 0, name)
    let encoding = UnicodeEncoding(of: piece)
    let (first, length) = encoding.text(of: piece, isLast: piece.count == file.byteCount)
    self.name = name
    self.encoding = encoding
    offset = length
    window = first
    let start = first.starts(with: UnicodeEncoding.utf8Mark) ? UnicodeEncoding.utf8Mark.count : 0
    let newline = UInt8(ascii: "\n")
    let lineEnd = first.contains(newline) ? newline : UInt8(ascii: "\r")
    self.lineEnd = lineEnd
    let line = first[start...].prefix { $0 != lineEnd }
    if let declared = Self.declaredSeparator(line) {
      separator = declared
      position = min(line.endIndex + 1, first.count)
      nextLine = 2
    } else {
      separator = Self.separator(of: line)
      position = start
    }
    self.file = file
  }

  /// The next record; `nil` at the end of the file.
  ///
  /// - Throws: `FeatureStoreError` if the file cannot be read or a cell has no end.
  package mutating func next() throws(FeatureStoreError) -> [String]? {
    line = nextLine
    var cells: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var length = 0
    var openLine = line
    while let byte = try take() {
      length += 1
      guard length <= Self.longestRecord else {
        throw .damaged(
          file: name, place: "line \(line)", reason: "it has a cell that does not end")
      }
      if byte == lineEnd { nextLine += 1 }
      switch byte {
      case UInt8(ascii: "\"") where isQuoted:
        isQuoted = try peek() == byte
        if isQuoted {
          cell.append(byte)
          position += 1
        }
      case UInt8(ascii: "\"") where cell.isEmpty: (isQuoted, openLine) = (true, nextLine)
      case separator where !isQuoted: close(&cell, into: &cells)
      case lineEnd where !isQuoted:
        close(&cell, into: &cells)
        guard cells == [""] else { return cells }
        // Empty lines are no records.
        cells.removeAll(keepingCapacity: true)
        line = nextLine
        length = 0
      case UInt8(ascii: "\r") where !isQuoted: break
      default: cell.append(byte)
      }
    }
    guard !isQuoted else {
      throw .damaged(file: name, place: "line \(openLine)", reason: "a quote is not closed")
    }
    guard length > 0 else { return nil }
    close(&cell, into: &cells)
    return cells == [""] ? nil : cells
  }

  private mutating func close(_ cell: inout [UInt8], into cells: inout [String]) {
    if let text = String(validating: cell, as: UTF8.self) {
      cells.append(text)
    } else {
      hasOtherEncoding = true
      cells.append(Self.western(cell))
    }
    cell.removeAll(keepingCapacity: true)
  }

  private static let windows = CodePage(named: "1252")

  /// The text of Windows-1252, which is Latin-1 and more; bytes that stand for nothing there are those of
  /// Latin-1, so that none is lost.
  private static func western(_ cell: [UInt8]) -> String {
    if let text = windows?.text(cell), !text.contains("\u{FFFD}") { return text }
    return String(String.UnicodeScalarView(cell.map { UnicodeScalar($0) }))
  }

  private mutating func take() throws(FeatureStoreError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    return byte
  }

  private mutating func peek() throws(FeatureStoreError) -> UInt8? {
    if position == window.count { try fill() }
    return position < window.count ? window[position] : nil
  }

  private mutating func fill() throws(FeatureStoreError) {
    guard offset < file.byteCount else { return }
    let piece = try Self.piece(of: file, from: offset, name)
    let isLast = offset + piece.count == file.byteCount
    let (text, length) = encoding.text(of: piece, isLast: isLast)
    window = text
    position = 0
    offset += length
  }

  private static func opened(_ url: URL) throws(FeatureStoreError) -> RegularFile {
    do throws(FileError) { return try RegularFile(at: url) } catch {
      throw .unreadable(file: url.lastPathComponent, reason: error.reason)
    }
  }

  private static func piece(
    of file: borrowing RegularFile, from offset: Int, _ name: String
  ) throws(FeatureStoreError) -> [UInt8] {
    let end = min(offset + windowSize, file.byteCount)
    guard offset < end else { return [] }
    do throws(FileError) { return Array(try file.read(offset..<end)) } catch {
      throw .unreadable(file: name, reason: error.reason)
    }
  }

  /// The separator that a line such as `sep=;` names, which spreadsheets write before the names of the columns.
  private static func declaredSeparator(_ line: ArraySlice<UInt8>) -> UInt8? {
    let bytes = line.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\r") }
    guard bytes.count == 5, let separator = bytes.last, separators.contains(separator),
      String(decoding: bytes.prefix(4), as: UTF8.self).lowercased() == "sep="
    else { return nil }
    return separator
  }

  /// What separates cells, first what most files have.
  private static let separators = Array(",;\t|".utf8)

  /// The separator that a line has most of, outside quotes.
  private static func separator(of firstLine: ArraySlice<UInt8>) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in firstLine {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    var best = separators[0]
    for separator in separators where counts[separator, default: 0] > counts[best, default: 0] {
      best = separator
    }
    return best
  }
}
