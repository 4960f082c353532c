internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase

/// The rows of a shapefile, in the format of dBASE III or of Visual FoxPro.
struct DBaseTable {
  private struct Column {
    let kind: Character
    let offset: Int
    let length: Int
    let decimals: Int
    /// What its cells are if they are no texts.
    let binary: FoxProValue?
    /// Which of the bits of a row says that there is no value; `nil` if none does.
    var nullBit: Int?
  }

  /// The fields, in the order of the file.
  private(set) var fields: [Field]
  /// How many rows there are.
  let count: Int
  /// How long the file is.
  var byteCount: Int { bytes.count }

  private let columns: [Column]
  private let bytes: ShapefileBytes
  private let start: Int
  private let rowLength: Int
  private let encoding: DBaseEncoding
  /// The bytes of a row in which each column that may have no value has a bit.
  private var nullBits: Range<Int>?

  /// The kinds of column whose cells only say where in a file of memos their values are.
  private static let memoKinds: Set<Character> = ["M", "G", "B", "P", "W"]

  private static let systemFlag: UInt8 = 1
  private static let nullableFlag: UInt8 = 2
  /// The kinds of column whose cells may not be filled.
  private static let variableKinds: Set<Character> = ["V", "Q"]

  /// The names of the fields whose values are in a file of memos.
  var memoFields: [String] {
    zip(columns, fields).filter { column, _ in isMemo(column) }.map(\.1.name)
  }

  /// Whether a column is one of memos: of those that others use for numbers, only cells of ten bytes are; Visual
  /// FoxPro has four.
  private func isMemo(_ column: Column) -> Bool {
    Self.memoKinds.contains(column.kind) && column.binary == nil
      && ([4, 10].contains(column.length) || column.kind == "M")
  }

  /// - Throws: `FeatureStoreError` if it is damaged, or too large.
  init(_ data: Data, encoding name: String?, file: String) throws(FeatureStoreError) {
    bytes = ShapefileBytes(data)
    guard let count = bytes.little(4), let start = bytes.little(8, 2),
      let rowLength = bytes.little(10, 2), count >= 0, rowLength > 0, start >= 33
    else {
      throw .damaged(file: "\(file).dbf", place: "the header", reason: "it is no table")
    }
    // A table that was cut has fewer rows than it says.
    self.count = min(count, max(data.count - start, 0) / rowLength)
    self.start = start
    self.rowLength = rowLength
    let encoding = DBaseEncoding(label: name, driver: bytes.byte(29) ?? 0)
    self.encoding = encoding
    var columns: [Column] = []
    var fields: [Field] = []
    var taken: Set<String> = []
    var offset = 1
    var place = 32
    var bitCount = 0
    while place + 32 <= start, let first = bytes.byte(place), first != 0x0D,
      let description = bytes.bytes(place..<place + 32)
    {
      let description = Array(description)
      let length = Int(description[16])
      let kind = Character(Unicode.Scalar(description[11]))
      let decimals = Int(description[17])
      let flags = description[18]
      place += 32
      defer { offset += length }
      if kind == "0", flags & Self.systemFlag != 0 {
        // Its bits belong to the other columns.
        nullBits = offset..<offset + length
        continue
      }
      let written = encoding.text(Data(description.prefix(11).prefix { $0 != 0 }))
        .trimmingCharacters(in: .whitespaces)
      // The same name twice would be one value.
      let name = TableNames.unused(
        written.isEmpty ? "column_\(fields.count + 1)" : written, among: &taken)
      let binary = FoxProValue(kind: kind, length: length)
      var column = Column(
        kind: kind, offset: offset, length: length, decimals: decimals, binary: binary)
      // Whether texts of variable length fill their cells is said by a bit as well.
      if Self.variableKinds.contains(kind) { bitCount += 1 }
      if flags & Self.nullableFlag != 0 {
        column.nullBit = bitCount
        bitCount += 1
      }
      columns.append(column)
      fields.append(
        Field(
          name, binary?.type ?? Self.type(kind, length, decimals),
          length: kind == "C" ? length : nil))
    }
    guard offset <= rowLength else {
      throw .damaged(file: "\(file).dbf", place: "the header", reason: "its rows are too short")
    }
    self.columns = columns
    self.fields = fields
    // Columns may take no bytes.
    try TableFileContents.checkSize(
      rows: self.count, columns: columns.count, byteCount: data.count, file: "\(file).dbf")
    fitTypes()
  }

  private static func type(_ kind: Character, _ length: Int, _ decimals: Int) -> FieldType {
    switch kind {
    case "N" where decimals == 0 && length < 10: .integer
    case "N" where decimals == 0 && length < 19: .bigInteger
    case "N", "F": .double
    case "L": .smallInteger
    case "D": .dateOnly
    default: .string
    }
  }

  /// Makes columns without decimals whole numbers or others by what is in them.
  private mutating func fitTypes() {
    for (index, column) in columns.enumerated() where column.kind == "N" && column.decimals == 0 {
      if let type = fittingType(column) { fields[index].type = type }
    }
  }

