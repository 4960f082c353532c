internal import Foundation
internal import PortolanFeatures

/// Writes the rows of a shapefile, in the format of dBASE III, in UTF-8.
///
/// Who writes the file takes the rows from time to time.
struct DBaseWriter {
  /// What two bytes can say, in which the lengths of the header and of a row are.
  private static let greatestLength = 65_535
  /// As many as the header has room for.
  private static let mostColumns = (greatestLength - 33) / 32
  /// No text is made shorter for want of room in a row.
  private static let shortestText = 38

  private struct Column {
    let source: String
    let name: String
    let kind: Character
    var length: Int
    let decimals: Int
    /// How many values did not fit.
    var cutCount = 0
  }

  private let table: String
  private var columns: [Column] = []
  /// The fields for which there is no room, or no kind of column, and in how many rows they have values.
  private var surplus: [(field: String, rowCount: Int)] = []
  private var rows: [UInt8] = []
  /// How many rows there are.
  private(set) var count = 0

  /// Rows of a table, under names of at most ten bytes.
  init(_ schema: FeatureTableSchema) {
    table = schema.name
    var taken: Set<String> = []
    let withoutValues: [FieldType] = [.blob, .raster, .geometry]
    for field in schema.fields where !withoutValues.contains(field.type) {
      let (kind, length, decimals) = Self.format(of: field)
      columns.append(
        Column(
          source: field.name, name: Self.name(field.name, &taken), kind: kind, length: length,
          decimals: decimals))
    }
    // A table needs a column.
    if columns.isEmpty {
      columns = [
        Column(source: schema.objectIDField, name: "ID", kind: "N", length: 11, decimals: 0)
      ]
    }
    fitColumns()
    for field in schema.fields where withoutValues.contains(field.type) {
      surplus.append((field: field.name, rowCount: 0))
    }
  }

  /// Makes texts shorter where rows would be too long, and leaves out what has no room even then.
  private mutating func fitColumns() {
    let total = columns.reduce(1) { $0 + $1.length }
    let texts = columns.indices.filter { columns[$0].length > Self.shortestText }
    if total > Self.greatestLength, !texts.isEmpty {
      let others = total - texts.reduce(0) { $0 + columns[$1].length }
      let share = max((Self.greatestLength - others) / texts.count, Self.shortestText)
      for index in texts { columns[index].length = min(columns[index].length, share) }
    }
    var length = 1
    let fitting = columns.prefix(Self.mostColumns).prefix { column in
      length += column.length
      return length <= Self.greatestLength
    }
    surplus = columns.dropFirst(fitting.count).map { ($0.source, 0) }
    columns = Array(fitting)
  }

  private static func format(of field: Field) -> (Character, Int, Int) {
    switch field.type {
    case .smallInteger: ("N", 6, 0)
    case .integer, .objectID: ("N", 11, 0)
    case .bigInteger: ("N", 20, 0)
    case .single, .double: ("N", 24, 15)
    case .date, .timestampOffset: ("C", 24, 0)
    case .dateOnly: ("D", 8, 0)
    case .guid, .globalID: ("C", 38, 0)
    default: ("C", min(max((field.length ?? 254) * 2, 1), 254), 0)
    }
  }

  /// A name that is no other one, of ten bytes.
  private static func name(_ name: String, _ taken: inout Set<String>) -> String {
    func cut(_ text: String, _ most: Int) -> String {
      var result = ""
      for character in text where result.utf8.count + character.utf8.count <= most {
        result.append(character)
      }
      return result
    }
    var candidate = cut(name, 10)
    var number = 1
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = cut(name, 9 - "\(number)".count) + "_\(number)"
      number += 1
    }
    return candidate
  }

  mutating func add(_ feature: Feature) {
    count += 1
    rows.append(UInt8(ascii: " "))
    for number in columns.indices {
      let column = columns[number]
      let value = feature.attributes[column.source] ?? .null
      let day = column.kind == "D" ? Self.day(value) : []
      if value.isInfinite || day == nil { columns[number].cutCount += 1 }
      var bytes = column.kind == "D" ? day ?? [] : Self.bytes(value)
      if bytes.count > column.length {
        columns[number].cutCount += 1
        // A number that was cut would be another one.
        bytes = column.kind == "N" ? [] : Self.cut(bytes, column.length)
      }
      let blanks = Array(repeating: UInt8(ascii: " "), count: column.length - bytes.count)
      rows += column.kind == "N" ? blanks + bytes : bytes + blanks
    }
    for index in surplus.indices where feature.attributes[surplus[index].field] ?? .null != .null {
      surplus[index].rowCount += 1
    }
  }

  /// How many bytes the rows have that were not taken.
  var pendingByteCount: Int { rows.count }

  /// The rows that were added since this was called last, as the file has them.
  mutating func takeRows() -> Data {
    defer { rows.removeAll(keepingCapacity: true) }
    return Data(rows)
  }

  private static func bytes(_ value: AttributeValue) -> [UInt8] {
    switch value {
    case .null, .blob: []
    case .integer(let number): Array("\(number)".utf8)
    case .double(let number): number.isFinite ? Array("\(number)".utf8) : []
    case .text(let text): Array(text.utf8)
    case .date(let date): Array(date.momentText.utf8)
    }
  }

  /// The eight digits of a day, none for no value; `nil` if the value is no day.
  private static func day(_ value: AttributeValue) -> [UInt8]? {
    if value == .null { return [] }
    guard case .text(let text) = value else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let digits = Array(parts.joined())
    let isDay =
      parts.map(\.count) == [4, 2, 2]
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isDay ? digits : nil
  }

  /// As much as fits, without half a character at the end.
  private static func cut(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
    var end = length
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
  }

  /// What did not fit.
  var omissions: [Omission] {
    let cut = columns.map { (field: $0.source, rowCount: $0.cutCount) }
    return (cut + surplus).filter { $0.rowCount > 0 }
      .map { Omission(table: table, .values(field: $0.field, rowCount: $0.rowCount)) }
  }

  /// The fields under other names, in sentences.
  var renamed: [String] {
    columns.filter { $0.name != $0.source }
      .map { "The field \"\($0.source)\" is called \"\($0.name)\"." }
  }

  /// What the file ends with, behind the rows.
  static let end = Data([0x1A])

  /// What the file begins with, which is as long however many rows there are.
  var header: Data {
    func little(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let length = columns.reduce(1) { $0 + $1.length }
    // The day of the last change is one that says nothing, so that the same rows give the same file.
    var bytes: [UInt8] = [3, 100, 1, 1] + little(count, 4)
    bytes += little(33 + 32 * columns.count, 2) + little(length, 2)
    bytes += Array(repeating: 0, count: 20)
    for column in columns {
      let name = Array(column.name.utf8)
      bytes += name + Array(repeating: 0, count: 11 - name.count)
      bytes.append(column.kind.asciiValue ?? 67)
      bytes += [0, 0, 0, 0, UInt8(column.length), UInt8(column.decimals)]
      bytes += Array(repeating: 0, count: 14)
    }
    bytes.append(0x0D)
    return Data(bytes)
  }
}
