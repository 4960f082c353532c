import Foundation
import PortolanGeometry
import Testing

@testable import PortolanDrawing
@testable import PortolanImages

@Suite struct PNGEncoderTests {
  /// A picture of a kind: flat, of running colours, clear in parts, of few colours.
  enum Kind: CaseIterable {
    case flat, running, clear, few, clearAndFew

    func pixel(_ column: Int, _ row: Int) -> UInt32 {
      switch self {
      case .flat: 0xFF00_0000 | UInt32((row / 3 * 40 + column / 9 * 7) & 0xFFFF)
      case .running: 0xFF00_0000 | UInt32((row * 3 & 255) << 8 | (column * 5 + row) & 255)
      case .clear: UInt32(column * 3 & 255) << 24
      case .few: column % 7 < 3 ? 0xFFAA_2010 : 0xFF00_0000 | UInt32(row % 5)
      case .clearAndFew: column < 9 ? 0 : 0x8040_2000
      }
    }

    func image(width: Int, height: Int) throws -> PixelImage {
      let pixels = (0..<(width * height)).map { pixel($0 % width, $0 / width) }
      return try #require(PixelImage(width: width, height: height, pixels: pixels))
    }
  }

  private func channels(_ pixel: UInt32) -> [Int] {
    [24, 16, 8, 0].map { Int(pixel >> $0 & 255) }
  }

  /// Whether colours are the same, but for what multiplying by alpha rounds.
  private func expectSame(_ left: PixelImage, _ right: PixelImage) {
    #expect((left.width, left.height) == (right.width, right.height))
    let isSame = zip(left.pixels, right.pixels).allSatisfy { first, second in
      zip(channels(first), channels(second)).allSatisfy {
        abs($0 - $1) <= (first >> 24 == 255 ? 0 : 1)
      }
    }
    #expect(isSame)
  }

  @Test(arguments: Kind.allCases, [1, 2, 37, 130])
  func `Written images are read back, by libpng too`(_ kind: Kind, _ width: Int) throws {
    let image = try kind.image(width: width, height: 33)
    let data = try image.pngData()
    expectSame(try ImageDecoder.decode(data), image)
    expectSame(try PNGDecoder.decodeWithLibpng(data), image)
  }

  @Test(arguments: Kind.allCases)
  func `A picture in bands is read again, by libpng too`(_ kind: Kind) async throws {
    let image = try kind.image(width: 300, height: 517)
    var files: Set<Data> = []
    for bands in [1, 2, 3] {
      let canvas = try BandedCanvas(width: 300, height: 517, kind: .pixels, concurrency: bands)
      let area = PixelPath.rectangle(.init(xMin: 0, yMin: 0, xMax: 300, yMax: 517))
      await canvas.draw([
        .image(image, ImagePlacement(transform: .identity, area: area, isSmooth: false))
      ])
      files.insert(try await canvas.data())
    }
    // The file does not depend on the number of bands either.
    #expect(files.count == 1)
    let data = try #require(files.first)
    expectSame(try ImageDecoder.decode(data), image)
    expectSame(try PNGDecoder.decodeWithLibpng(data), image)
  }

  @Test func `Few colours become a palette`() throws {
    for (kind, isClear) in [(Kind.few, false), (.clearAndFew, true)] {
      let data = try kind.image(width: 64, height: 64).pngData()
      let raster = try #require(try PNGDecoder.raster(data))
      #expect(raster.colorKind == .palette)
      #expect(raster.palette?.alphas.isEmpty == !isClear)
    }
  }

  @Test func `Colours that run are written as differences`() throws {
    let image = try Kind.running.image(width: 256, height: 256)
    #expect(try image.pngData().count < 256 * 256 / 4)
  }

  @Test func `Sums of parts add up to the sum of the whole`() {
    let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 5) }
    var sum = Adler32()
    for start in stride(from: 0, to: bytes.count, by: 9973) {
      sum.append(Adler32(of: Array(bytes[start..<min(start + 9973, bytes.count)])))
    }
    #expect(sum.value == Adler32(of: bytes).value)
  }
}
