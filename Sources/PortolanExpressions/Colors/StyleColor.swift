/// A color of a style: red, green and blue from 0 to 1, not multiplied by its opacity.
package struct StyleColor: Hashable, Sendable {
  /// The red component, from 0 to 1.
  package var red: Double
  /// The green component, from 0 to 1.
  package var green: Double
  /// The blue component, from 0 to 1.
  package var blue: Double
  /// The opacity, from 0 to 1.
  package var alpha: Double

  /// A color of its shares; opaque by default.
  package init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Opaque black.
  package static let black = StyleColor(0, 0, 0)
}

extension StyleColor: CustomStringConvertible {
  /// The color as style sheets write it: `rgba(85,255,0,0.5)`.
  package var description: String {
    let bytes = [red, green, blue].map { StyleValue.written(($0 * 255).rounded()) }
    return "rgba(\(bytes.joined(separator: ",")),\(StyleValue.written(alpha)))"
  }
}
