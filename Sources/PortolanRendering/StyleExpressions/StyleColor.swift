internal import PortolanMap

/// Colours as CSS writes them.
enum StyleColor {
  /// Reads `#rgb`, `#rrggbb`, both with alpha, `rgb()`, `rgba()`, `hsl()`, `hsla()` and the common
  /// names; `nil` for anything else.
  static func color(_ text: String) -> RGBAColor? {
    let text = text.lowercased().filter { !$0.isWhitespace || $0 == " " }
    guard text.utf8.count <= 64 else { return nil }
    if text.hasPrefix("#") { return hexadecimal(text.dropFirst()) }
    if let named = names[text] { return named }
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return nil }
    let inside = text[text.index(after: open)...].dropLast()
    let parts = inside.split { ", /".contains($0) }.map(String.init)
    switch text[..<open] {
    case "rgb", "rgba": return rgb(parts)
    case "hsl", "hsla": return hsl(parts)
    default: return nil
    }
  }

  private static func hexadecimal(_ digits: Substring) -> RGBAColor? {
    let isShort = digits.count == 3 || digits.count == 4
    let digits = isShort ? digits.flatMap { [$0, $0] } : Array(digits)
    guard digits.count == 6 || digits.count == 8 else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
    guard bytes.count * 2 == digits.count else { return nil }
    return RGBAColor(
      red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count == 4 ? bytes[3] : 255)
  }

  private static func rgb(_ parts: [String]) -> RGBAColor? {
    guard (3...4).contains(parts.count) else { return nil }
    let channels = parts.prefix(3).compactMap { share($0, of: 255) }
    guard channels.count == 3 else { return nil }
    return color(
      channels[0], channels[1], channels[2], parts.count == 4 ? share(parts[3], of: 1) : 1)
  }

  private static func hsl(_ parts: [String]) -> RGBAColor? {
    guard (3...4).contains(parts.count), let hue = Double(parts[0].replacing("deg", with: "")),
      hue.isFinite, let saturation = share(parts[1], of: 100), let light = share(parts[2], of: 100)
    else { return nil }
    let turned = (hue.truncatingRemainder(dividingBy: 360) + 360)
      .truncatingRemainder(dividingBy: 360)
    let value = light + saturation * min(light, 1 - light)
    let share = value == 0 ? 0 : 2 * (1 - light / value)
    let (red, green, blue) = CIMColor.rgb(hue: turned, share, value)
    return color(red, green, blue, parts.count == 4 ? self.share(parts[3], of: 1) : 1)
  }

  /// A number or a percentage as a share from 0 to 1.
  private static func share(_ text: String, of whole: Double) -> Double? {
    let isPercent = text.hasSuffix("%")
    guard let number = Double(isPercent ? text.dropLast() : text[...]), number.isFinite else {
      return nil
    }
    return min(max(number / (isPercent ? 100 : whole), 0), 1)
  }

  static func color(
    _ red: Double, _ green: Double, _ blue: Double, _ alpha: Double?
  ) -> RGBAColor {
    func byte(_ share: Double) -> UInt8 {
      share.isNaN ? 0 : UInt8((min(max(share, 0), 1) * 255).rounded())
    }
    return RGBAColor(red: byte(red), green: byte(green), blue: byte(blue), alpha: byte(alpha ?? 1))
  }

  private static let names: [String: RGBAColor] = [
    "transparent": RGBAColor(red: 0, green: 0, blue: 0, alpha: 0),
    "black": .black, "white": .white, "red": rgb8(255, 0, 0), "lime": rgb8(0, 255, 0),
    "blue": rgb8(0, 0, 255), "yellow": rgb8(255, 255, 0), "cyan": rgb8(0, 255, 255),
    "aqua": rgb8(0, 255, 255), "magenta": rgb8(255, 0, 255), "fuchsia": rgb8(255, 0, 255),
    "gray": rgb8(128, 128, 128), "grey": rgb8(128, 128, 128), "silver": rgb8(192, 192, 192),
    "maroon": rgb8(128, 0, 0), "olive": rgb8(128, 128, 0), "green": rgb8(0, 128, 0),
    "purple": rgb8(128, 0, 128), "teal": rgb8(0, 128, 128), "navy": rgb8(0, 0, 128),
    "orange": rgb8(255, 165, 0), "brown": rgb8(165, 42, 42), "pink": rgb8(255, 192, 203),
    "beige": rgb8(245, 245, 220), "gold": rgb8(255, 215, 0), "lightblue": rgb8(173, 216, 230),
    "lightgray": rgb8(211, 211, 211), "lightgrey": rgb8(211, 211, 211),
    "darkgray": rgb8(169, 169, 169), "darkgrey": rgb8(169, 169, 169),
    "darkgreen": rgb8(0, 100, 0), "lightgreen": rgb8(144, 238, 144), "tan": rgb8(210, 180, 140),
    "steelblue": rgb8(70, 130, 180), "whitesmoke": rgb8(245, 245, 245),
    "dimgray": rgb8(105, 105, 105), "ivory": rgb8(255, 255, 240), "khaki": rgb8(240, 230, 140),
  ]

  private static func rgb8(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> RGBAColor {
    RGBAColor(red: red, green: green, blue: blue)
  }
}
