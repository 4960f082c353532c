internal import PortolanApp

/// Writes a picture as sixels, in a palette of 216 colours.
///
/// - SeeAlso: [Sixel graphics](https://vt100.net/docs/vt3xx-gp/chapter14.html)
struct SixelWriter {
  private let image: PicturePixels

  init(_ image: PicturePixels) { self.image = image }

  /// The whole as one sequence.
  var text: String {
    var text = "\u{1B}Pq\"1;1;\(image.width);\(image.height)"
    for index in 0..<216 {
      let parts = [index / 36, index / 6 % 6, index % 6].map { $0 * 20 }
      text += "#\(index);2;\(parts[0]);\(parts[1]);\(parts[2])"
    }
    for top in stride(from: 0, to: image.height, by: 6) { text += band(from: top) + "-" }
    return text + "\u{1B}\\"
  }

  /// Six rows: for each colour in them, its dots in every column.
  private func band(from top: Int) -> String {
    var dots: [Int: [UInt8]] = [:]
    for row in top..<min(top + 6, image.height) {
      for column in 0..<image.width {
        let index = Self.index(of: image.pixels[row * image.width + column])
        dots[index, default: [UInt8](repeating: 0, count: image.width)][column] |=
          1 << UInt8(row - top)
      }
    }
    return dots.sorted { $0.key < $1.key }.map { index, columns in
      "#\(index)" + Self.packed(columns)
    }.joined(separator: "$")
  }

  /// Runs of the same dots are written once with their number.
  private static func packed(_ columns: [UInt8]) -> String {
    var text = ""
    var start = 0
    while start < columns.count {
      var end = start + 1
      while end < columns.count, columns[end] == columns[start] { end += 1 }
      let letter = Character(Unicode.Scalar(columns[start] + 63))
      text +=
        end - start > 3 ? "!\(end - start)\(letter)" : String(repeating: letter, count: end - start)
      start = end
    }
    return text
  }

  private static func index(of pixel: UInt32) -> Int {
    let paper = 255 - (pixel >> 24)
    func level(_ shift: UInt32) -> Int { Int(((pixel >> shift & 255) + paper) * 5 + 127) / 255 }
    return min(level(16), 5) * 36 + min(level(8), 5) * 6 + min(level(0), 5)
  }
}
