internal import PortolanImages
package import PortolanMap

extension RGBAColor {
  package static let black = RGBAColor(red: 0, green: 0, blue: 0)
  package static let white = RGBAColor(red: 255, green: 255, blue: 255)

  /// The colour as a pixel.
  package var pixel: UInt32 {
    (UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)).premultiplied
  }

  /// The colour made more transparent; an opacity of 1 changes nothing.
  package func faded(_ opacity: Double?) -> RGBAColor {
    guard let opacity, opacity < 1 else { return self }
    var color = self
    color.alpha = UInt8((Double(alpha) * min(max(opacity, 0), 1)).rounded())
    return color
  }

  /// A colour between two: this one at a share of 0, the other at 1.
  package func mixed(with other: RGBAColor, share: Double) -> RGBAColor {
    // Between stops that are absurdly far apart there is no share.
    let share = share.isNaN ? 0 : min(max(share, 0), 1)
    func part(_ low: UInt8, _ high: UInt8) -> UInt8 {
      UInt8((Double(low) + (Double(high) - Double(low)) * share).rounded())
    }
    return RGBAColor(
      red: part(red, other.red), green: part(green, other.green), blue: part(blue, other.blue),
      alpha: part(alpha, other.alpha))
  }
}
