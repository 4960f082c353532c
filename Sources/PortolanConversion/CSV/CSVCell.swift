internal import Foundation
internal import PortolanGeometry

/// Reads the cells of a CSV file.
package enum CSVCell {
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

  /// How many digits the shortest telephone number has behind its plus.
  private static let telephoneDigits = 7

  /// Whether what reads as a number is rather a code, of which a number would lose a part: `+4930123456`, `12E4`.
  ///
  /// A plus precedes numbers such as `+1.5`, too. Programs write a sign behind the E of a number, a
  /// small letter or a point before it.
  package static func isCode(_ cell: String) -> Bool {
    if cell.utf8.first == UInt8(ascii: "+") {
      let digits = cell.utf8.dropFirst()
      return digits.allSatisfy { (0x30...0x39).contains($0) }
        && (digits.count >= telephoneDigits
          || digits.count > 1 && digits.first == UInt8(ascii: "0"))
    }
    guard cell.utf8.contains(UInt8(ascii: "E")) else { return false }
    let halves = cell.utf8.split(separator: UInt8(ascii: "E"), omittingEmptySubsequences: false)
    return halves.count == 2
      && halves.allSatisfy { half in
        !half.isEmpty && half.allSatisfy { (0x30...0x39).contains($0) }
      }
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
