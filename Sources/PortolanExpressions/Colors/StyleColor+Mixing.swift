internal import Foundation

/// The spaces in which colors are mixed.
enum ColorSpace: Sendable {
  case rgb, lab, hcl
}

extension StyleColor {
  /// A color between this and another.
  func mixed(with other: StyleColor, share: Double, in space: ColorSpace) -> StyleColor {
    let opacity = alpha + (other.alpha - alpha) * share
    func mix(_ low: Double, _ high: Double) -> Double { low + (high - low) * share }
    switch space {
    case .rgb:
      return StyleColor(
        mix(red, other.red), mix(green, other.green), mix(blue, other.blue), opacity)
    case .lab:
      let (low, high) = (LabColor(self), LabColor(other))
      return LabColor(
        lightness: mix(low.lightness, high.lightness), a: mix(low.a, high.a), b: mix(low.b, high.b)
      ).color(alpha: opacity)
    case .hcl:
      return HCLColor(self).mixed(with: HCLColor(other), share: share).lab.color(alpha: opacity)
    }
  }
}

/// A color in the Lab space of the white of D50.
///
/// - SeeAlso: [CIE Lab in CSS](https://www.w3.org/TR/css-color-4/#cie-lab)
private struct LabColor {
  /// The white of D50.
  private static let white = (x: 0.96422, z: 0.82521)
  private static let threshold = 6.0 / 29

  var lightness: Double
  var a: Double
  var b: Double

  init(lightness: Double, a: Double, b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  init(_ color: StyleColor) {
    let red = Self.linear(color.red)
    let green = Self.linear(color.green)
    let blue = Self.linear(color.blue)
    let y = Self.cubeRoot(0.2225045 * red + 0.7168786 * green + 0.0606169 * blue)
    let isGrey = red == green && green == blue
    let x =
      isGrey
      ? y : Self.cubeRoot((0.4360747 * red + 0.3850649 * green + 0.1430804 * blue) / Self.white.x)
    let z =
      isGrey
      ? y : Self.cubeRoot((0.0139322 * red + 0.0971045 * green + 0.7141733 * blue) / Self.white.z)
    self.init(lightness: max(116 * y - 16, 0), a: 500 * (x - y), b: 200 * (y - z))
  }

  func color(alpha: Double) -> StyleColor {
    let height = (lightness + 16) / 116
    let y = Self.cube(height)
    let x = Self.white.x * Self.cube(height + a / 500)
    let z = Self.white.z * Self.cube(height - b / 200)
    return StyleColor(
      Self.compressed(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
      Self.compressed(-0.9787684 * x + 1.9161415 * y + 0.0334540 * z),
      Self.compressed(0.0719453 * x - 0.2289914 * y + 1.4052427 * z), alpha)
  }

  private static func linear(_ share: Double) -> Double {
    share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }

  private static func compressed(_ light: Double) -> Double {
    let share = light <= 0.00304 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    return min(max(share, 0), 1)
  }

  private static func cubeRoot(_ light: Double) -> Double {
    light > threshold * threshold * threshold
      ? cbrt(light) : light / (3 * threshold * threshold) + 4.0 / 29
  }

  private static func cube(_ value: Double) -> Double {
    value > threshold
      ? value * value * value : 3 * threshold * threshold * (value - 4.0 / 29)
  }
}

/// A color by its hue, chroma and lightness.
private struct HCLColor {
  /// In degrees; `nil` for greys.
  var hue: Double?
  var chroma: Double
  var lightness: Double

  init(hue: Double?, chroma: Double, lightness: Double) {
    self.hue = hue
    self.chroma = chroma
    self.lightness = lightness
  }

  init(_ color: StyleColor) {
    let lab = LabColor(color)
    chroma = (lab.a * lab.a + lab.b * lab.b).squareRoot()
    lightness = lab.lightness
    let angle = atan2(lab.b, lab.a) * 180 / .pi
    hue =
      (chroma * 10_000).rounded() == 0
      ? nil : (angle + 360).truncatingRemainder(dividingBy: 360)
  }

  var lab: LabColor {
    let angle = (hue ?? 0) * .pi / 180
    let chroma = hue == nil ? 0 : chroma
    return LabColor(lightness: lightness, a: cos(angle) * chroma, b: sin(angle) * chroma)
  }

  /// The hue goes the shorter way round; that of a grey is the other's.
  func mixed(with other: HCLColor, share: Double) -> HCLColor {
    func mix(_ low: Double, _ high: Double) -> Double { low + (high - low) * share }
    var result = HCLColor(
      hue: nil, chroma: mix(chroma, other.chroma), lightness: mix(lightness, other.lightness))
    switch (hue, other.hue) {
    case (let low?, let high?):
      var way = high - low
      if way > 180 { way -= 360 } else if way < -180 { way += 360 }
      result.hue = low + share * way
    case (let low?, nil):
      result.hue = low
      if other.isExtreme { result.chroma = chroma }
    case (nil, let high?):
      result.hue = high
      if isExtreme { result.chroma = other.chroma }
    case (nil, nil): break
    }
    return result
  }

  /// Whether the lightness alone makes the color: then the chroma of the other counts.
  private var isExtreme: Bool { lightness == 0 || lightness == 1 }
}
