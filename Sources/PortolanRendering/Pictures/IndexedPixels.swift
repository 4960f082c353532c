/// A picture of few colours as numbers of colours.
struct IndexedPixels {
  /// The most colours of a palette.
  private static let limit = 256

  let width: Int
  let height: Int
  let palette: PNGPalette
  /// The numbers, row by row, each row behind the number of no filter.
  let rows: [UInt8]

  /// `nil` if the picture has too many colours.
  init?(_ image: PixelImage) {
    var table = ColorTable()
    var rows: [UInt8] = []
    rows.reserveCapacity((image.width + 1) * image.height)
    var last: UInt32?
    var number: UInt8 = 0
    for row in 0..<image.height {
      rows.append(PNGFilter.none.rawValue)
      for pixel in image.pixels[(row * image.width)..<((row + 1) * image.width)] {
        if pixel != last {
          guard let known = table.number(of: pixel) else { return nil }
          number = known
          last = pixel
        }
        rows.append(number)
      }
    }
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
