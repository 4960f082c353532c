internal import PortolanGeometry
internal import PortolanImages
internal import PortolanTiles

/// Tiles side by side as one picture, so that they run into each other when they are enlarged.
struct TileMosaic {
  /// Larger pictures are not put together.
  private static let maximumPixels = 1 << 23

  let picture: TilePicture

  /// Puts the tiles of a range together; `nil` if one is of another size or level than the others,
  /// or if there are too many of them.
  init?(_ range: TileRange, _ scheme: TileScheme, _ pictures: TilePictures) async {
    guard range.count > 1, range.count <= Self.maximumPixels / (16 * 16) else { return nil }
    var found: [TileID: PixelImage] = [:]
    var size: (width: Int, height: Int)?
    for id in range {
      guard let picture = await pictures.picture(for: id) else { continue }
      let (width, height) = (picture.image.width, picture.image.height)
      guard picture.extent == scheme.envelope(of: id), size.map({ $0 == (width, height) }) ?? true,
        width * height * range.count <= Self.maximumPixels
      else { return nil }
      size = (width, height)
      found[id] = picture.image
    }
    guard let size, let extent = Self.extent(of: range, scheme) else { return nil }
    let image = Self.joined(found, range, width: size.width, height: size.height)
    guard let image else { return nil }
    picture = TilePicture(image: image, extent: extent)
  }

  private static func extent(of range: TileRange, _ scheme: TileScheme) -> Envelope? {
    let first = TileID(
      level: range.level, row: range.rows.lowerBound, column: range.columns.lowerBound)
    let last = TileID(
      level: range.level, row: range.rows.upperBound - 1, column: range.columns.upperBound - 1)
    guard let start = scheme.envelope(of: first), let end = scheme.envelope(of: last) else {
      return nil
    }
    return start.union(end)
  }

  private static func joined(
    _ images: [TileID: PixelImage], _ range: TileRange, width: Int, height: Int
  ) -> PixelImage? {
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height * range.count)
    for row in range.rows {
      let tiles = range.columns.map {
        images[TileID(level: range.level, row: row, column: $0)]
      }
      for line in 0..<height {
        for tile in tiles {
          if let tile {
            pixels += tile.pixels[(line * width)..<((line + 1) * width)]
          } else {
            pixels += repeatElement(0, count: width)
          }
        }
      }
    }
    return PixelImage(
      width: width * range.columns.count, height: height * range.rows.count, pixels: pixels)
  }
}
