internal import PortolanApp

/// A picture in characters of two halves, of which each has the mean colour of what it covers.
struct HalfBlocks {
  private let columns: Int
  private let rows: Int
  private let colors: [UInt32]

  init(_ image: PicturePixels, columns: Int) {
    let columns = min(max(columns, 1), image.width)
    // Half a character is about as high as it is wide.
    let rows = max((image.height * columns / image.width + 1) / 2 * 2, 2)
    self.columns = columns
    self.rows = rows
    colors = (0..<rows * columns).map { index in
      let (row, column) = (index / columns, index % columns)
      return Self.mean(
        image, columns: image.width * column / columns..<image.width * (column + 1) / columns,
        rows: image.height * row / rows..<image.height * (row + 1) / rows)
    }
  }

  /// The lines; `code` gives the parameters of the sequence that sets a colour.
  func lines(code: (UInt32, Bool) -> String) -> [String] {
    stride(from: 0, to: rows, by: 2).map { row in
      var line = ""
      var last = ""
      for column in 0..<columns {
        let upper = code(colors[row * columns + column], true)
        let lower = code(colors[(row + 1) * columns + column], false)
        let next = "\u{1B}[\(upper);\(lower)m"
        if next != last { line += next }
        last = next
        line += "▀"
      }
      return line + "\u{1B}[0m"
    }
  }

  /// The lines in letters, the darker the more of a letter is ink.
  var letters: [String] {
    let inks = Array("@%#*+=-:. ")
    return stride(from: 0, to: rows, by: 2).map { row in
      let line = (0..<columns).map { column in
        let sum =
          Self.brightness(colors[row * columns + column])
          + Self.brightness(colors[(row + 1) * columns + column])
        return inks[min(sum * inks.count / 511, inks.count - 1)]
      }
      return String(line).withoutBlanksAtEnd
    }
  }

  private static func brightness(_ color: UInt32) -> Int {
    Int((color >> 16 & 255) * 3 + (color >> 8 & 255) * 6 + (color & 255)) / 10
  }

  private static func mean(_ image: PicturePixels, columns: Range<Int>, rows: Range<Int>) -> UInt32
  {
    var (red, green, blue, count) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    for row in rows.isEmpty ? rows.lowerBound..<min(rows.lowerBound + 1, image.height) : rows {
      for column in columns {
        let pixel = image.pixels[row * image.width + column]
        // Clear parts show the white of paper.
        let paper = UInt64(255 - (pixel >> 24))
        red += UInt64(pixel >> 16 & 255) + paper
        green += UInt64(pixel >> 8 & 255) + paper
        blue += UInt64(pixel & 255) + paper
        count += 1
      }
    }
    guard count > 0 else { return 0xFF_FFFF }
    return UInt32(red / count) << 16 | UInt32(green / count) << 8 | UInt32(blue / count)
  }
}
