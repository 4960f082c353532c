internal import Foundation
internal import PortolanGeometry

/// A coordinate as people write it: degrees, degrees and minutes, degrees, minutes and seconds, UTM
/// or MGRS.
struct CoordinateText: Hashable, Sendable {
  /// Longitude and latitude on WGS 84.
  let coordinate: Coordinate

  /// Reads a text; `nil` if it is no coordinate.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - extent: Where the place is rather, on WGS 84, if two numbers may be read either way.
  init?(_ text: String, near extent: Envelope? = nil) {
    let narrow = CoordinateForm.withNarrowLetters(text)
    guard CoordinateForm.isPossible(narrow) else { return nil }
    let text = narrow.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
    if let point = Self.point(text) {
      coordinate = point
      return
    }
    let plain = Self.withoutBrackets(Self.withoutNames(text))
    guard
      let coordinate = CoordinatePair(
        CoordinateForm.withSigns(plain), near: extent)?.coordinate ?? UTMCoordinate(
          plain)?.coordinate
        ?? MGRSCoordinate(plain)?.coordinate
    else { return nil }
    self.coordinate = coordinate
  }

  /// The place of a text such as `POINT(-68.2 44.4)`, whose longitude is first.
  private static func point(_ text: String) -> Coordinate? {
    guard text.hasPrefix("POINT"), text.hasSuffix(")") else { return nil }
    let rest = text.dropFirst("POINT".count).drop { " Z".contains($0) }
    guard rest.hasPrefix("(") else { return nil }
    let numbers = rest.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
      .map { Double($0) }
    guard numbers.count == 2 || numbers.count == 3, let x = numbers[0], let y = numbers[1],
      abs(x) <= 360, abs(y) <= 90
    else { return nil }
    // Some count longitudes eastward all around the world.
    return Coordinate(x: abs(x) > 180 ? x - (x > 0 ? 360 : -360) : x, y: y)
  }

  /// A text without the brackets around it, and with blanks for tabs.
  private static func withoutBrackets(_ text: String) -> String {
    let text = text.replacing("\t", with: " ")
    for (opening, closing) in [("(", ")"), ("[", "]")]
    where text.hasPrefix(opening) && text.hasSuffix(closing) {
      return text.dropFirst().dropLast().trimmingCharacters(in: .whitespaces)
    }
    return text
  }

  /// A text without the name of its form in front: that of a `geo:` link, of UTM or of MGRS.
  private static func withoutNames(_ text: String) -> String {
    var text = text
    for name in ["GEO:", "UTM", "MGRS", "USNG", "ZONE"] where text.hasPrefix(name) {
      let rest = text.dropFirst(name.count).drop { " :".contains($0) }
      // What follows the place of a link are its parameters: `geo:44.4,-68.2;u=35?z=12`.
      text = String(name == "GEO:" ? rest.prefix { !";?".contains($0) } : rest)
    }
    return text
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
}
