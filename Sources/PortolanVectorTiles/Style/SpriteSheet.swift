internal import Foundation
internal import PortolanDrawing
internal import PortolanImages
internal import PortolanJSON
internal import PortolanMap
package import PortolanTiles

/// The icons of a style.
package struct SpriteSheet: Sendable {
  /// An icon.
  struct Icon: Sendable {
    var image: PixelImage
    /// The pixels along a pixel of the style.
    var pixelRatio: Double
    /// The same before a shape was painted finer.
    var storedPixelRatio: Double
    /// Whether the icon is a shape that takes any colour: how far inside it a pixel is.
    var isShape: Bool
    /// The parts of it that may be stretched around a text; `nil` for all of it.
    var stretch: IconStretch?
  }

  /// A picture with icons, whose names begin with that of the sheet if it is not the default one.
  private struct Part: Sendable {
    let prefix: String
    let image: PixelImage
    let index: JSONObject

    /// `nil` if the picture cannot be decoded.
    init?(_ sprite: StyleSprite) {
      // That it cannot be decoded is reported with the name of the sheet.
      guard let image = try? ImageDecoder.decode(sprite.image) else { return nil }
      self.image = image
      prefix = sprite.id == StyleSprite.defaultID ? "" : sprite.id + ":"
      index = sprite.index.object ?? [:]
    }
  }

  private var parts: [Part] = []
  /// The problems with sheets, in clauses for people.
  package private(set) var problems: [String] = []

  /// Joins the sheets of a style, but for those whose picture cannot be decoded.
  package init(_ sprites: [StyleSprite]) {
    for sprite in sprites {
      let icons =
        sprite.id == StyleSprite.defaultID
        ? "its icons" : "the icons of its sheet \"\(sprite.id.prefix(60))\""
      guard let part = Part(sprite) else {
        problems.append("\(icons) cannot be read")
        continue
      }
      parts.append(part)
      if sprite.isDamaged {
        problems.append("the list of \(icons) is damaged: some may be missing")
      }
    }
  }

  /// The icons that there are.
  var names: Set<String> {
    Set(parts.flatMap { part in part.index.names.map { part.prefix + $0 } })
  }

  /// The icon of that name, cut out of the picture; `nil` if there is none.
  func icon(_ name: String) -> Icon? {
    for part in parts where name.hasPrefix(part.prefix) {
      if let icon = Self.icon(String(name.dropFirst(part.prefix.count)), in: part) { return icon }
    }
    return nil
  }

  private static func icon(_ name: String, in part: Part) -> Icon? {
    guard let entry = part.index.object(name), let x = entry.int("x"), let y = entry.int("y"),
      let width = entry.int("width"), let height = entry.int("height"),
      let part = part.image.part(x: x, y: y, width: width, height: height)
    else { return nil }
    let ratio = entry.number("pixelRatio") ?? 1
    return Icon(
      image: part, pixelRatio: ratio > 0 ? ratio : 1, storedPixelRatio: ratio > 0 ? ratio : 1,
      isShape: entry.flag("sdf") ?? false,
      stretch: IconStretch(entry, width: width, height: height))
  }
}

extension SpriteSheet.Icon {
  /// Shapes are painted in so many times their pixels, since their edges lie between those.
  private static let fineness = 4
  /// The pixels of shapes that are painted finely.
  private static let maximumPixels = 1 << 18
  /// The change per pixel in the distances of shapes.
  private static let slope = 0.125
  /// The distance to both sides of an edge over which it fades, in pixels of the picture.
  private static let softness = 0.5

  /// A shape in a color, its halo below; the edge is where the distance passes three quarters.
  func painted(_ paint: IconPaint) -> SpriteSheet.Icon {
    let fineness = image.pixels.count <= Self.maximumPixels ? Self.fineness : 1
    let (width, height) = (image.width * fineness, image.height * fineness)
    // The change per pixel of the style: the larger the icon the less. As in MapLibre a pixel of
    // the icon counts for one, whatever its density.
    let unit = Self.slope / max(paint.scale, 1e-3)
    let softness = Self.softness * unit / paint.ratio
    let haloEdge = 0.75 - paint.haloWidth * unit
    let haloSoftness = softness + paint.haloBlur * 1.19 * unit
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        let distance = distance(
          (Double(column) + 0.5) / Double(fineness) - 0.5,
          (Double(row) + 0.5) / Double(fineness) - 0.5)
        let inside = paint.color.faded(Self.coverage(distance, 0.75, softness))
        if let halo = paint.halo, paint.haloWidth > 0 {
          // Under the shape the halo is clear, so that it can be seen through.
          let share = min(
            Self.coverage(distance, haloEdge, haloSoftness),
            1 - Self.coverage(distance, 0.75 + haloSoftness, haloSoftness))
          pixels.append(inside.over(halo.faded(share)))
        } else {
          pixels.append(inside.pixel)
        }
      }
    }
    var icon = self
    icon.image = PixelImage(width: width, height: height, pixels: pixels) ?? image
    icon.pixelRatio *= Double(fineness)
    return icon
  }

  /// The distance at a place, mixed of the four pixels around it.
  private func distance(_ x: Double, _ y: Double) -> Double {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    func pixel(_ column: Double, _ row: Double) -> Double {
      let column = min(max(Int(column), 0), image.width - 1)
      let row = min(max(Int(row), 0), image.height - 1)
      return Double(image.pixels[row * image.width + column] >> 24) / 255
    }
    let upper = pixel(left, top) * (1 - (x - left)) + pixel(left + 1, top) * (x - left)
    let lower = pixel(left, top + 1) * (1 - (x - left)) + pixel(left + 1, top + 1) * (x - left)
    return upper * (1 - (y - top)) + lower * (y - top)
  }

  private static func coverage(_ distance: Double, _ edge: Double, _ softness: Double) -> Double {
    let share = min(max((distance - edge) / (2 * softness) + 0.5, 0), 1)
    return share * share * (3 - 2 * share)
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
