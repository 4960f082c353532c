package import PortolanImages

extension PixelImage {
  /// The picture under another of the same size, mixed as a mode that needs pixels asks.
  package func mixed(with above: PixelImage, _ mode: BlendMode, opacity: Double) -> PixelImage {
    let mixed = zip(pixels, above.pixels).map { below, above -> UInt32 in
      guard above >> 24 > 0 else { return below }
      let (bottom, top) = (Self.shares(below), Self.shares(above) * opacity)
      guard bottom.w > 0, top.w > 0 else { return Self.pixel((bottom + top) * 255) }
      var color = SIMD4<Double>.zero
      for part in 0..<3 {
        color[part] = mode.mixed(bottom[part] / bottom.w, top[part] / top.w)
      }
      color.w = 1
      let result = top * (1 - bottom.w) + bottom * (1 - top.w) + color * (bottom.w * top.w)
      return Self.pixel(result.clamped(lowerBound: .zero, upperBound: .one) * 255)
    }
    return PixelImage(width: width, height: height, pixels: mixed) ?? self
  }

  /// Red, green, blue and alpha from 0 to 1.
  @inline(__always)
  private static func shares(_ pixel: UInt32) -> SIMD4<Double> {
    SIMD4(
      Double(pixel >> 16 & 255), Double(pixel >> 8 & 255), Double(pixel & 255),
      Double(pixel >> 24)) / 255
  }
}
