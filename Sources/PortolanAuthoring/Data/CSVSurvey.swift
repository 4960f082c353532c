internal import Foundation
internal import PortolanConversion
internal import PortolanGeometry

/// The types of the columns of a CSV file, found by reading all of it.
struct CSVSurvey {
  /// What all values of a column are.
  enum Kind: Sendable {
    case integer
    /// Whole numbers, of which one has more digits than a number with a point holds.
    case longInteger
    case number
    case text
  }

  /// A column that becomes a field.
  struct Column: Sendable {
    var name: String
    var index: Int
    var kind: Kind
  }

  /// The columns that hold something else than shapes.
  let columns: [Column]
  /// Which columns hold shapes; `nil` for a table without them.
  let shapes: CSVShapeColumns?
  /// What the `.prj` beside the file says, if that is not understood.
  let unknownReference: UnknownReference?

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - x: The column with the eastings or longitudes, if it is named.
  ///   - y: The column with the northings or latitudes, if it is named.
  ///   - reference: The spatial reference of coordinates, if that is named.
  /// - Throws: `FeatureStoreError`; a ``CSVFault`` if the columns are not there.
  init(at url: URL, x: String?, y: String?, reference: SpatialReference? = nil) throws {
    var records = try CSVRecords(at: url)
    guard let header = try records.next() else { throw CSVFault(reason: "The file is empty.") }
    let names = header.map { $0.trimmingCharacters(in: .whitespaces) }
    let projection = ProjectionFile(besideText: url)
    var survey = CSVShapeSurvey(
      header: names, x: try Self.index(of: x, in: names), y: try Self.index(of: y, in: names),
      reference: reference, beside: projection.reference)
    var kinds = [Kind?](repeating: nil, count: names.count)
    while let record = try records.next() {
      try Task.checkCancellation()
      guard record.count <= names.count + Self.surplus else {
        throw CSVFault(reason: "Line \(records.line) has \(record.count) cells.")
      }
      // Cells beyond the header have columns without names.
      let missing = record.count - kinds.count
      if missing > 0 { kinds += [Kind?](repeating: nil, count: missing) }
      for (index, cell) in record.enumerated() where !cell.isEmpty {
        kinds[index] = Self.joined(kinds[index], cell)
      }
      survey.add(record)
    }
    let shapes = survey.columns()
    self.shapes = shapes
    unknownReference = shapes == nil || reference != nil ? nil : projection.unknown
    var taken: Set<String> = []
    columns = kinds.indices.compactMap { index in
      let name = index < names.count ? names[index] : ""
      guard shapes?.consumed.contains(index) != true, !name.isEmpty || kinds[index] != nil else {
        return nil
      }
      return Column(
        name: Self.name(name, index, &taken), index: index, kind: kinds[index] ?? .text)
    }
  }

  /// How many cells a line may have more than the header.
  private static let surplus = 1000

  /// The name of a column, which no other has: the same name twice would be one value.
  private static func name(_ name: String, _ index: Int, _ taken: inout Set<String>) -> String {
    let stem = name.isEmpty ? "column_\(index + 1)" : name
    var (candidate, number) = (stem, 2)
    while !taken.insert(candidate).inserted {
      candidate = "\(stem)_\(number)"
      number += 1
    }
    return candidate
  }

  /// How many digits any number with a point holds.
  private static let mostDigits = 15

  /// The kind of a column with one more value.
  private static func joined(_ kind: Kind?, _ cell: String) -> Kind {
    switch kind {
    case .text: return .text
    case .number: return number(cell) == nil ? .text : .number
    // Beside fractions the long one would be another number.
    case .longInteger: return integer(cell) == nil ? .text : .longInteger
    case .integer, nil:
      if integer(cell) != nil {
        return digits(of: cell).count > mostDigits ? .longInteger : .integer
      }
      return number(cell) == nil ? .text : .number
    }
  }

  /// A whole number; one with leading zeros is a code, and stays a text.
  static func integer(_ cell: String) -> Int64? {
    let digits = Self.digits(of: cell)
    guard digits.count == 1 || !digits.hasPrefix("0") else { return nil }
    return CSVCell.isCode(cell) ? nil : Int64(cell)
  }

  static func number(_ cell: String) -> Double? {
    guard cell.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
    let digits = Self.digits(of: cell)
    let isCode = digits.count > 1 && digits.hasPrefix("0") && !digits.hasPrefix("0.")
    // More digits than a number holds are a code, too.
    let isLong = digits.count > mostDigits && digits.utf8.allSatisfy { (48...57).contains($0) }
    guard !isCode, !isLong, !CSVCell.isCode(cell), let number = Double(cell), number.isFinite else {
      return nil
    }
    return number
  }

  /// A cell without the sign in front.
  private static func digits(of cell: String) -> Substring {
    cell.hasPrefix("-") || cell.hasPrefix("+") ? cell.dropFirst() : cell[...]
  }

  private static func index(of name: String?, in names: [String]) throws(CSVFault) -> Int? {
    guard let name else { return nil }
    let index = names.firstIndex { $0.lowercased() == name.lowercased() }
    guard let index else {
      throw CSVFault(
        reason: "There is no column \"\(name)\". There are: \(names.joined(separator: ", ")).")
    }
    return index
  }
}

/// Why a file of comma-separated values cannot be used.
struct CSVFault: Error {
  /// A sentence.
  let reason: String
}
