internal import Foundation

/// A tile that is enlarged: with a palette as in the file, others as pixels.
enum ParentImage: Sendable {
  case indexed(PNGRaster, PNGPalette)
  case pixels(PixelImage)

  /// Decodes a PNG, JPEG or WebP file.
  init(_ data: Data) throws(ImageDecodingError) {
    if data.starts(with: PNGHeader.mark), let raster = try PNGDecoder.raster(data) {
      if let palette = raster.palette {
        self = .indexed(raster, palette)
      } else {
        guard let image = raster.image else { throw .damaged }
        self = .pixels(image)
      }
    } else {
      self = .pixels(try ImageDecoder.decode(data))
    }
  }

  var width: Int {
    switch self {
    case .indexed(let raster, _): raster.width
    case .pixels(let image): image.width
    }
  }

  var height: Int {
    switch self {
    case .indexed(let raster, _): raster.height
    case .pixels(let image): image.height
    }
  }

  /// The bytes it takes in memory.
  var weight: Int {
    switch self {
    case .indexed(let raster, _): raster.rows.count
    case .pixels(let image): image.pixels.count * 4
    }
  }

  /// All pixels.
  var image: PixelImage {
    switch self {
    case .indexed:
      PixelImage(
        filling: width, height, pixels(rows: 0...(height - 1), columns: 0...(width - 1)))
    case .pixels(let image): image
    }
  }

  /// The pixels of a part, row by row.
  func pixels(rows: ClosedRange<Int>, columns: ClosedRange<Int>) -> [UInt32] {
    let count = rows.count * columns.count
    var pixels: [UInt32] = []
    pixels.reserveCapacity(count)
    switch self {
    case .pixels(let image):
      for row in rows {
        let start = row * image.width
        pixels += image.pixels[(start + columns.lowerBound)...(start + columns.upperBound)]
      }
    case .indexed(let raster, let palette):
      let colors = palette.pixels
      for row in rows {
        let start = row * raster.stride + 1
        let samples = raster.rows[(start + columns.lowerBound)...(start + columns.upperBound)]
        pixels += samples.lazy.map { colors[Int($0)] }
      }
    }
    return pixels
  }
}
