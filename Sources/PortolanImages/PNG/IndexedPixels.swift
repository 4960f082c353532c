/// A picture of few colours as numbers of colours.
struct IndexedPixels {
  /// The most colours of a palette.
  private static let limit = 256

  let width: Int
  let height: Int
  let palette: PNGPalette
  /// The numbers, row by row, each row behind the number of no filter.
  let rows: [UInt8]

  /// `nil` if the picture has too many colours; those become one that differ only in bits that are
  /// not in `mask`.
  init?(_ image: PixelImage, mask: UInt32 = .max) {
    var table = ColorTable()
    let capacity = (image.width + 1) * image.height
    // Plain loops over memory: pictures are many, and calls are expensive in debug builds.
    let rows = unsafe image.pixels.withUnsafeBufferPointer { pixels in
      unsafe [UInt8](unsafeUninitializedCapacity: capacity) { rows, count in
        var (source, target) = (0, 0)
        var (last, number): (UInt32?, UInt8) = (nil, 0)
        while source < pixels.count {
          if source % image.width == 0 {
            unsafe rows[target] = PNGFilter.none.rawValue
            target += 1
          }
          let pixel = unsafe pixels[source] & mask
          if pixel != last {
            guard let known = table.number(of: pixel) else { return }
            number = known
            last = pixel
          }
          unsafe rows[target] = number
          source += 1
          target += 1
        }
        count = target
      }
    }
    guard rows.count == capacity else { return nil }
    width = image.width
    height = image.height
    self.rows = rows
    palette = table.palette
  }

  /// Colours in the order in which they were met.
  private struct ColorTable {
    private var numbers: [UInt32: UInt8] = [:]
    private var colors: [UInt32] = []

    /// The number of a colour; `nil` if there are too many.
    mutating func number(of pixel: UInt32) -> UInt8? {
      if let number = numbers[pixel] { return number }
      guard colors.count < IndexedPixels.limit else { return nil }
      let number = UInt8(colors.count)
      numbers[pixel] = number
      colors.append(pixel)
      return number
    }

    var palette: PNGPalette {
      let plain = colors.map(\.unmultiplied)
      let alphas = plain.map { UInt8($0 >> 24) }
      return PNGPalette(
        colors: plain.flatMap { color in
          [16, 8, 0].map { (shift: UInt32) in UInt8(color >> shift & 255) }
        },
        alphas: alphas.allSatisfy { $0 == 255 } ? [] : alphas)
    }
  }
}
