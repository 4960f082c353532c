internal import Foundation
internal import PortolanJSON

/// Writes records as features in GeoJSON.
///
/// Its bytes are put together here: a file may have millions of records, and values in between would
/// take longer than reading and writing them.
struct CSVFeatureLine {
  /// A column and what stands before its value.
  private struct Member {
    let opening: [UInt8]
    let column: CSVSurvey.Column
  }

  private let members: [Member]
  private let coordinates: (x: Int, y: Int)?

  init(_ survey: CSVSurvey) {
    coordinates = survey.coordinates
    members = survey.columns.enumerated().map { place, column in
      let name = JSONValue.string(column.name).encoded()
      return Member(opening: (place == 0 ? [] : [0x2C]) + name + [0x3A], column: column)
    }
  }

  /// Adds the feature of a record.
  ///
  /// - Returns: Whether it has its shape, or is to have none.
  func append(_ record: [String], to bytes: inout [UInt8]) -> Bool {
    bytes += #"{"type":"Feature","geometry":"#.utf8
    let isPlaced = appendPoint(of: record, to: &bytes)
    bytes += #","properties":{"#.utf8
    for member in members {
      bytes += member.opening
      append(record, member.column, to: &bytes)
    }
    bytes += "}}".utf8
    return isPlaced
  }

  private func appendPoint(of record: [String], to bytes: inout [UInt8]) -> Bool {
    guard let coordinates, let x = Self.coordinate(record, coordinates.x),
      let y = Self.coordinate(record, coordinates.y)
    else {
      bytes += "null".utf8
      return coordinates == nil
    }
    bytes += #"{"type":"Point","coordinates":["#.utf8
    Self.append(x.number, as: x.cell, to: &bytes)
    bytes.append(0x2C)
    Self.append(y.number, as: y.cell, to: &bytes)
    bytes += "]}".utf8
    return true
  }

  private func append(_ record: [String], _ column: CSVSurvey.Column, to bytes: inout [UInt8]) {
    let cell = record.indices.contains(column.index) ? record[column.index] : ""
    guard !cell.isEmpty else {
      bytes += "null".utf8
      return
    }
    switch column.kind {
    case .integer:
      bytes += (CSVSurvey.integer(cell).map { "\($0)" } ?? "null").utf8
    case .number:
      // A long whole number in a column with fractions is one of them.
      if let number = CSVSurvey.number(cell) ?? Double(cell) {
        Self.append(number, as: cell, to: &bytes)
      } else {
        bytes += "null".utf8
      }
    case .text: Self.append(cell, to: &bytes)
    }
  }

  /// Adds a text; one without characters that JSON has another form for is written as it is.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 < 0x7F }
    guard isPlain else {
      bytes += JSONValue.string(text).encoded()
      return
    }
    bytes.append(0x22)
    bytes += text.utf8
    bytes.append(0x22)
  }

  /// Adds a number, in the digits of its cell if JSON writes it so.
  private static func append(_ number: Double, as cell: String, to bytes: inout [UInt8]) {
    if isDecimal(cell) { bytes += cell.utf8 } else { bytes += JSONValue.number(number).encoded() }
  }

  /// Whether a text is digits, a point and digits, with or without a minus.
  private static func isDecimal(_ text: String) -> Bool {
    var before = 0
    var after = 0
    var hasPoint = false
    for (place, byte) in text.utf8.enumerated() {
      switch byte {
      case 0x2D where place == 0: break
      case 0x2E where !hasPoint && before > 0: hasPoint = true
      case 0x30...0x39: if hasPoint { after += 1 } else { before += 1 }
      default: return false
      }
    }
    return before > 0 && after > 0
  }

  private static func coordinate(
    _ record: [String], _ index: Int
  ) -> (number: Double, cell: String)? {
    guard record.indices.contains(index) else { return nil }
    var cell = record[index]
    if cell.utf8.first ?? 0 <= 0x20 || cell.utf8.last ?? 0 <= 0x20
      || !cell.utf8.allSatisfy({ $0 < 0x80 })
    {
      cell = cell.trimmingCharacters(in: .whitespaces)
    }
    return CSVSurvey.number(cell).map { ($0, cell) }
  }
}
