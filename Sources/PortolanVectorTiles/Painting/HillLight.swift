internal import Foundation

/// A light that falls on hills, and the colors of what is in it and of what is not.
struct HillLight: Sendable {
  /// The parts of a color from 0 to 1, red, green, blue and alpha, multiplied by the last.
  typealias Parts = SIMD4<Double>

  /// The direction of the light's source, in radians, clockwise from the north.
  var azimuth: Double
  /// The altitude of the light above the horizon, in radians.
  var altitude: Double
  var highlight: Parts
  var shadow: Parts

  /// The illumination of the ground: 1 where the light meets it at a right angle, nothing and less
  /// where it does not reach; `rise` is the rise of the ground to the right and down.
  func facing(_ rise: SIMD2<Double>) -> Double {
    let across = rise.y * cos(azimuth) - rise.x * sin(azimuth)
    let length = (1 + (rise * rise).sum()).squareRoot()
    return (sin(altitude) + cos(altitude) * across) / length
  }

  /// The side that a slope is on, whatever its angle: 1 towards the light, 0 away from it.
  func side(_ rise: SIMD2<Double>) -> Double {
    let quarter = Double.pi / 2
    let aspect = rise.x == 0 ? (rise.y > 0 ? quarter : -quarter) : atan2(rise.y, -rise.x)
    let turn = (aspect + azimuth + .pi) / .pi + 0.5
    return abs(turn - 2 * (turn / 2).rounded(.down) - 1)
  }

  /// Light where the ground faces it, and shadow where it does not; nothing halfway.
  func direct(_ rise: SIMD2<Double>) -> Parts {
    let share = min(max(facing(rise), 0), 1)
    return share > 0.5 ? highlight * (2 * share - 1) : shadow * (1 - 2 * share)
  }
}

/// The appearance of hills under their lights.
///
/// - SeeAlso: [`hillshade-method`](https://maplibre.org/maplibre-style-spec/layers/#hillshade-method)
struct HillShading: Sendable {
  typealias Parts = HillLight.Parts

  enum Method: String, CaseIterable, Sendable {
    case standard, basic, combined, igor, multidirectional
  }

  /// The factor of slopes in the method `standard`, so that few are steep.
  private static let softening = 0.625

  var method: Method
  /// The exaggeration, from 0 to 1.
  var exaggeration: Double
  /// One at least; only the method `multidirectional` has more.
  var lights: [HillLight]
  var accent: Parts

  /// The color of ground that gets so much higher to the right and down.
  func color(_ rise: SIMD2<Double>) -> Parts {
    guard let light = lights.first else { return .zero }
    guard method != .standard else { return standard(rise, light) }
    let rise = rise * (2 * exaggeration)
    let slope = atan((rise * rise).sum().squareRoot())
    switch method {
    case .standard, .basic: return light.direct(rise)
    case .multidirectional:
      let sum = lights.reduce(Parts.zero) { $0 + $1.direct(rise) }
      return sum / Double(lights.count)
    case .combined:
      let steepest = Double.pi / 2
      let angle = min(acos(min(max(light.facing(rise), -1), 1)), steepest)
      let strength = slope / (steepest * steepest)
      return light.shadow * (angle * strength) + light.highlight * ((steepest - angle) * strength)
    case .igor:
      let side = light.side(rise)
      let strength = slope * 2 / Double.pi
      return light.shadow * ((1 - side) * strength) + light.highlight * (side * strength)
    }
  }

  private func standard(_ rise: SIMD2<Double>, _ light: HillLight) -> Parts {
    let steepest = Double.pi / 2
    let slope = atan(Self.softening * (rise * rise).sum().squareRoot())
    let base = 1.875 - exaggeration * 1.75
    let scaled =
      exaggeration == 0.5
      ? slope : (pow(base, slope) - 1) / (pow(base, steepest) - 1) * steepest
    let strength = min(exaggeration * 2, 1)
    let accent = (1 - cos(scaled)) * strength * accent
    let side = light.side(rise)
    let shade =
      (light.shadow + (light.highlight - light.shadow) * side) * (sin(scaled) * strength)
    return accent * (1 - shade.w) + shade
  }
}
