internal import Foundation
internal import PortolanJSON
internal import PortolanMap

/// The icons of a style.
struct SpriteSheet: Sendable {
  /// An icon.
  struct Icon: Sendable {
    var image: PixelImage
    /// The pixels along a pixel of the style.
    var pixelRatio: Double
    /// Whether the icon is a shape that takes any colour: how far inside it a pixel is.
    var isShape: Bool
    /// Whether only parts of it may be stretched.
    var hasRigidParts = false
  }

  private let image: PixelImage
  private let index: JSONObject

  /// - Throws: ``PictureFault`` if the picture cannot be decoded.
  init(index: JSONValue, image data: Data) throws(PictureFault) {
    self.index = index.object ?? [:]
    image = try PictureDecoder.decode(data)
  }

  /// The icons that there are.
  var names: Set<String> { Set(index.names) }

  /// The icon of that name, cut out of the picture; `nil` if there is none.
  func icon(_ name: String) -> Icon? {
    guard let entry = index.object(name), let x = entry.int("x"), let y = entry.int("y"),
      let width = entry.int("width"), let height = entry.int("height"),
      let part = image.part(x: x, y: y, width: width, height: height)
    else { return nil }
    let ratio = entry.number("pixelRatio") ?? 1
    return Icon(
      image: part, pixelRatio: ratio > 0 ? ratio : 1, isShape: entry.flag("sdf") ?? false,
      hasRigidParts: entry["stretchX"] != nil || entry["stretchY"] != nil)
  }
}

extension SpriteSheet.Icon {
  /// The pixels of a shape in a colour, its halo below; the edge is where the distance passes three
  /// quarters.
  func painted(_ paint: IconPaint) -> PixelImage {
    // A pixel of the picture is an eighth of the distances that shapes hold.
    let haloEdge = 0.75 - paint.haloWidth * pixelRatio / 8
    let pixels = image.pixels.map { pixel -> UInt32 in
      let distance = Double(pixel >> 24) / 255
      let inside = paint.color.faded(Self.coverage(distance, 0.75))
      guard let halo = paint.halo, paint.haloWidth > 0 else { return inside.pixel }
      return inside.over(halo.faded(Self.coverage(distance, haloEdge)))
    }
    return PixelImage(width: image.width, height: image.height, pixels: pixels) ?? image
  }

  private static func coverage(_ distance: Double, _ edge: Double) -> Double {
    min(max((distance - edge) * 8 + 0.5, 0), 1)
  }
}

extension RGBAColor {
  /// The pixel of the colour over another.
  fileprivate func over(_ below: RGBAColor) -> UInt32 {
    let (top, bottom) = (pixel, below.pixel)
    let rest = 255 - UInt32(alpha)
    return [24, 16, 8, 0].reduce(UInt32(0)) { result, shift in
      let sum = (top >> shift & 255) + ((bottom >> shift & 255) * rest + 127) / 255
      return result | min(sum, 255) << shift
    }
  }
}
