internal import PortolanGeometry

/// A square of the Military Grid Reference System: `19TEJ 5300 1500`.
///
/// The polar regions, which have a grid of their own, are not read.
struct MGRSCoordinate: Hashable, Sendable {
  /// How many digits a reference without its zone has at least.
  static let fewestDigits = 6

  /// The middle of the square, on WGS 84.
  let coordinate: Coordinate

  /// Reads a zone, a band, a square of 100 km and an even number of digits.
  init?(_ text: String) {
    // With many digits, what is between them cannot be of an address.
    let separators = text.count(where: \.isNumber) > Self.fewestDigits ? " ,-" : " "
    let plain = text.filter { !separators.contains($0) }
    let digits = plain.prefix { $0.isNumber }
    guard let zone = Int(digits), (1...60).contains(zone), digits.count <= 2 else { return nil }
    let letters = Array(plain.dropFirst(digits.count).prefix(3))
    let numbers = plain.dropFirst(digits.count + 3)
    guard letters.count == 3, !numbers.isEmpty || Self.isSquare(text),
      let band = UTMCoordinate.bands.firstIndex(of: letters[0]),
      let column = Self.column(letters[1], zone: zone), let row = Self.row(letters[2], zone: zone),
      let (east, north) = Self.offsets(numbers)
    else { return nil }
    let easting = Double(column) * 100_000 + east
    guard
      let coordinate = Self.coordinate(
        zone: zone, band: band, easting: easting, row: Double(row) * 100_000 + north)
    else { return nil }
    self.coordinate = coordinate
  }

  /// Reads a square of 100 km and digits, as they are on a map whose zone is clear: "EK 63091 15229".
  ///
  /// - Parameters:
  ///   - text: In capitals; what names a square of more than 100 m is rather the beginning of an address.
  ///   - extent: Where the place is, on WGS 84; `nil` is the result if there is none in it.
  init?(withoutZone text: String, in extent: Envelope) {
    let letters = text.prefix { $0.isLetter }
    guard !extent.isEmpty, letters.count == 2,
      text.count(where: \.isNumber) >= Self.fewestDigits
    else { return nil }
    let zones = Self.zones(in: extent)
    let bands = Self.band(extent.yMin)...max(Self.band(extent.yMin), Self.band(extent.yMax))
    // In a map of many zones a square has no clear meaning.
    guard (1...2).contains(zones.count), bands.count <= 3 else { return nil }
    for zone in zones.sorted() {
      for band in bands {
        guard let found = Self("\(zone)\(UTMCoordinate.bands[band])\(text)"),
          extent.holds(longitude: found.coordinate.x, latitude: found.coordinate.y)
        else { continue }
        self = found
        return
      }
    }
    return nil
  }

  /// The zones of an area; none of one that is larger than two of them.
  private static func zones(in extent: Envelope) -> Set<Int> {
    guard abs(extent.xMin) <= 720, extent.xMax - extent.xMin <= 24,
      extent.yMax - extent.yMin <= 40
    else { return [] }
    // No zone is less than three degrees wide, and none changes its width within four degrees.
    let east = max(extent.xMin, extent.xMax.nextDown)
    let longitudes = Array(stride(from: extent.xMin, to: east, by: 3)) + [east]
    let latitudes = Array(stride(from: extent.yMin, to: extent.yMax, by: 4)) + [extent.yMax]
    return Set(longitudes.flatMap { x in latitudes.map { zone(x, $0) } })
  }

  /// The zone of a place: six degrees wide, but for the west of Norway and for Svalbard.
  private static func zone(_ longitude: Double, _ latitude: Double) -> Int {
    let turns = ((longitude + 180) / 360).rounded(.down)
    let x = longitude - turns * 360
    if (56..<64).contains(latitude), (3..<12).contains(x) { return 32 }
    if (72...84).contains(latitude), (0..<42).contains(x) {
      return x < 9 ? 31 : x < 21 ? 33 : x < 33 ? 35 : 37
    }
    return min(max(Int((x + 180) / 6) + 1, 1), 60)
  }

  /// The place of the band of a latitude.
  private static func band(_ latitude: Double) -> Int {
    min(Int((min(max(latitude, -80), 80) + 80) / 8), UTMCoordinate.bands.count - 1)
  }

  /// Whether a text names a whole square, as such are written: "31UDQ", "31U DQ"; "11 gar" is the
  /// beginning of an address.
  private static func isSquare(_ text: String) -> Bool {
    let parts = text.split(separator: " ")
    return parts.count == 1 || parts.count == 2 && parts[1].count == 2
  }

  /// The column of a square, from 1 to 8.
  private static func column(_ letter: Character, zone: Int) -> Int? {
    let sets = ["ABCDEFGH", "JKLMNPQR", "STUVWXYZ"]
    let letters = Array(sets[(zone - 1) % 3])
    return letters.firstIndex(of: letter).map { $0 + 1 }
  }

  /// The row of a square, from 0 to 19; in zones with even numbers they begin with F.
  private static func row(_ letter: Character, zone: Int) -> Int? {
    let letters = Array("ABCDEFGHJKLMNPQRSTUV")
    return letters.firstIndex(of: letter).map { (zone.isMultiple(of: 2) ? $0 + 15 : $0) % 20 }
  }

  /// The middle of the square that the digits name, in metres from the corner of the 100 km square.
  private static func offsets(_ digits: Substring) -> (Double, Double)? {
    guard digits.count.isMultiple(of: 2), digits.count <= 10,
      digits.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    let half = digits.count / 2
    var size = 100_000.0
    for _ in 0..<half { size /= 10 }
    let east = half == 0 ? 0 : Double(digits.prefix(half)) ?? 0
    let north = half == 0 ? 0 : Double(digits.suffix(half)) ?? 0
    return ((east + 0.5) * size, (north + 0.5) * size)
  }

  /// Rows repeat each 2,000 km: the one in the band is meant.
  private static func coordinate(
    zone: Int, band: Int, easting: Double, row: Double
  ) -> Coordinate? {
    let south = Double(band * 8 - 80)
    let isNorth = band >= 10
    for cycle in 0..<5 {
      let northing = row + Double(cycle) * 2_000_000
      guard
        let position = UTMCoordinate(
          zone: zone, isNorth: isNorth, easting: easting, northing: northing)?.coordinate
      else { continue }
      // The last band is twelve degrees high; squares reach over the edges of bands.
      if position.y > south - 1, position.y < south + (band == 19 ? 13 : 9) { return position }
    }
    return nil
  }
}