  /// The type of a column that its header does not tell: 19 and more digits may be more than 64 bits, and a
  /// double has no more than 53; in a column of fewer some programs write fractions; and columns of ten or eleven
  /// may be those of 32 bits.
  private func fittingType(_ column: Column) -> FieldType? {
    if column.length >= 19 {
      let fits = (0..<count).allSatisfy { row in
        let text = number(column, row)
        return text.isEmpty || Int64(text) != nil
      }
      return fits ? .bigInteger : nil
    }
    if (10...11).contains(column.length), count > 0, holdsIntegers(column) { return .integer }
    let signs = Set(".,eE".utf8)
    let hasFraction = (0..<count).contains { row in
      let place = start + row * rowLength + column.offset
      // Most cells are digits alone, and need not be made text.
      guard bytes.bytes(place..<place + column.length)?.contains(where: signs.contains) == true,
        let value = Self.number(self.number(column, row))
      else { return false }
      return Int64(exactly: value) == nil
    }
    return hasFraction ? .double : nil
  }

  /// Whether all numbers of a column are whole and of 32 bits, which may have eleven characters.
  private func holdsIntegers(_ column: Column) -> Bool {
    (0..<count).allSatisfy { row in
      let text = number(column, row)
      return text.isEmpty || Int32(text) != nil
    }
  }

  /// What is written in a column of numbers; stars stand for a number that did not fit.
  private func number(_ column: Column, _ row: Int) -> String {
    cell(column, row).trimmingCharacters(in: CharacterSet(charactersIn: " \0*"))
  }

  /// The number of a text, with a point or a comma before its decimals.
  private static func number(_ text: String) -> Double? {
    let number = Double(text) ?? Double(text.replacing(",", with: "."))
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  private func cell(_ column: Column, _ row: Int) -> String {
    let place = start + row * rowLength + column.offset
    return bytes.bytes(place..<place + column.length).map(text) ?? ""
  }

  /// What people call the encodings of texts that are not in UTF-8.
  var otherEncodings: Set<String> {
    guard bytes.hasOtherThanASCII else { return [] }
    var found: Set<String> = []
    for column in columns where column.kind == "C" {
      for row in 0..<count {
        let place = start + row * rowLength + column.offset
        let name = bytes.bytes(place..<place + column.length)
          .flatMap { encoding.name(ofEncodingOf: $0) }
        if let name { found.insert(name) }
      }
    }
    return found
  }

  /// The values of a row, none for one that is absent; `nil` if it was deleted.
  func values(_ row: Int) -> [AttributeValue]? {
    guard row < count else { return fields.map { _ in .null } }
    let place = start + row * rowLength
    guard !isDeleted(place) else { return nil }
    return fields.indices.map { value(of: $0, at: place) }
  }

  /// The value of one of the fields of a row, as ``values(_:)`` has it.
  func value(_ row: Int, of field: Int) -> AttributeValue? {
    guard row < count else { return .null }
    let place = start + row * rowLength
    return isDeleted(place) ? nil : value(of: field, at: place)
  }

  private func isDeleted(_ place: Int) -> Bool { bytes.byte(place) == UInt8(ascii: "*") }

  private func value(of field: Int, at place: Int) -> AttributeValue {
    let column = columns[field]
    guard let data = bytes.bytes(place + column.offset..<place + column.offset + column.length)
    else { return .null }
    guard let binary = column.binary else { return value(data, column, fields[field].type) }
    return isNull(column, place) ? .null : binary.value(data)
  }

  /// Whether the row at a place has no value in a column.
  private func isNull(_ column: Column, _ place: Int) -> Bool {
    guard let nullBits, let bit = column.nullBit, bit / 8 < nullBits.count,
      let byte = bytes.byte(place + nullBits.lowerBound + bit / 8)
    else { return false }
    return byte >> (bit % 8) & 1 != 0
  }

  private func value(_ data: Data, _ column: Column, _ type: FieldType) -> AttributeValue {
    let text = self.text(data)
    let trimmed = text.trimmingCharacters(in: CharacterSet(charactersIn: " \0"))
    guard !trimmed.isEmpty, !isMemo(column) else { return .null }
    switch column.kind {
    case "N", "F":
      if type != .double, let number = Int64(trimmed) { return .integer(number) }
      // Stars stand for a number that did not fit.
      guard let number = Self.number(trimmed) else { return .null }
      if type == .double { return .double(number) }
      return Int64(exactly: number).map(AttributeValue.integer) ?? .null
    case "L":
      return "TtYy".contains(trimmed) ? .integer(1) : "FfNn".contains(trimmed) ? .integer(0) : .null
    // Some programs write years of less than four digits without zeros in front.
    case "D": return Self.day(text.replacing(" ", with: "0")).map(AttributeValue.text) ?? .null
    default: return .text(trimmed)
    }
  }

  private func text(_ data: Data) -> String { encoding.text(data) }

  /// The day of eight digits in ISO 8601; `nil` if they are none.
  private static func day(_ text: String) -> String? {
    let digits = Array(text.utf8)
    guard digits.count == 8, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let month = Int(text.dropFirst(4).prefix(2)), let day = Int(text.suffix(2)),
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    return "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
  }
}
