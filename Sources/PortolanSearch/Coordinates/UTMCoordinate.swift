internal import PortolanGeometry

/// A position in a zone of the Universal Transverse Mercator grid: `19T 445000 4911000`.
struct UTMCoordinate: Hashable, Sendable {
  /// The letters of the bands of latitude, eight degrees each, from 80° south.
  static let bands = Array("CDEFGHJKLMNPQRSTUVWX")
  /// The northings of the band S, from 32 to 40 degrees north, and a little more.
  private static let northingsOfBandS = 3_500_000.0..<4_500_000.0

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

  /// Reads a zone with its band, an easting and a northing; the band may be the word NORTH or SOUTH,
  /// the zone may come last, and the northing before the easting.
  init?(_ text: String) {
    var rest = Substring(Self.withZoneFirst(text))
    let digits = rest.prefix { $0.isNumber }
    guard let zone = Int(digits), digits.count <= 2 else { return nil }
    rest = rest.dropFirst(digits.count).drop { $0 == " " }
    let letters = rest.prefix { $0.isLetter }
    guard let isNorth = Self.isNorth(letters),
      let numbers = Self.meters(rest.dropFirst(letters.count))
    else { return nil }
    let isEastingFirst = numbers.0 < 1_000_000
    let northing = isEastingFirst ? numbers.1 : numbers.0
    // Many write S for the south: where the band of that letter has no such northing, that is meant.
    let isSouth = letters == "S" && !Self.northingsOfBandS.contains(northing)
    self.init(
      zone: zone, isNorth: isNorth && !isSouth,
      easting: isEastingFirst ? numbers.0 : numbers.1, northing: northing)
  }

  /// `403965 4625017 16T` as `16T 403965 4625017`; any other text as it is.
  private static func withZoneFirst(_ text: String) -> String {
    let words = text.split { " ,".contains($0) }
    guard words.count > 2, let first = words.first, let last = words.last,
      first.count == 1 && "EN".contains(first)
        || first.drop(while: { "EN".contains($0) }).prefix(while: \.isNumber).count > 2,
      let letter = last.last, letter.isLetter, (1...3).contains(last.count)
    else { return text }
    let zone = last.count == 1 ? words.suffix(2) : words.suffix(1)
    let rest = words.dropLast(zone.count)
    return (zone.joined() + " " + rest.joined(separator: " "))
  }

  private static func isNorth(_ letters: Substring) -> Bool? {
    switch letters {
    case "NORTH": true
    case "SOUTH": false
    default:
      // S is a band of the north.
      letters.count == 1 ? letters.first.flatMap(bands.firstIndex).map { $0 >= 10 } : nil
    }
  }

  /// Two numbers of metres, which may be so called and have their directions before or behind them.
  private static func meters(_ text: Substring) -> (Double, Double)? {
    let words = withoutGroups(text.split { " ,:=ENM".contains($0) })
    guard words.count == 2, let first = Double(words[0]), let second = Double(words[1]) else {
      return nil
    }
    return (first, second)
  }

  /// The numbers of an easting and a northing with blanks at their thousands: "391 776 5 820 073".
  private static func withoutGroups(_ words: [Substring]) -> [Substring] {
    guard words.map(\.count) == [3, 3, 1, 3, 3] else { return words }
    return [words[..<2], words[2...]].map { Substring($0.joined(separator: "")) }
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
