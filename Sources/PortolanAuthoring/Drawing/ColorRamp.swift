internal import PortolanJSON
internal import PortolanMap

/// Interpolates between colors.
struct ColorRamp {
  /// What classes are drawn in, by default: from light to dark.
  static let sequence = ["#fee8c8", "#fdbb84", "#ef6548", "#b30000"].map(Self.color)

  /// What values are drawn in, by default: easy to tell apart, also for the color-blind.
  ///
  /// - SeeAlso: Okabe, Ito: Color Universal Design, 2008
  static let categories = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7f7f7f",
  ].map(Self.color)

  private let colors: [RGBAColor]

  init(_ colors: [RGBAColor]) { self.colors = colors }

  /// The color at a part of the way, from 0 to 1.
  func color(at part: Double) -> RGBAColor? {
    guard let last = colors.last else { return nil }
    let place = min(max(part, 0), 1) * Double(colors.count - 1)
    let index = Int(place)
    guard index + 1 < colors.count else { return last }
    let (low, high) = (colors[index], colors[index + 1])
    func between(_ low: UInt8, _ high: UInt8) -> UInt8 {
      UInt8((Double(low) + (Double(high) - Double(low)) * (place - Double(index))).rounded())
    }
    return RGBAColor(
      red: between(low.red, high.red), green: between(low.green, high.green),
      blue: between(low.blue, high.blue), alpha: between(low.alpha, high.alpha))
  }

  private static func color(_ text: String) -> RGBAColor {
    RGBAColor(specified: .string(text)) ?? RGBAColor(red: 0, green: 0, blue: 0)
  }
}
