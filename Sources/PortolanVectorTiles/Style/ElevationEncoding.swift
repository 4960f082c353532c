internal import PortolanJSON

/// The encoding of elevations in metres in picture tiles: a weighted sum of the color's components.
///
/// - SeeAlso: [Sources of heights](https://maplibre.org/maplibre-style-spec/sources/#raster-dem)
package struct ElevationEncoding: Hashable, Sendable {
  var red: Double
  var green: Double
  var blue: Double
  /// The offset that is subtracted from the sum.
  var base: Double

  /// Tenths of a metre from 10,000 metres below the sea on.
  static let mapbox = ElevationEncoding(red: 6553.6, green: 25.6, blue: 0.1, base: 10_000)
  /// Parts of 1/256 of a metre.
  static let terrarium = ElevationEncoding(red: 256, green: 1, blue: 1.0 / 256, base: 32_768)

  private init(red: Double, green: Double, blue: Double, base: Double) {
    self.red = red
    self.green = green
    self.blue = blue
    self.base = base
  }

  /// Reads what a source says about its tiles; `nil` for an encoding that is not known.
  init?(_ source: JSONObject) {
    switch source.text("encoding") ?? "mapbox" {
    case "mapbox": self = .mapbox
    case "terrarium": self = .terrarium
    case "custom":
      self.init(
        red: source.number("redFactor") ?? 1, green: source.number("greenFactor") ?? 1,
        blue: source.number("blueFactor") ?? 1, base: source.number("baseShift") ?? 0)
    default: return nil
    }
  }

  /// The height of a pixel; not a number where it is clear, or beyond sense.
  func height(_ pixel: UInt32) -> Float {
    guard pixel >> 24 > 0 else { return .nan }
    let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
    let height = Float(
      Double(red) * self.red + Double(green) * self.green + Double(blue) * self.blue - base)
    return abs(height) < 1e9 ? height : .nan
  }
}
