import Foundation
import PortolanGeometry
import PortolanMap
import Testing

@testable import PortolanDrawing
@testable import PortolanImages

@Suite struct ImageDecoderTests {
  static func png() throws -> Data {
    let ground = Envelope(xMin: 0, yMin: 0, xMax: 4, yMax: 4)
    return try Canvas(
      of: ground, width: 5, height: 3, background: RGBAColor(red: 200, green: 100, blue: 50)
    ).pngData()
  }

  /// A red dot of one pixel, lossless.
  static let webP = Data(
    base64Encoded: "UklGRhwAAABXRUJQVlA4TBAAAAAvAAAAAAfQ//73v/+BiOh/AAA=")

  @Test func `A PNG file becomes pixels`() throws {
    let image = try ImageDecoder.decode(Self.png())
    #expect((image.width, image.height) == (5, 3))
    #expect(image.pixels.allSatisfy { $0 == 0xFFC8_6432 })
  }

  @Test func `A WebP file becomes pixels`() throws {
    let image = try ImageDecoder.decode(try #require(Self.webP))
    #expect((image.width, image.height, image.pixels.count) == (1, 1, 1))
  }

  @Test func `Colours are multiplied by their opacity`() {
    #expect(UInt32(0x80FF_8000).premultiplied == 0x8080_4000)
    #expect(UInt32(0xFF12_3456).premultiplied == 0xFF12_3456)
  }

  @Test func `A file cut anywhere is refused`() throws {
    let data = try Self.png()
    for length in 0..<(data.count - 12) {
      #expect(throws: ImageDecodingError.self) { try ImageDecoder.decode(data.prefix(length)) }
    }
  }

  @Test func `A byte that is changed does no harm`() throws {
    let data = try Self.png()
    for index in data.indices {
      var broken = data
      broken[index] ^= 0x41
      // Whether it can still be read does not matter here.
      _ = try? ImageDecoder.decode(broken)
    }
  }

  @Test func `A file that claims billions of pixels is not unpacked`() throws {
    var data = try Self.png()
    data.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])
    #expect(throws: ImageDecodingError.tooLarge(width: 65_536, height: 65_536)) {
      try ImageDecoder.decode(data)
    }
  }

  @Test(arguments: [
    ("GIF89a", ImageDecodingError.unsupported("GIF")), ("<svg/>", .unsupported("SVG")),
    ("BM12", .unsupported("BMP")), ("hello", .notAnImage), ("", .notAnImage),
  ])
  func `A file that is no image says so`(_ text: String, _ fault: ImageDecodingError) {
    #expect(throws: fault) { try ImageDecoder.decode(Data(text.utf8)) }
  }
}
