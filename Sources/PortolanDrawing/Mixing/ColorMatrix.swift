internal import Foundation

/// A change of colours: each part of the new one is a sum of parts of the old one.
///
/// - SeeAlso: [Filter Effects](https://www.w3.org/TR/filter-effects-1/#ShorthandEquivalents)
package struct ColorMatrix {
  /// Three rows of the factors of red, green, blue and one.
  private let rows: [SIMD4<Double>]

  package init(rows: [SIMD4<Double>]) { self.rows = rows }

  /// This change and then another, without anything cut in between.
  package func followed(by next: ColorMatrix) -> ColorMatrix {
    ColorMatrix(
      rows: next.rows.map { row in
        rows[0] * row.x + rows[1] * row.y + rows[2] * row.z + SIMD4(0, 0, 0, row.w)
      })
  }

  /// `nil` for what is not a change of colours only.
  init?(_ effect: LayerEffect) {
    switch effect {
    case .adjustment(.opacity, _), .blur, .dropShadow: return nil
    case .adjustment(let kind, let amount): rows = Self.rows(kind, amount)
    case .hueRotation(let angle): rows = Self.rows(hue: angle)
    }
  }

  private static func rows(_ kind: LayerEffect.Adjustment, _ amount: Double) -> [SIMD4<Double>] {
    let share = min(amount, 1)
    switch kind {
    case .brightness: return diagonal(amount, 0)
    case .contrast: return diagonal(amount, 0.5 - 0.5 * amount)
    case .invert: return diagonal(1 - 2 * share, share)
    case .opacity: return diagonal(1, 0)
    case .grayscale: return saturation(1 - share)
    case .saturate: return saturation(amount)
    case .sepia:
      let sepia: [SIMD4<Double>] = [
        [0.393, 0.769, 0.189, 0], [0.349, 0.686, 0.168, 0], [0.272, 0.534, 0.131, 0],
      ]
      return zip(diagonal(1, 0), sepia).map { $0 * (1 - share) + $1 * share }
    }
  }

  private static func diagonal(_ factor: Double, _ offset: Double) -> [SIMD4<Double>] {
    [[factor, 0, 0, offset], [0, factor, 0, offset], [0, 0, factor, offset]]
  }

  /// The parts of red, green and blue in how bright a colour looks.
  private static let luminance: SIMD4<Double> = [0.213, 0.715, 0.072, 0]

  private static func saturation(_ amount: Double) -> [SIMD4<Double>] {
    diagonal(amount, 0).map { $0 + luminance * (1 - amount) }
  }

  private static func rows(hue angle: Double) -> [SIMD4<Double>] {
    let radians = angle.truncatingRemainder(dividingBy: 360) * .pi / 180
    let (cosine, sine) = (cos(radians), sin(radians))
    let across: [SIMD4<Double>] = [
      [-0.213, -0.715, 0.928, 0], [0.143, 0.140, -0.283, 0], [-0.787, 0.715, 0.072, 0],
    ]
    return zip(diagonal(1, 0), across).map { unit, across in
      luminance + (unit - luminance) * cosine + across * sine
    }
  }

  /// A colour with its parts from 0 to 1, not multiplied by alpha.
  @inline(__always)
  func callAsFunction(_ color: SIMD4<Double>) -> SIMD4<Double> {
    let parts = SIMD4(
      (rows[0] * color).sum(), (rows[1] * color).sum(), (rows[2] * color).sum(), 1)
    return parts.clamped(lowerBound: .zero, upperBound: .one)
  }
}
