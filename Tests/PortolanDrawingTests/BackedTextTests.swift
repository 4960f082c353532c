import PortolanGeometry
import PortolanImages
import PortolanMap
import Testing

@testable import PortolanDrawing

@Suite struct BackedTextTests {
  @Test func `What is behind a text of several lines holds all of it`() async throws {
    var style = TextStyle(size: 12, color: .black)
    style.backgroundColor = RGBAColor(red: 0, green: 255, blue: 0)
    style.maximumWidth = 90
    let image = try await Self.image(
      TextRun(
        text: "Office of Geographic Information, Department of Transportation", style: style,
        position: Coordinate(x: 196, y: 97), anchor: Coordinate(x: 1, y: 1)))

    let backing = Self.box(of: image) { $0 & 0xFF00FF == 0 && $0 >> 8 & 255 > 250 }
    let letters = Self.box(of: image) { $0 >> 8 & 255 < 100 }
    #expect(backing.contains(letters), "\(letters) in \(backing)")
    // Several lines, at the lower right.
    #expect(letters.height > 20 && letters.width <= 90)
    #expect(backing.xMin > 90 && backing.xMax >= 195 && backing.yMax >= 95, "\(backing)")
  }

  @Test func `A line under letters is under them`() async throws {
    var style = TextStyle(size: 20, color: .black)
    func letters(isUnderlined: Bool) async throws -> Envelope {
      style.isUnderlined = isUnderlined
      let image = try await Self.image(
        TextRun(text: "HILL", style: style, position: Coordinate(x: 150, y: 60)))
      return Self.box(of: image) { $0 & 255 < 100 }
    }
    let plain = try await letters(isUnderlined: false)
    let underlined = try await letters(isUnderlined: true)
    #expect(abs(underlined.xMin - plain.xMin) < 4 && abs(underlined.xMax - plain.xMax) < 4)
    #expect(underlined.yMin == plain.yMin && underlined.yMax > plain.yMax)
  }

  private static func image(_ run: TextRun) async throws -> PixelImage {
    let page = Envelope(xMin: 0, yMin: 0, xMax: 200, yMax: 100)
    let canvas = try BandedCanvas(width: 200, height: 100, kind: .pixels, concurrency: 1)
    await canvas.draw([.fill(.rectangle(page), .solid(.white)), .text(run)])
    return try await canvas.image()
  }

  /// The box around the pixels of a kind.
  private static func box(of image: PixelImage, where isWanted: (UInt32) -> Bool) -> Envelope {
    image.pixels.indices.filter { isWanted(image.pixels[$0]) }.reduce(into: .empty) { box, index in
      box.include(
        Coordinate(x: Double(index % image.width), y: Double(index / image.width)))
    }
  }
}
