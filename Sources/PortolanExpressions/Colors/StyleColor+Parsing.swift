internal import Foundation

extension StyleColor {
  /// Texts that are longer are no colors.
  private static let maximumLength = 100

  /// Reads a color of CSS: a name, `#` with 3, 4, 6 or 8 digits, or `rgb()`, `rgba()`, `hsl()`,
  /// `hsla()` with commas or without; `nil` for anything else.
  ///
  /// - SeeAlso: [CSS Color Module Level 4](https://www.w3.org/TR/css-color-4/)
  package init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    let text = text.lowercased().trimmingCharacters(in: .whitespaces)
    let color: StyleColor? =
      if text == "transparent" {
        StyleColor(0, 0, 0, 0)
      } else if let named = Self.names[text] {
        Self.color(named)
      } else if text.hasPrefix("#") {
        Self.hexadecimal(text.dropFirst())
      } else {
        Self.function(text)
      }
    guard let color else { return nil }
    self = color
  }

  private static func color(_ number: UInt32) -> StyleColor {
    StyleColor(
      Double(number >> 16 & 255) / 255, Double(number >> 8 & 255) / 255, Double(number & 255) / 255)
  }

  private static func hexadecimal(_ digits: Substring) -> StyleColor? {
    let values = digits.compactMap { (digit: Character) -> Double? in
      digit.isASCII ? digit.hexDigitValue.map { Double($0) } : nil
    }
    guard values.count == digits.count else { return nil }
    let shares: [Double]
    switch values.count {
    case 3, 4: shares = values.map { $0 / 15 }
    case 6, 8:
      let firsts = stride(from: 0, to: values.count, by: 2)
      shares = firsts.map { (first: Int) -> Double in
        (values[first] * 16 + values[first + 1]) / 255
      }
    default: return nil
    }
    return StyleColor(shares[0], shares[1], shares[2], shares.count == 4 ? shares[3] : 1)
  }

  private static func function(_ text: String) -> StyleColor? {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return nil }
    let inside = text[text.index(after: open)...].dropLast()
    guard let parts = components(inside) else { return nil }
    switch text[..<open] {
    case "rgb", "rgba": return rgb(parts)
    case "hsl", "hsla": return hsl(parts)
    default: return nil
    }
  }

  /// Three or four parts, all separated by commas, or by spaces with a slash before the last.
  private static func components(_ inside: Substring) -> [Component]? {
    let parts: [Substring]
    if inside.contains(",") {
      parts = inside.split(separator: ",", omittingEmptySubsequences: false)
      guard !inside.contains("/") else { return nil }
    } else {
      let sides = inside.split(separator: "/", omittingEmptySubsequences: false)
      guard let first = sides.first, sides.count <= 2 else { return nil }
      parts = first.split { $0 == " " || $0 == "\t" } + sides.dropFirst()
      guard parts.count == 2 + sides.count else { return nil }
    }
    let components = parts.compactMap { Component($0.trimmingCharacters(in: .whitespaces)) }
    guard components.count == parts.count, (3...4).contains(parts.count) else { return nil }
    return components
  }

  private static func rgb(_ parts: [Component]) -> StyleColor? {
    let units = Set(parts.prefix(3).map(\.unit))
    guard units.count == 1, let unit = units.first, unit != .degree else { return nil }
    let whole = unit == .percent ? 100.0 : 255
    let shares = parts.prefix(3).map { clamped($0.number / whole) }
    guard let alpha = alpha(parts) else { return nil }
    return StyleColor(shares[0], shares[1], shares[2], alpha)
  }

  private static func hsl(_ parts: [Component]) -> StyleColor? {
    // A zero needs no unit.
    guard parts[0].unit != .percent, let alpha = alpha(parts),
      parts[1...2].allSatisfy({ $0.unit == .percent || ($0.unit == .none && $0.number == 0) })
    else { return nil }
    return StyleColor(
      hue: parts[0].number, saturation: clamped(parts[1].number / 100),
      lightness: clamped(parts[2].number / 100), alpha: alpha)
  }

  private static func alpha(_ parts: [Component]) -> Double? {
    guard parts.count == 4 else { return 1 }
    guard parts[3].unit != .degree else { return nil }
    return clamped(parts[3].number / (parts[3].unit == .percent ? 100 : 1))
  }

  private static func clamped(_ share: Double) -> Double { min(max(share, 0), 1) }

  /// A color by its hue in degrees and two shares.
  init(hue: Double, saturation: Double, lightness: Double, alpha: Double) {
    let turned = hue.truncatingRemainder(dividingBy: 360)
    let chroma = saturation * min(lightness, 1 - lightness)
    func channel(_ offset: Double) -> Double {
      let place = (offset + turned / 30 + 12).truncatingRemainder(dividingBy: 12)
      return lightness - chroma * max(-1, min(place - 3, 9 - place, 1))
    }
    self.init(channel(0), channel(8), channel(4), alpha)
  }
}

/// A number of a color with its unit.
private struct Component {
  enum Unit { case none, percent, degree }

  let number: Double
  let unit: Unit

  init?(_ text: String) {
    let unit: Unit = text.hasSuffix("%") ? .percent : text.hasSuffix("deg") ? .degree : .none
    let digits = text.dropLast(unit == .percent ? 1 : unit == .degree ? 3 : 0)
    guard digits.utf8.allSatisfy({ "0123456789.+-e".utf8.contains($0) }),
      let number = Double(digits), number.isFinite
    else { return nil }
    self.number = number
    self.unit = unit
  }
}
