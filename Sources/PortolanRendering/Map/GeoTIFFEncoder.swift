internal import Foundation
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanMap

/// Writes pictures as GeoTIFF files, in strips that are compressed with deflate.
///
/// - SeeAlso: [OGC GeoTIFF 1.1](https://docs.ogc.org/is/19-008r4/19-008r4.html)
struct GeoTIFFEncoder {
  /// The bytes of a strip before they are compressed.
  private static let stripSize = 1 << 18

  private enum Values {
    case shorts([Int])
    case longs([Int])
    case doubles([Double])
    case text(String)
    case rational(Int, Int)
  }

  /// Opens a file of little-endian numbers; the place of the directory is filled in at the end.
  private var bytes: [UInt8] = [0x49, 0x49, 42, 0, 0, 0, 0, 0]
  private var tags: [(tag: Int, values: Values)] = []

  /// A file of a georeferenced picture.
  static func encode(
    _ image: PixelImage, _ georeference: PictureGeoreference
  ) throws(RenderingError) -> Data {
    var file = GeoTIFFEncoder()
    try file.add(image)
    file.add(georeference)
    file.addDirectory()
    return Data(file.bytes)
  }

  // MARK: - Pixels

  private mutating func add(_ image: PixelImage) throws(RenderingError) {
    let hasAlpha = !image.isOpaque
    let samples = hasAlpha ? 4 : 3
    let rows = max(Self.stripSize / (image.width * samples), 1)
    guard let deflater = Deflater(level: 6) else { throw .outOfMemory }
    var offsets: [Int] = []
    var counts: [Int] = []
    for top in stride(from: 0, to: image.height, by: rows) {
      let strip = Self.samples(of: image, top..<min(top + rows, image.height), hasAlpha: hasAlpha)
      let compressed = deflater.deflate(strip)
      guard !compressed.isEmpty, bytes.count + compressed.count < 1 << 31 else {
        throw .outOfMemory
      }
      offsets.append(bytes.count)
      counts.append(compressed.count)
      bytes += compressed
      if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
    }
    tags += [
      (256, .longs([image.width])), (257, .longs([image.height])),
      (258, .shorts(Array(repeating: 8, count: samples))), (259, .shorts([8])),
      (262, .shorts([2])), (273, .longs(offsets)), (277, .shorts([samples])),
      (278, .longs([rows])), (279, .longs(counts)), (282, .rational(96, 1)),
      (283, .rational(96, 1)), (284, .shorts([1])), (296, .shorts([2])), (317, .shorts([2])),
    ]
    if hasAlpha { tags.append((338, .shorts([2]))) }
  }

  /// The samples of some rows, each as the difference to the pixel on its left.
  private static func samples(
    of image: PixelImage, _ rows: Range<Int>, hasAlpha: Bool
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rows.count * image.width * (hasAlpha ? 4 : 3))
    for row in rows {
      var last: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
      for pixel in image.pixels[row * image.width..<(row + 1) * image.width] {
        let alpha = pixel >> 24
        let color = (
          plain(pixel >> 16 & 255, alpha), plain(pixel >> 8 & 255, alpha),
          plain(pixel & 255, alpha), UInt8(alpha)
        )
        bytes.append(color.0 &- last.0)
        bytes.append(color.1 &- last.1)
        bytes.append(color.2 &- last.2)
        if hasAlpha { bytes.append(color.3 &- last.3) }
        last = color
      }
    }
    return bytes
  }

  /// A sample that is no longer multiplied by alpha.
  private static func plain(_ sample: UInt32, _ alpha: UInt32) -> UInt8 {
    if alpha == 255 { return UInt8(sample) }
    return alpha == 0 ? 0 : UInt8(min((sample * 255 + alpha / 2) / alpha, 255))
  }

  // MARK: - Georeference

  private mutating func add(_ ground: PictureGeoreference) {
    if ground.right.y == 0, ground.down.x == 0 {
      tags.append((33_550, .doubles([ground.right.x, -ground.down.y, 0])))
      tags.append((33_922, .doubles([0, 0, 0, ground.origin.x, ground.origin.y, 0])))
    } else {
      tags.append(
        (
          34_264,
          .doubles([
            ground.right.x, ground.down.x, 0, ground.origin.x, ground.right.y, ground.down.y, 0,
            ground.origin.y, 0, 0, 0, 0, 0, 0, 0, 1,
          ])
        ))
    }
    // Model, raster (a pixel is an area), and the reference: its id, or its definition as text.
    var keys = [[1024, 0, 1, ground.isGeographic ? 2 : 1], [1025, 0, 1, 1]]
    if let epsg = ground.epsg {
      keys.append([ground.isGeographic ? 2048 : 3072, 0, 1, epsg])
    } else if let text = Self.citation(of: ground) {
      let isGeographic = ground.isGeographic
      keys.append([isGeographic ? 2048 : 3072, 0, 1, 32_767])
      keys.append([isGeographic ? 2049 : 3073, 34_737, text.utf8.count, 0])
      tags.append((34_737, .text(text)))
    }
    tags.append((34_735, .shorts([1, 1, 0, keys.count] + keys.flatMap(\.self))))
  }

  /// A definition as GDAL and ArcGIS write it where there is no id.
  private static func citation(of ground: PictureGeoreference) -> String? {
    // A reference without a definition leaves the file without one.
    guard let text = try? ground.spatialReference.esriWellKnownText() else { return nil }
    return "ESRI PE String = \(text)|"
  }

  // MARK: - The directory

  private mutating func addDirectory() {
    tags.sort { $0.tag < $1.tag }
    var entries: [UInt8] = []
    for (tag, values) in tags {
      let (type, count, data) = Self.field(values)
      entries += Self.little(tag, 2) + Self.little(type, 2) + Self.little(count, 4)
      if data.count <= 4 {
        entries += data + Array(repeating: 0, count: 4 - data.count)
      } else {
        entries += Self.little(bytes.count, 4)
        bytes += data
        if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
      }
    }
    bytes.replaceSubrange(4..<8, with: Self.little(bytes.count, 4))
    bytes += Self.little(tags.count, 2) + entries + [0, 0, 0, 0]
  }

  private static func field(_ values: Values) -> (type: Int, count: Int, data: [UInt8]) {
    switch values {
    case .shorts(let numbers): (3, numbers.count, numbers.flatMap { little($0, 2) })
    case .longs(let numbers): (4, numbers.count, numbers.flatMap { little($0, 4) })
    case .doubles(let numbers):
      (12, numbers.count, numbers.flatMap { little(Int(bitPattern: UInt($0.bitPattern)), 8) })
    case .text(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
    case .rational(let over, let under): (5, 1, little(over, 4) + little(under, 4))
    }
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
