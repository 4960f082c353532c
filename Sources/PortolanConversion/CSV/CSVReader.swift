internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// Reads comma-separated values: points by columns of longitude and latitude, or of x and y, shapes of
/// one kind by a column of well-known text.
///
/// Commas, semicolons and tabs are told apart by the first line. Columns in which all cells are
/// numbers are numbers; empty cells have no value. Coordinates
/// may have decimal commas; where some are no coordinates, their columns stay, so that nothing is lost.
///
/// - SeeAlso: [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
struct CSVReader {
  private static let maximumSize = 1 << 30
  private static let pairs = [
    ("longitude", "latitude"), ("lon", "lat"), ("lng", "lat"), ("long", "lat"), ("x", "y"),
    ("point_x", "point_y"),
  ]

  /// The names of columns that may hold well-known text.
  private static let shapeNames = ["wkt", "shape_wkt", "geometry", "geom", "the_geom", "shape"]

  private let name: String
  private let header: [String]
  private let rows: [[String]]

  /// Reads a file.
  ///
  /// - Throws: `FeatureStoreError`.
  init(_ url: URL) throws(FeatureStoreError) {
    name = url.lastPathComponent
    let data: Data
    do { data = try Data(contentsOf: url, options: .mappedIfSafe) } catch {
      throw .unreadable(file: name, reason: error.localizedDescription)
    }
    guard data.count <= Self.maximumSize else {
      throw .unsupported(file: name, feature: "more than a gigabyte of text")
    }
    guard let text = String(data: data, encoding: .utf8) ?? String(data: data, encoding: .isoLatin1)
    else { throw .damaged(file: name, place: "the text", reason: "it is in no known encoding") }
    var lines = try Self.lines(text, of: name)
    guard let header = lines.first, header.contains(where: { !$0.isEmpty }) else {
      throw .damaged(file: name, place: "the first line", reason: "it names no columns")
    }
    lines.removeFirst()
    self.header = header
    rows = lines
  }

