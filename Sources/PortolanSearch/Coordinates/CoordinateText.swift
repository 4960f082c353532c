internal import Foundation
internal import PortolanGeometry

/// A coordinate as people write it: degrees, degrees and minutes, degrees, minutes and seconds, UTM
/// or MGRS.
struct CoordinateText: Hashable, Sendable {
  /// Longitude and latitude on WGS 84.
  let coordinate: Coordinate

  /// Reads a text; `nil` if it is no coordinate.
  init?(_ text: String) {
    guard CoordinateForm.isPossible(text) else { return nil }
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
    let plain = Self.withoutNames(text)
    guard
      let coordinate = CoordinatePair(CoordinateForm.withSigns(plain))?.coordinate ?? UTMCoordinate(
        plain)?.coordinate
        ?? MGRSCoordinate(plain)?.coordinate
    else { return nil }
    self.coordinate = coordinate
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
