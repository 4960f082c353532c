internal import Foundation

/// The values of a row.
///
/// - SeeAlso: [Record Format](https://www.sqlite.org/fileformat2.html#record_format)
struct PageRecord {
  /// Where a value lies and what it is.
  private struct Part {
    let type: Int64
    let offset: Int
    let length: Int
  }

  private let row: TablePage.Row
  /// The bytes that are at hand: those on the row's own page, or all.
  private let local: PageBytes
  private let parts: [Part]
  private let tree: PageTree

  /// The most columns that a table can have.
  private static let mostColumns = 32_767

  /// Reads the beginning of a record, which says what its values are.
  ///
  /// What lies on other pages is fetched when a value there is asked for.
  init(_ row: TablePage.Row, in tree: PageTree) throws(PageError) {
    let (headerLength, start) = try row.local.varint(at: 0)
    guard headerLength >= start, headerLength <= row.length else {
      throw .damaged(page: row.local.page)
    }
    let bytes = headerLength <= row.local.count ? row.local : try tree.whole(row)
    var parts: [Part] = []
    parts.reserveCapacity(min(64, Int(headerLength)))
    var (place, offset) = (start, Int(headerLength))
    while place < Int(headerLength) {
      let (type, end) = try bytes.varint(at: place)
      guard let length = Self.length(ofType: type), length <= row.length - offset,
        parts.count < Self.mostColumns
      else { throw .damaged(page: bytes.page) }
      parts.append(Part(type: type, offset: offset, length: length))
      offset += length
      place = end
    }
    guard place == Int(headerLength) else { throw .damaged(page: bytes.page) }
    self.row = row
    self.tree = tree
    self.parts = parts
    local = bytes
  }

  /// How many values there are.
  var count: Int { parts.count }

  /// A value, counted from 0.
  func value(_ column: Int) throws(PageError) -> SQLValue {
    let part = try part(column)
    let bytes = try bytes(with: part)
    switch part.type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 7:
      let number = Double(bitPattern: try bytes.number(at: part.offset, length: 8))
      // SQLite has no other way to read what is no number.
      return number.isNaN ? .null : .real(number)
    case ..<7:
      let shift = 64 - 8 * part.length
      let bits = try bytes.number(at: part.offset, length: part.length)
      return .integer(Int64(bitPattern: bits << shift) >> shift)
    default:
      let slice = try bytes.part(part.offset, part.length).slice
      return part.type.isMultiple(of: 2)
        ? .blob(Data(slice)) : .text(String(decoding: slice, as: UTF8.self))
    }
  }

  /// Whether a value is a text that equals `text` but for the case of its letters from A to Z.
  func isText(_ column: Int, _ text: [UInt8]) throws(PageError) -> Bool {
    let part = try part(column)
    guard part.type >= 13, !part.type.isMultiple(of: 2), part.length == text.count else {
      return false
    }
    let slice = try bytes(with: part).part(part.offset, part.length).slice
    var index = slice.startIndex
    for byte in text {
      guard slice[index] == byte || slice[index].asLowerCase == byte.asLowerCase else {
        return false
      }
      index += 1
    }
    return true
  }

  private func part(_ column: Int) throws(PageError) -> Part {
    guard parts.indices.contains(column) else { throw .damaged(page: row.local.page) }
    return parts[column]
  }

  /// Bytes among which a value is.
  private func bytes(with part: Part) throws(PageError) -> PageBytes {
    part.offset + part.length <= local.count ? local : try tree.whole(row)
  }

  /// The bytes of a value of a type; `nil` for types that are kept for SQLite itself.
  private static func length(ofType type: Int64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 12...: Int((type - 12) / 2)
    default: nil
    }
  }
}

extension UInt8 {
  /// The small letter for a capital one of ASCII, else the same.
  var asLowerCase: UInt8 { (65...90).contains(self) ? self | 0x20 : self }
}
