internal import PortolanConversion
internal import PortolanGeometry
internal import PortolanJSON

/// Writes records as features in GeoJSON.
///
/// Its bytes are put together here: a file may have millions of records, and values in between would
/// take longer than reading and writing them.
struct CSVFeatureLine {
  /// A column and what precedes its value.
  private struct Member {
    let opening: [UInt8]
    let column: CSVSurvey.Column
  }

  private let members: [Member]
  private var shapes: CSVShapeReader?
  /// Whether a shape had measures, for which GeoJSON has no place.
  private(set) var hasMeasures = false

  init(_ survey: CSVSurvey) {
    shapes = survey.shapes.map { CSVShapeReader($0) }
    members = survey.columns.enumerated().map { place, column in
      let name = JSONValue.string(column.name).encoded()
      return Member(opening: (place == 0 ? [] : [0x2C]) + name + [0x3A], column: column)
    }
  }

  /// Adds the feature of a record.
  ///
  /// - Returns: Why it has no shape, as the end of a sentence; `nil` if it has one or is to have none.
  mutating func append(_ record: [String], to bytes: inout [UInt8]) -> String? {
    bytes += #"{"type":"Feature","geometry":"#.utf8
    let fault = appendShape(of: record, to: &bytes)
    bytes += #","properties":{"#.utf8
    for member in members {
      bytes += member.opening
      append(record, member.column, to: &bytes)
    }
    bytes += "}}".utf8
    return fault
  }

  private mutating func appendShape(of record: [String], to bytes: inout [UInt8]) -> String? {
    var fault = shapes == nil ? nil : "it has no coordinates"
    do throws(CSVShapeReader.Fault) {
      if let shape = try shapes?.shape(of: record) {
        if !hasMeasures { hasMeasures = shape.hasMeasures }
        Self.append(shape, to: &bytes)
        return nil
      }
    } catch { fault = error.reason }
    bytes += "null".utf8
    return fault
  }

  /// Adds a shape; points, of which there may be millions, without values in between.
  private static func append(_ shape: Geometry, to bytes: inout [UInt8]) {
    guard case .point(let point) = shape else {
      bytes += shape.geoJSON().encoded()
      return
    }
    bytes += #"{"type":"Point","coordinates":["#.utf8
    bytes += "\(point.x),\(point.y)".utf8
    if let z = point.z { bytes += ",\(z)".utf8 }
    bytes += "]}".utf8
  }

  private func append(_ record: [String], _ column: CSVSurvey.Column, to bytes: inout [UInt8]) {
    let cell = record.indices.contains(column.index) ? record[column.index] : ""
    guard !cell.isEmpty else {
      bytes += "null".utf8
      return
    }
    switch column.kind {
    case .integer, .longInteger:
      bytes += (CSVSurvey.integer(cell).map { "\($0)" } ?? "null").utf8
    case .number:
      if let number = CSVSurvey.number(cell) {
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
}

extension Geometry {
  /// Whether a vertex has a measure; points, of which there may be millions, are not made paths for that.
  fileprivate var hasMeasures: Bool {
    if case .point(let point) = self { return point.m?.isNaN == false }
    return paths.contains { $0.m?.contains { !$0.isNaN } ?? false }
  }
}
