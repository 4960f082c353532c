internal import Foundation
internal import PortolanGeometry

/// A coordinate as people write it: degrees, degrees and minutes, degrees, minutes and seconds, UTM
/// or MGRS.
struct CoordinateText: Hashable, Sendable {
  /// Longitude and latitude on WGS 84.
  let coordinate: Coordinate

  /// Reads a text; `nil` if it is no coordinate.
  init?(_ text: String) {
    // Most of what is typed are names, which cost nothing here.
    guard text.utf8.count <= 80, text.utf8.contains(where: Self.isDigit) else { return nil }
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
    guard
      let coordinate = Self.degrees(text) ?? UTMCoordinate(text)?.coordinate
        ?? MGRSCoordinate(text)?.coordinate
    else { return nil }
    self.coordinate = coordinate
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The coordinate as a place.
  var result: LocatorResult {
    let format = FloatingPointFormatStyle<Double>.number.precision(.fractionLength(0...6))
      .locale(Locale(identifier: "en_US_POSIX"))
    let (latitude, longitude) = (coordinate.y, coordinate.x)
    let label =
      "\(abs(latitude).formatted(format))° \(latitude < 0 ? "S" : "N"), "
      + "\(abs(longitude).formatted(format))° \(longitude < 0 ? "W" : "E")"
    return LocatorResult(
      label: label, sourceTitle: "Coordinate", score: 100, location: coordinate, extent: nil,
      kind: .coordinate)
  }

  // MARK: - Degrees

  private static func degrees(_ text: String) -> Coordinate? {
    guard let (first, second) = halves(of: text), let first = Angle(first),
      let second = Angle(second)
    else { return nil }
    let isLongitudeFirst =
      "EW".contains(first.hemisphere ?? " ") || "NS".contains(second.hemisphere ?? " ")
    let (latitude, longitude) = isLongitudeFirst ? (second, first) : (first, second)
    if let side = latitude.hemisphere, !"NS".contains(side) { return nil }
    if let side = longitude.hemisphere, !"EW".contains(side) { return nil }
    guard abs(latitude.value) <= 90, abs(longitude.value) <= 180 else { return nil }
    return Coordinate(x: longitude.value, y: latitude.value)
  }

  /// Cuts a text in two: at a comma or semicolon, behind the first hemisphere or sign, or at a space
  /// between two decimal numbers.
  private static func halves(of text: String) -> (String, String)? {
    for separator in [",", ";", "/"] {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      if parts.count == 2 { return (String(parts[0]), String(parts[1])) }
      if parts.count > 2 { return nil }
    }
    let sides = text.indices.filter { "NSEW".contains(text[$0]) }
    if sides.count == 2 {
      let isLeading = sides[0] == text.startIndex
      let cut = isLeading ? sides[1] : text.index(after: sides[0])
      return (String(text[..<cut]), String(text[cut...]))
    }
    let words = text.split(separator: " ")
    guard words.count == 2, words.allSatisfy({ $0.contains(".") }) else { return nil }
    return (String(words[0]), String(words[1]))
  }
}
