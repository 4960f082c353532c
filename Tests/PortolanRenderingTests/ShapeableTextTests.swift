import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import Testing

@testable import PortolanDrawing
@testable import PortolanRendering

/// Texts that would keep whoever shapes them busy for minutes.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct ShapeableTextTests {
  static let hostile = [
    "e" + String(repeating: "\u{301}", count: 10_000),
    String(repeating: "\u{20DD}", count: 1_000_000),
    String(repeating: "Long ", count: 200_000),
    String(repeating: "\u{5D0}\u{200D}", count: 500_000),
  ]

  @Test func `A text that people write stays as it is`() {
    for text in ["", "Casco Bay", "Tiếng Việt", "हिन्दी", "👩‍👩‍👧‍👦", "a\0b"] {
      #expect(ShapeableText(text).text == text)
      #expect(!ShapeableText(text).isCut)
    }
    let longest = String(repeating: "a", count: ShapeableText.maximumLength)
    #expect(!ShapeableText(longest).isCut)
    #expect(ShapeableText(longest + "a").isCut)
  }

  @Test(arguments: hostile.indices)
  func `A text is cut to what can be shaped`(_ index: Int) {
    let cut = ShapeableText(Self.hostile[index])
    #expect(cut.isCut)
    #expect(cut.text.unicodeScalars.count <= ShapeableText.maximumLength)
  }

  @Test func `Marks beyond the eighth on a letter are left out, and the next letter stays`() {
    let marks = String(repeating: "\u{301}", count: 10)
    #expect(
      ShapeableText("e\(marks)x").text.unicodeScalars.map(\.value)
        == [0x65] + Array(repeating: 0x301, count: 8) + [0x78])
  }

  @Test(arguments: hostile.indices)
  func `A label of any length is drawn, and a cut is reported`(_ index: Int) async throws {
    let places: [(GeometryType, Geometry)] = [
      (.point, SmallMap.point(0, 0)), (.polyline, SmallMap.line([(-50, 0), (50, 10)])),
    ]
    for (type, place) in places {
      let layer = LabelPictureTests.layer(
        type, [SmallMap.feature(1, place, name: Self.hostile[index])],
        symbol: LabelPictureTests.dot, labels: ["labelExpression": "[NAME]"])
      let told = try await SmallMap.picture([layer]).omissions.map(\.reason)
      #expect(told.contains("A label is cut, for it is too long."))
    }
  }

  @Test(arguments: hostile.indices, ["point", "line"])
  func `A text of vector tiles of any length is drawn, and a cut is reported`(
    _ index: Int, placement: String
  ) async throws {
    let tile = MadeVectorTile.tile([
      (
        "roads",
        [
          .init(
            shape: .line([(20, 230), (120, 225), (440, 40)]),
            properties: [("name", Self.hostile[index])])
        ]
      )
    ])
    let style: JSONValue = [
      "version": 8, "sources": ["esri": ["type": "vector"]],
      "layers": [
        [
          "id": "names", "type": "symbol", "source": "esri", "source-layer": "roads",
          "layout": ["text-field": "{name}", "symbol-placement": .string(placement)],
        ]
      ],
    ]
    let told = try await DrawnStyle.picture(style, tile: tile).omissions.map(\.reason)
    #expect(told.contains("A label is cut, for it is too long."))
  }
}
