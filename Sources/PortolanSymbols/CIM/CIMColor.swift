internal import PortolanJSON
internal import PortolanMap

/// Colours as ArcGIS Pro writes them.
enum CIMColor {
  /// Reads `[r, g, b, a]` with bytes, or an object with its colour model; `nil` for anything else.
  ///
  /// In objects alpha goes from 0 to 100, and the parts have the ranges of their model.
  static func color(_ json: JSONValue?) -> RGBAColor? {
    guard let object = json?.object else { return RGBAColor(json: json) }
    let values = (object["values"]?.array ?? []).compactMap(\.lenientNumber)
    let parts = values.map { max($0, 0) }
    switch object.text("type") {
    case "CIMRGBColor" where parts.count >= 3:
      return rgb(parts[0] / 255, parts[1] / 255, parts[2] / 255, parts.dropFirst(3).first)
    case "CIMGrayColor" where parts.count >= 1:
      return rgb(parts[0] / 255, parts[0] / 255, parts[0] / 255, parts.dropFirst(1).first)
    case "CIMCMYKColor" where parts.count >= 4:
      let key = 1 - min(parts[3] / 100, 1)
      let inks = parts.prefix(3).map { (1 - min($0 / 100, 1)) * key }
      return rgb(inks[0], inks[1], inks[2], parts.dropFirst(4).first)
    case "CIMHSVColor" where parts.count >= 3:
      let (red, green, blue) = rgb(hue: parts[0], parts[1] / 100, parts[2] / 100)
      return rgb(red, green, blue, parts.dropFirst(3).first)
    case "CIMHSLColor" where parts.count >= 3:
      let (saturation, lightness) = (min(parts[1] / 100, 1), min(parts[2] / 100, 1))
      let value = lightness + saturation * min(lightness, 1 - lightness)
      let (red, green, blue) = rgb(
        hue: parts[0], value > 0 ? 2 * (1 - lightness / value) : 0, value)
      return rgb(red, green, blue, parts.dropFirst(3).first)
    default: return nil
    }
  }

  private static func rgb(
    _ red: Double, _ green: Double, _ blue: Double, _ percent: Double?
  ) -> RGBAColor {
    func byte(_ share: Double) -> UInt8 {
      share.isNaN ? 0 : UInt8((min(max(share, 0), 1) * 255).rounded())
    }
    return RGBAColor(
      red: byte(red), green: byte(green), blue: byte(blue), alpha: byte((percent ?? 100) / 100))
  }

  /// The colour of a hue in degrees, a saturation and a value.
  static func rgb(
    hue: Double, _ saturation: Double, _ value: Double
  ) -> (Double, Double, Double) {
    func part(_ offset: Double) -> Double {
      let place = (offset + hue / 60).truncatingRemainder(dividingBy: 6)
      return value - value * min(saturation, 1) * max(0, min(place, 4 - place, 1))
    }
    return (part(5), part(3), part(1))
  }
}
