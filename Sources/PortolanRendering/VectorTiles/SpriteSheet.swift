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
  }

  private let image: PixelImage
  private let index: JSONObject

  /// - Throws: ``PictureFault`` if the picture cannot be decoded.
  init(index: JSONValue, image data: Data) throws(PictureFault) {
    self.index = index.object ?? [:]
    image = try PictureDecoder.decode(data)
  }

  /// The icon of that name, cut out of the picture; `nil` if there is none.
  func icon(_ name: String) -> Icon? {
    guard let entry = index.object(name), let x = entry.int("x"), let y = entry.int("y"),
      let width = entry.int("width"), let height = entry.int("height"),
      let part = image.part(x: x, y: y, width: width, height: height)
    else { return nil }
    let ratio = entry.number("pixelRatio") ?? 1
    return Icon(
      image: part, pixelRatio: ratio > 0 ? ratio : 1, isShape: entry.flag("sdf") ?? false)
  }
}

extension SpriteSheet.Icon {
  /// The icon in a colour, if it is a shape; its edge is where the distance passes three quarters.
  func tinted(_ color: RGBAColor?) -> PixelImage {
    guard isShape else { return image }
    let color = color ?? .black
    let pixels = image.pixels.map { pixel -> UInt32 in
      let coverage = min(max((Double(pixel >> 24) / 255 - 0.75) * 8 + 0.5, 0), 1)
      return color.faded(coverage).pixel
    }
    return PixelImage(width: image.width, height: image.height, pixels: pixels) ?? image
  }
}
