internal import Foundation

/// Each pixel of a tile as a block of its own colour.
extension Enlargement {
  /// Enough to find the repeated rows and blocks; more takes longer and gives little.
  private static let level = 1

  /// The finer tile as a PNG file, with the palette of the coarser one if that has one.
  func nearestPNG(of picture: ParentImage) throws(RenderingError) -> Data {
    guard case .indexed(let raster, let palette) = picture else {
      return try nearest(picture).pngData()
    }
    return try PNGEncoder.encode(
      rows: filteredRows(of: raster), palette: palette, width: raster.width,
      height: raster.height, level: Self.level)
  }

  /// The finer tile as pixels.
  func nearest(_ picture: ParentImage) -> PixelImage {
    switch picture {
    case .pixels(let image): nearest(image)
    case .indexed(let raster, let palette): nearest(raster, palette.pixels)
    }
  }

  /// The numbers of colours; a repeated row is written as no difference from the one above.
  private func filteredRows(of raster: PNGRaster) -> [UInt8] {
    let (columns, rows) = (columns(width: raster.width), rows(height: raster.height))
    let count = raster.stride * raster.height
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard var target = buffer.baseAddress else { return }
      var above = -1
      for row in rows {
        if row == above {
          unsafe target[0] = PNGFilter.above.rawValue
          unsafe (target + 1).update(repeating: 0, count: raster.width)
        } else {
          unsafe target[0] = PNGFilter.none.rawValue
          unsafe raster.rows.withUnsafeBufferPointer { samples in
            let start = row * raster.stride + 1
            for (place, column) in columns.enumerated() {
              unsafe target[place + 1] = samples[start + column]
            }
          }
        }
        above = row
        unsafe target += raster.stride
      }
      initialized = count
    }
  }

  private func nearest(_ raster: PNGRaster, _ colors: [UInt32]) -> PixelImage {
    unsafe raster.rows.withUnsafeBufferPointer { samples in
      unsafe colors.withUnsafeBufferPointer { colors in
        blocks(width: raster.width, height: raster.height) { row, column in
          // There are as many colours as a sample has values.
          unsafe colors[Int(samples[row * raster.stride + 1 + column])]
        }
      }
    }
  }

  private func nearest(_ image: PixelImage) -> PixelImage {
    unsafe image.pixels.withUnsafeBufferPointer { pixels in
      blocks(width: image.width, height: image.height) { row, column in
        unsafe pixels[row * image.width + column]
      }
    }
  }

  @inline(__always)
  private func blocks(
    width: Int, height: Int, _ color: (_ row: Int, _ column: Int) -> UInt32
  ) -> PixelImage {
    let (columns, rows) = (columns(width: width), rows(height: height))
    let pixels = unsafe [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      guard var target = buffer.baseAddress else { return }
      var above = -1
      for row in rows {
        if row == above {
          unsafe target.update(from: target - width, count: width)
        } else {
          for (place, column) in columns.enumerated() { unsafe target[place] = color(row, column) }
        }
        above = row
        unsafe target += width
      }
      count = width * height
    }
    return PixelImage(filling: width, height, pixels)
  }
}