  /// The cells of all lines; quotes may hold separators, line breaks and doubled quotes.
  private static func lines(_ text: String, of name: String) throws(FeatureStoreError) -> [[String]]
  {
    let bytes = Array(text.utf8)
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes[start...].prefix { $0 != 10 && $0 != 13 }
    let separator =
      [UInt8(ascii: ","), UInt8(ascii: ";"), 9].max { left, right in
        first.count { $0 == left } < first.count { $0 == right }
      } ?? UInt8(ascii: ",")
    var lines: [[String]] = []
    var line: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var (number, openLine) = (1, 1)
    func endCell() {
      line.append(String(decoding: cell, as: UTF8.self))
      cell.removeAll(keepingCapacity: true)
    }
    func endLine() {
      endCell()
      if line.count > 1 || line[0].isEmpty == false { lines.append(line) }
      line = []
    }
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 10 { number += 1 }
      if isQuoted {
        if byte == UInt8(ascii: "\"") {
          if index + 1 < bytes.count, bytes[index + 1] == byte {
            cell.append(byte)
            index += 1
          } else {
            isQuoted = false
          }
        } else {
          cell.append(byte)
        }
      } else if byte == UInt8(ascii: "\""), cell.isEmpty {
        (isQuoted, openLine) = (true, number)
      } else if byte == separator {
        endCell()
      } else if byte == 10 {
        endLine()
      } else if byte != 13 {
        cell.append(byte)
      }
      index += 1
    }
    guard !isQuoted else {
      throw .damaged(file: name, place: "line \(openLine)", reason: "a quote is not closed")
    }
    if !cell.isEmpty || !line.isEmpty { endLine() }
    return lines
  }

  /// The rows, as points where columns say where they are.
  func contents() -> FeatureTableContents {
    // Cells beyond the header have columns without names.
    let counts = rows.map { ($0.lastIndex { !$0.isEmpty } ?? -1) + 1 }
    let width = min(counts.max() ?? 0, header.count + Self.surplus)
    let surplus = [String](repeating: "", count: max(width - header.count, 0))
    let names = header.map { $0.trimmingCharacters(in: .whitespaces) } + surplus
    let lower = names.map { $0.lowercased() }
    let place = Self.pairs.lazy.compactMap { x, y -> (Int, Int)? in
      guard let x = lower.firstIndex(of: x), let y = lower.firstIndex(of: y) else { return nil }
      return (x, y)
    }.first
    var taken: Set<String> = ["objectid"]
    let isGeographic = place.map { lower[$0.1].hasPrefix("lat") } ?? false
    let isPlaced = place.map { place in
      rows.allSatisfy { row in
        Self.point(row, place, isGeographic) != nil
          || [place.0, place.1].allSatisfy { $0 >= row.count || row[$0].isEmpty }
      }
    }
    let shapes = place == nil ? self.shapes(lower) : nil
    let columns = names.indices.filter {
      (isPlaced == false || ($0 != place?.0 && $0 != place?.1)) && $0 != shapes?.column
    }
    let fields =
      [Field("OBJECTID", .objectID)]
      + columns.map { index in
        Field(Self.name(names[index], index, &taken), type(ofColumn: index))
      }
    let list = FieldList(fields)
    let features = rows.enumerated().map { number, row -> Feature in
      let values = zip(columns, fields.dropFirst()).map { index, field in
        Self.value(index < row.count ? row[index] : "", field.type)
      }
      let geometry =
        shapes?.geometries[number]
        ?? place.flatMap { Self.point(row, $0, isGeographic) }.map(Geometry.point)
      return Feature(
        objectID: Int64(number + 1),
        attributes: Attributes(list, [.integer(Int64(number + 1))] + values), geometry: geometry)
    }
    let schema = FeatureTableSchema(
      name: (name as NSString).deletingPathExtension,
      geometryType: shapes?.type ?? (place == nil ? nil : .point),
      hasZ: shapes?.geometries.contains { $0?.paths.contains { $0.z != nil } == true } == true,
      spatialReference: place == nil && shapes == nil ? nil : .wgs84,
      fields: fields)
    return FeatureTableContents(schema: schema, features: features)
  }

  /// The shapes of all rows, where a column holds nothing else, all of one kind.
  private func shapes(
    _ names: [String]
  ) -> (column: Int, type: GeometryType, geometries: [Geometry?])? {
    for column in names.indices where Self.shapeNames.contains(names[column]) {
      var geometries: [Geometry?] = []
      var types: Set<GeometryType> = []
      for row in rows {
        guard column < row.count, !row[column].isEmpty else {
          geometries.append(nil)
          continue
        }
        // A column with anything else in it is one of texts.
        guard let shape = try? Geometry(wellKnownText: row[column]) else {
          types = []
          break
        }
        types.insert(shape.type)
        geometries.append(shape)
      }
      if types.count == 1, let type = types.first { return (column, type, geometries) }
    }
    return nil
  }

  /// How many cells a line may have more than the header; further ones are left out.
  private static let surplus = 1000

  /// The place of a row; `nil` where its cells are none.
  private static func point(
    _ row: [String], _ place: (x: Int, y: Int), _ isGeographic: Bool
  ) -> Point? {
    guard place.x < row.count, place.y < row.count, let x = ordinate(row[place.x]),
      let y = ordinate(row[place.y])
    else { return nil }
    guard !isGeographic || (abs(y) <= 90 && abs(x) <= 360) else { return nil }
    return Point(x: x, y: y)
  }

  /// A coordinate, with a point or a comma before its decimals.
  private static func ordinate(_ cell: String) -> Double? {
    if let number = number(cell) { return number }
    guard cell.count(where: { $0 == "," }) == 1, !cell.contains(".") else { return nil }
    return number(cell.replacing(",", with: "."))
  }

  private static func name(_ name: String, _ index: Int, _ taken: inout Set<String>) -> String {
    let stem = name.isEmpty ? "column_\(index + 1)" : name
    var candidate = stem
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(stem)_\(number)"
      number += 1
    }
    return candidate
  }

  private func type(ofColumn index: Int) -> FieldType {
    var type: FieldType = .integer
    var hasValues = false
    for row in rows where index < row.count && !row[index].isEmpty {
      hasValues = true
      let cell = row[index]
      // A number with a zero in front, such as a postal code, is a text.
      if cell.count > 1, cell.hasPrefix("0"), !cell.hasPrefix("0.") { return .string }
      if let number = Int64(cell) {
        if type == .integer, Int32(exactly: number) == nil { type = .bigInteger }
      } else if cell.drop(while: { $0 == "-" }).allSatisfy(\.isWholeNumber) {
        // More digits than a number holds are a code.
        return .string
      } else if Self.number(cell) != nil {
        type = .double
      } else {
        return .string
      }
    }
    return hasValues ? type : .string
  }

  private static func number(_ text: String) -> Double? {
    Double(text.trimmingCharacters(in: .whitespaces)).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func value(_ cell: String, _ type: FieldType) -> AttributeValue {
    guard !cell.isEmpty else { return .null }
    switch type {
    case .integer, .bigInteger: return Int64(cell).map(AttributeValue.integer) ?? .null
    case .double: return number(cell).map(AttributeValue.double) ?? .null
    default: return .text(cell)
    }
  }
}
