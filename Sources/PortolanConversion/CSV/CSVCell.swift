internal import Foundation
internal import PortolanGeometry

/// What a cell of a file of comma-separated values may stand for.
enum CSVCell {
  /// A coordinate, with a point or a comma before its decimals.
  static func ordinate(_ cell: String) -> Double? {
    if let number = number(cell) { return number }
    guard cell.count(where: { $0 == "," }) == 1, !cell.contains(".") else { return nil }
    return number(cell.replacing(",", with: "."))
  }

  /// A number that is not infinite.
  static func number(_ text: String) -> Double? {
    // Most cells have no blanks, and need no copy.
    let number = Double(text) ?? Double(text.trimmingCharacters(in: .whitespaces))
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// A cell as messages quote it.
  static func quoted(_ cell: String) -> String {
    cell.count > 40 ? "\"\(cell.prefix(40))…\"" : "\"\(cell)\""
  }
}

extension [String] {
  /// The cell of a column; `nil` where it is empty or the line is shorter.
  func cell(_ column: Int) -> String? {
    column < count && !self[column].allSatisfy(\.isWhitespace) ? self[column] : nil
  }
}

extension Envelope {
  /// Whether coordinates may be longitudes and latitudes in degrees.
  var mayBeDegrees: Bool {
    isEmpty || (xMin >= -180 && xMax <= 180 && yMin >= -90 && yMax <= 90)
  }
}

extension SpatialReference {
  /// The reference that has a number, as an `SRID` names it.
  init(numbered number: Int) {
    let reference = SpatialReference(wkid: number)
    self =
      reference.isWGS84 ? .wgs84 : reference.isWebMercator ? .webMercator : reference
  }

  /// Whether it is known and its coordinates are longitudes and latitudes.
  var isKnownGeographic: Bool {
    // What is not known is no such reference.
    (try? properties())?.isGeographic ?? false
  }
}
