internal import Foundation
package import PortolanImages
internal import PortolanMap

extension PixelImage {
  /// The picture with effects applied, one after the other.
  package func applying(_ effects: [LayerEffect], pixelsPerPoint: Double) -> PixelImage {
    effects.reduce(self) { image, effect in
      switch effect {
      case .adjustment(.opacity, let amount): image.faded(amount)
      case .blur(let radius): image.blurred(radius * pixelsPerPoint)
      case .dropShadow(let shadow): image.shadowed(shadow, pixelsPerPoint)
      case .adjustment, .hueRotation: ColorMatrix(effect).map(image.recolored) ?? image
      }
    }
  }

  /// The picture with its colours changed.
  package func recolored(_ matrix: ColorMatrix) -> PixelImage {
    // Maps have few colours: neighbours are mostly alike.
    var (last, result): (UInt32, UInt32) = (0, 0)
    return mapped { pixel in
      guard pixel >> 24 > 0 else { return 0 }
      if pixel == last { return result }
      let alpha = Double(pixel >> 24)
      let color = SIMD4(
        Double(pixel >> 16 & 255), Double(pixel >> 8 & 255), Double(pixel & 255), alpha)
      let changed = matrix(color / alpha) * alpha
      last = pixel
      result = Self.pixel(changed)
      return result
    }
  }

  private func faded(_ amount: Double) -> PixelImage {
    let amount = min(max(amount, 0), 1)
    guard amount < 1 else { return self }
    return mapped { Self.scaled($0, by: amount) }
  }

  /// The picture above a shadow of itself.
  private func shadowed(_ shadow: LayerEffect.Shadow, _ pixelsPerPoint: Double) -> PixelImage {
    let (dx, dy) = (
      Int((shadow.x * pixelsPerPoint).rounded()), Int((shadow.y * pixelsPerPoint).rounded())
    )
    let color = shadow.color.pixel
    var shade = [UInt32](repeating: 0, count: pixels.count)
    for y in max(dy, 0)..<max(min(height + dy, height), max(dy, 0)) {
      for x in max(dx, 0)..<max(min(width + dx, width), max(dx, 0)) {
        let alpha = pixels[(y - dy) * width + x - dx] >> 24
        if alpha > 0 { shade[y * width + x] = Self.scaled(color, by: Double(alpha) / 255) }
      }
    }
    guard
      let shadow = PixelImage(width: width, height: height, pixels: shade)?
        .blurred(shadow.radius * pixelsPerPoint)
    else { return self }
    let mixed = zip(pixels, shadow.pixels).map { above, below in
      above &+ Self.scaled(below, by: 1 - Double(above >> 24) / 255)
    }
    return PixelImage(width: width, height: height, pixels: mixed) ?? self
  }

  private func mapped(_ change: (UInt32) -> UInt32) -> PixelImage {
    PixelImage(width: width, height: height, pixels: pixels.map(change)) ?? self
  }

  /// Parts from 0 to 255 in the order red, green, blue, alpha, multiplied by alpha.
  @inline(__always)
  static func pixel(_ parts: SIMD4<Double>) -> UInt32 {
    let parts = parts.rounded(.toNearestOrAwayFromZero)
    return UInt32(parts.w) << 24 | UInt32(parts.x) << 16 | UInt32(parts.y) << 8 | UInt32(parts.z)
  }

  /// A pixel with all its parts made less, cut to whole ones so that sums stay in their bytes.
  @inline(__always)
  static func scaled(_ pixel: UInt32, by share: Double) -> UInt32 {
    let factor = UInt32(share * 256)
    let odd = ((pixel >> 8 & 0x00FF_00FF) &* factor) & 0xFF00_FF00
    let even = ((pixel & 0x00FF_00FF) &* factor) >> 8 & 0x00FF_00FF
    return odd | even
  }
}
