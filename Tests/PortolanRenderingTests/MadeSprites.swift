import Foundation
import PortolanImages

/// Icons made for tests: `i` in colours, `s` a shape that takes any colour.
enum MadeSprites {
  static func resources() throws -> [(path: String, data: Data)] {
    [
      ("sprites/sprite.json", Data(index.utf8)), ("sprites/sprite.png", try picture()),
      ("fonts/Strokes/0-255.pbf", MadeGlyphs.range),
    ]
  }

  private static let index = """
    {"i":{"x":0,"y":0,"width":12,"height":12,"pixelRatio":1},
    "s":{"x":12,"y":0,"width":20,"height":12,"pixelRatio":1,"sdf":true},
    "p":{"x":32,"y":0,"width":12,"height":12,"pixelRatio":1},
    "rigid":{"x":32,"y":0,"width":12,"height":12,"stretchX":[[4,8]],"pixelRatio":1},
    "outside":{"x":40,"y":8,"width":20,"height":12,"pixelRatio":1},
    "absurd":{"x":-1,"y":0,"width":4000000000,"height":9223372036854775807,"pixelRatio":0}}
    """

  /// Red over blue, the distances from the edge of a disk, a white plate with an edge.
  private static func picture() throws -> Data {
    let pixels = (0..<12).flatMap { row in
      (0..<44).map { column -> UInt32 in
        if column >= 32 {
          let isEdge = [32, 43].contains(column) || [0, 11].contains(row)
          return isEdge ? 0xFF50_6070 : 0xFFFF_FFFF
        }
        guard column >= 12 else { return row < 6 ? 0xFFC0_2020 : 0xFF20_20C0 }
        let (x, y) = (Double(column) - 21.5, Double(row) - 5.5)
        let distance = (x * x + y * y).squareRoot() - 3
        let alpha = UInt32(min(max(0.75 - distance / 8, 0), 1) * 255)
        return alpha << 24
      }
    }
    guard let image = PixelImage(width: 44, height: 12, pixels: pixels) else { return Data() }
    return try image.pngData()
  }
}
