import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import Testing

@testable import PortolanDrawing
@testable import PortolanRendering

/// Sections of labels that look different, and the room that labels take.
@Suite struct FormattedLabelTests {
  @Test func `Tags become sections, counted in bytes`() throws {
    let markup = LabelMarkup("É <BOL>Main <CLR red='200'>St</CLR></BOL> 1<SUP>2</SUP>")
    #expect(markup.plain == "É Main St 12")
    #expect(markup.sections.map(\.bytes) == [3..<8, 8..<10, 12..<13])
    #expect(markup.sections.map(\.look.isBold) == [true, true, nil])
    #expect(markup.sections[1].look.color == RGBAColor(red: 200, green: 0, blue: 0))
    #expect(markup.sections[2].look.rise > 0)
    #expect(!markup.hasTagsNotDrawn)
    #expect(LabelMarkup("<SCP>x</SCP>").hasTagsNotDrawn)
    #expect(LabelMarkup("<ACP>x</ACP>y").plain == "Xy")
  }

  @Test func `Tags without end are bounded`() {
    let text = String(repeating: "<BOL><CLR red='1'>x", count: 2000)
    let markup = LabelMarkup(text)
    #expect(markup.plain.count == 2000)
    #expect(markup.sections.count <= 200)
  }

  static func layer(_ text: String, _ type: GeometryType = .point) -> DrawnLayer {
    let geometry =
      type == .point
      ? SmallMap.point(-40, 0)
      : SmallMap.line([(-140, -12), (-60, -4), (0, 0), (60, 0), (140, -6)])
    return LabelPictureTests.layer(
      type, [SmallMap.feature(1, geometry, name: text)],
      symbol: type == .point
        ? LabelPictureTests.dot : ["type": "esriSLS", "color": [90, 140, 200, 255], "width": 1],
      labels: ["labelExpression": "[NAME]"])
  }

  static let formatted =
    "Route <BOL>66</BOL> <CLR red='200'><ITA>scenic</ITA></CLR> <UND>old</UND> m<SUP>2</SUP>"

  @Test(arguments: [GeometryType.point, .polyline])
  func `Sections are drawn as they say`(_ type: GeometryType) async throws {
    let frame = SmallMap.frame(width: 300, height: 70)
    let picture = try await SmallMap.picture([Self.layer(Self.formatted, type)], frame: frame)
    let plain = try await SmallMap.picture(
      [Self.layer(LabelMarkup(Self.formatted).plain, type)], frame: frame)
    #expect(picture.omissions == [])
    #expect(picture.data != plain.data)
  }

  @Test func `Sections look as they did`() async throws {
    let layer = Self.layer(Self.formatted)
    let request = SmallMap.request(width: 200, height: 70)
    try expectPicture(
      try await MapRenderer(layers: [layer]).picture(request).data, named: "labels-formatted.png")
    try await expectEachPartIsSeen([layer], request, named: "labels-formatted.png")
  }

  /// The font of the recorded pictures, in its version on Debian 12: other letters have other boxes.
  @Test(arguments: [("Place 1", 8.0, 29.0, 10.0), ("Carriage Road", 20, 141, 24)])
  func `Letters are those of the font that pictures are recorded with`(
    _ text: String, _ size: Double, _ width: Double, _ height: Double
  ) throws {
    let typesetter = try #require(Typesetter())
    typesetter.set(text, in: TextStyle(family: "DejaVu Sans", size: size, color: .black))
    #expect(typesetter.box == Envelope(xMin: 0, yMin: 0, xMax: width, yMax: height))
  }
}
