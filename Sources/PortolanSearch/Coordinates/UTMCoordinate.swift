internal import PortolanGeometry

/// A position in a zone of the Universal Transverse Mercator grid: `19T 445000 4911000`.
struct UTMCoordinate: Hashable, Sendable {
  /// The letters of the bands of latitude, eight degrees each, from 80° south.
  static let bands = Array("CDEFGHJKLMNPQRSTUVWX")

  let zone: Int
  let isNorth: Bool
  /// In metres.
  let easting: Double
  let northing: Double

  init?(zone: Int, isNorth: Bool, easting: Double, northing: Double) {
    guard (1...60).contains(zone), (100_000..<1_000_000).contains(easting),
      (0...10_000_000).contains(northing)
    else { return nil }
    self.zone = zone
    self.isNorth = isNorth
    self.easting = easting
    self.northing = northing
  }

  /// Reads a zone with its band, an easting and a northing; the band may be the word NORTH or SOUTH.
  init?(_ text: String) {
    var rest = Substring(text)
    let digits = rest.prefix { $0.isNumber }
    guard let zone = Int(digits), digits.count <= 2 else { return nil }
    rest = rest.dropFirst(digits.count).drop { $0 == " " }
    let letters = rest.prefix { $0.isLetter }
    let numbers = rest.dropFirst(letters.count).split { " ,".contains($0) }
    guard numbers.count == 2, let isNorth = Self.isNorth(letters),
      let easting = Self.meters(numbers[0], "E"), let northing = Self.meters(numbers[1], "N")
    else { return nil }
    self.init(zone: zone, isNorth: isNorth, easting: easting, northing: northing)
  }

  private static func isNorth(_ letters: Substring) -> Bool? {
    switch letters {
    case "NORTH": true
    case "SOUTH": false
    default:
      // S is a band of the north; whoever means the south writes the word.
      letters.count == 1 ? letters.first.flatMap(bands.firstIndex).map { $0 >= 10 } : nil
    }
  }

  private static func meters(_ text: Substring, _ side: Character) -> Double? {
    var text = text
    if text.last == side { text = text.dropLast() }
    if text.last == "M" { text = text.dropLast() }
    return Double(text)
  }

  /// Longitude and latitude on WGS 84.
  var coordinate: Coordinate? {
    let reference = SpatialReference(wkid: (isNorth ? 32_600 : 32_700) + zone)
    do throws(GeometryError) {
      let projection = try Projection(from: reference, to: .wgs84)
      return try projection.project(Coordinate(x: easting, y: northing))
    } catch {
      return nil
    }
  }
}
