import Foundation
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanRendering
import Testing

@Suite struct SwatchRendererTests {
  static let line: JSONObject = ["type": "esriSLS", "color": [0, 90, 160, 255], "width": 2]

  static let swatches: [(String, LegendInfo.Swatch)] = [
    (
      "marker",
      .symbol(
        Symbol(json: [
          "type": "esriSMS", "style": "esriSMSTriangle", "color": [200, 40, 40, 255], "size": 12,
          "outline": .object(line),
        ]))
    ),
    ("line", .symbol(Symbol(json: line))),
    (
      "fill",
      .symbol(
        Symbol(json: [
          "type": "esriSFS", "style": "esriSFSCross", "color": [60, 130, 70, 255],
          "outline": .object(line),
        ]))
    ),
    (
      "ramp",
      .ramp([
        ColorStop(value: 5, color: RGBAColor(red: 255, green: 255, blue: 200)),
        ColorStop(value: 20, color: RGBAColor(red: 160, green: 0, blue: 40)),
      ])
    ),
  ]

  @Test(arguments: swatches.map(\.0)) func `A line of a legend has its picture`(
    _ name: String
  ) throws {
    let swatch = try #require(Self.swatches.first { $0.0 == name }?.1)
    let data = try #require(try SwatchRenderer(pixelRatio: 2).pngData(of: swatch))
    try expectPicture(data, named: "swatch-\(name).png")
  }

  @Test func `Where nothing is drawn there is no picture`() throws {
    #expect(try SwatchRenderer().pngData(of: .none) == nil)
    let hidden = Symbol(json: ["type": "esriSFS", "style": "esriSFSNull"])
    #expect(try SwatchRenderer().pngData(of: .symbol(hidden)) == nil)
  }

  @Test func `A marker larger than the picture is shrunk into it`() throws {
    let huge = Symbol(json: ["type": "esriSMS", "color": [200, 0, 0, 255], "size": 5000])
    let image = try #require(try SwatchRenderer().image(of: .symbol(huge)))
    #expect(image.pixels.contains(0))
  }

  @Test func `A size that cannot be drawn is refused`() {
    #expect(throws: RenderingError.self) {
      try SwatchRenderer(width: 0).pngData(of: .ramp([]))
    }
  }
}
