internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Reads comma-separated values: shapes by a column of well-known text, points by columns of longitude
/// and latitude, or of x and y.
///
/// Commas, semicolons, tabs and bars are distinguished by the first line. Columns in which all cells are
/// numbers are numbers, in the same way days, moments in ISO 8601 and GUIDs; empty cells have no value. Rows whose cells are no shape have none; their
/// columns stay, so that nothing is lost. Where shapes are of several families, each has a table.
struct CSVReader {
  private static let maximumSize = 1 << 30

  private let name: String
  private let header: [String]
  private let rows: [[String]]
  /// The lines on which the rows begin.
  private let lines: [Int]
  private let shapes: CSVShapeColumns?
  private let encodingNote: String?
  private let unknownReference: UnknownReference?
  /// The size of the file.
  private let byteCount: Int

  /// Reads a file.
  ///
  /// - Throws: `FeatureStoreError`.
  init(_ url: URL) throws(FeatureStoreError) {
    name = url.lastPathComponent
    var records = try CSVRecords(at: url)
    guard records.byteCount <= Self.maximumSize else {
      throw .unsupported(file: name, feature: "more than a gigabyte of text")
    }
    guard let header = try records.next(), header.contains(where: { !$0.isEmpty }) else {
      throw .damaged(file: name, place: "the first line", reason: "it names no columns")
    }
    let projection = ProjectionFile(besideText: url)
    var survey = CSVShapeSurvey(header: header, beside: projection.reference)
    var rows: [[String]] = []
    var lines: [Int] = []
    while let record = try records.next() {
      survey.add(record)
      rows.append(record)
      lines.append(records.line)
    }
    byteCount = records.byteCount
    // Lines may have fewer cells than there are columns.
    try TableFileContents.checkSize(
      rows: rows.count, columns: header.count, byteCount: byteCount, file: name)
    self.header = header
    self.rows = rows
    self.lines = lines
    shapes = survey.columns()
    encodingNote = records.encodingNote
    unknownReference = shapes == nil ? nil : projection.unknown
  }

  /// The rows, with shapes where columns say where they are.
  func contents() -> TableFileContents {
    // Cells beyond the header have columns without names.
    let counts = rows.map { ($0.lastIndex { !$0.isEmpty } ?? -1) + 1 }
    let fitting = TableFileContents.mostColumns(rows: rows.count, byteCount: byteCount)
    let width = min(counts.max() ?? 0, header.count + Self.surplus, fitting)
    let surplus = [String](repeating: "", count: max(width - header.count, 0))
    let names = header.map { $0.trimmingCharacters(in: .whitespaces) } + surplus
    var taken: Set<String> = []
    let columns = names.indices.filter { shapes?.consumed.contains($0) != true }
    var fields = columns.map { index in
      Field(Self.name(names[index], index, &taken), type(ofColumn: index))
    }
    let types = fields.map(\.type)
    let momentNotes = zip(columns, fields).filter { $1.type == .date }.flatMap { index, field in
      texts(ofColumn: index).momentNotes(on: field.name, of: name)
    }
    let key = ObjectIDColumn.index(among: fields) { field in
      rows.lazy.map { Self.value($0, columns[field], types[field]) }
    }
    let (objectIDField, note) = ObjectIDColumn.mark(key, among: &fields, of: name)
    let list = FieldList(fields)
    var contents = TableFileContents(
      name: (name as NSString).deletingPathExtension, fields: fields,
      objectIDField: objectIDField, reference: shapes?.reference,
      geometryType: shapes?.arePoints == true ? .point : nil)
    contents.notes = [encodingNote, note].compactMap(\.self) + momentNotes
    contents.unknownReference = unknownReference
    var reader = shapes.map { CSVShapeReader($0) }
    for (number, row) in rows.enumerated() {
      let values = zip(columns, types).map { index, type in Self.value(row, index, type) }
      var geometry: Geometry?
      do throws(CSVShapeReader.Fault) { geometry = try reader?.shape(of: row) } catch {
        contents.add(
          ConversionResult.Failure(
            part: name, item: "line \(lines[number])",
            reason: "\(error.reason); it is kept without a shape"))
      }
      contents.features.append(
        ObjectIDColumn.feature(values, list, key: key, number: number + 1, geometry))
    }
    return contents
  }

  /// How many cells a line may have more than the header; further ones are left out, as are those of one line
  /// for which all others would take too much memory.
  private static let surplus = 1000

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
    let type = numberType(ofColumn: index)
    return type == .string ? texts(ofColumn: index).type : type
  }

  /// What the texts of a column say: they may be days, moments or GUIDs.
  private func texts(ofColumn index: Int) -> FieldSurvey {
    var survey = FieldSurvey()
    for row in rows where index < row.count && !row[index].isEmpty {
      survey.add(.string(row[index]), featureID: nil)
    }
    return survey
  }

  /// The type of a column whose cells all are numbers, else that of texts.
  private func numberType(ofColumn index: Int) -> FieldType {
    var type: FieldType = .integer
    var hasValues = false
    var hasLongNumbers = false
    for row in rows where index < row.count && !row[index].isEmpty {
      hasValues = true
      let cell = row[index]
      // A number with a zero in front, such as a postal code, is a text.
      if cell.count > 1, cell.hasPrefix("0"), !cell.hasPrefix("0.") { return .string }
      if CSVCell.isCode(cell) { return .string }
      if let number = Int64(cell) {
        if type == .integer, Int32(exactly: number) == nil { type = .bigInteger }
        if Double(exactly: number) == nil { hasLongNumbers = true }
      } else if cell.drop(while: { $0 == "-" }).allSatisfy(\.isWholeNumber) {
        // More digits than a number holds are a code.
        return .string
      } else if CSVCell.number(cell) != nil {
        type = .double
      } else {
        return .string
      }
    }
    guard hasValues else { return .string }
    // Beside fractions they would be other numbers.
    return type == .double && hasLongNumbers ? .string : type
  }

  private static func value(
    _ row: [String], _ column: Int, _ type: FieldType
  ) -> AttributeValue {
    guard column < row.count, case let cell = row[column], !cell.isEmpty else { return .null }
    switch type {
    case .integer, .bigInteger: return Int64(cell).map(AttributeValue.integer) ?? .null
    case .double: return CSVCell.number(cell).map(AttributeValue.double) ?? .null
    case .date: return CivilDate(parsing: cell).map { .date($0.date) } ?? .null
    default: return .text(cell)
    }
  }
}
