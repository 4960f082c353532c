import PortolanGeometry
import PortolanMap
import Testing

@testable import PortolanDrawing
@testable import PortolanVectorTiles

/// Texts along steep lines, in scripts that are also written downwards.
struct TextInColumnsTests {
  /// A text in letters of an em of 24 pixels, without outlines.
  private static func text(_ text: String) -> GlyphText {
    let letters = text.unicodeScalars.enumerated().map { index, scalar in
      GlyphText.Letter(
        field: nil, advance: 20,
        center: Coordinate(x: 20 * Double(index) + 10, y: 12),
        standsUpright: TextScript.standsUpright(scalar))
    }
    return GlyphText(
      letters: letters, width: 20 * Double(letters.count), height: 24,
      style: TextStyle(size: 24, color: RGBAColor(red: 0, green: 0, blue: 0)))
  }

  /// The positions of the letters around the middle of a line of 200 pixels.
  private static func stations(
    _ text: String, from start: (Double, Double), to end: (Double, Double),
    keepsUpright: Bool = true
  ) throws -> [PixelPath.Station] {
    let curve = LabelCurve([start, end].map { Coordinate(x: $0.0, y: $0.1) })
    let place = Self.text(text).place(
      on: curve, around: 100, down: 0, keepsUpright: keepsUpright, padding: 0)
    guard case .glyphs(_, let placed)? = place?.lettering else { return [] }
    return placed.map(\.station)
  }

  @Test func `Letters are upright below each other, whichever way the line runs`() throws {
    for (start, end) in [((50.0, 0.0), (50.0, 200.0)), ((50, 200), (50, 0))] {
      let stations = try Self.stations("地圖", from: start, to: end)
      #expect(stations.map { $0.angle.rounded() } == [0, 0])
      // An em from letter to letter, each a little above its place.
      #expect(stations.map { $0.point.y.rounded() } == [86, 110])
      #expect(stations.allSatisfy { abs($0.point.x - 50) < 0.01 })
    }
  }

  @Test func `Letters of other scripts lie on their side between them`() throws {
    let stations = try Self.stations("地A圖", from: (50, 0), to: (50, 200))
    #expect(stations.map { $0.angle.rounded() } == [0, 90, 0])
    #expect(stations[1].point.y.rounded() == 100)
  }

  @Test func `Text is level on lines that go farther across than down`() throws {
    let stations = try Self.stations("地圖", from: (0, 50), to: (180, 137))
    #expect(stations.map { $0.angle.rounded() } == [26, 26])
  }

  @Test(arguments: ["Road", "地圖"])
  func `Text runs along the line where its script or the style asks for it`(
    _ text: String
  ) throws {
    let stations = try Self.stations(
      text, from: (50, 0), to: (50, 200), keepsUpright: text == "Road")
    #expect(stations.allSatisfy { [90, 270].contains($0.angle.rounded()) })
  }

  @Test func `Brackets and long marks turn with the line`() {
    let upright = "地、カｱ한Ａ・".unicodeScalars.map(TextScript.standsUpright)
    #expect(upright == [true, true, true, false, true, true, true])
    #expect("「」ー（A-".unicodeScalars.allSatisfy { !TextScript.standsUpright($0) })
  }
}
