import Foundation
import PortolanDrawing
import PortolanGeometry
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanRendering
import Testing

@Suite struct MapRendererTests {
  static let area: JSONObject = [
    "type": "esriSFS", "style": "esriSFSDiagonalCross", "color": [200, 60, 60, 255],
    "outline": ["type": "esriSLS", "color": [0, 0, 0, 255], "width": 1],
  ]

  static var layer: DrawnLayer {
    SmallMap.layer(
      .polygon,
      [
        SmallMap.feature(1, SmallMap.box(-40, -30, 50, 45)),
        SmallMap.feature(2, SmallMap.box(-10, -10, 60, 45)),
      ], symbol: area)
  }

  @Test(arguments: [2, 3, 7])
  func `A picture is the same for any number of parts drawn at a time`(_ count: Int) async throws {
    let marker: JSONObject = ["type": "esriSMS", "color": [0, 0, 200, 255], "size": 30]
    let layers = [
      Self.layer,
      SmallMap.layer(.point, [SmallMap.feature(1, SmallMap.point(0, 5))], symbol: marker),
    ]
    let frame = SmallMap.frame(rotation: 20)
    let whole = try await SmallMap.picture(layers, frame: frame, concurrency: 1)
    #expect(try await SmallMap.picture(layers, frame: frame, concurrency: count) == whole)
  }

  @Test func `A turned map on a dense screen`() async throws {
    let picture = try await SmallMap.picture(
      [Self.layer], frame: SmallMap.frame(width: 80, height: 60, rotation: 30), pixelRatio: 2)
    #expect((picture.width, picture.height) == (160, 120))
    try expectPicture(picture.data, named: "rotated.png")
    let request = MapPictureRequest(
      frame: SmallMap.frame(width: 80, height: 60, rotation: 30), pixelRatio: 2)
    try await expectEachPartIsSeen([Self.layer], request, named: "rotated.png")
  }

  @Test func `A layer that is half opaque is mixed as a whole`() async throws {
    var layer = Self.layer
    layer.opacity = 0.5
    try expectPicture(try await SmallMap.picture([layer]).data, named: "opacity.png")
    try await expectEachPartIsSeen([layer], SmallMap.request(), named: "opacity.png")
  }

  @Test func `An SVG document is the same each time`() async throws {
    var layer = Self.layer
    layer.opacity = 0.5
    let first = try await SmallMap.picture([layer], format: .svg)
    #expect(try await SmallMap.picture([layer], format: .svg) == first)
    let text = String(decoding: first.data, as: UTF8.self)
    #expect(text.contains("<svg") && text.contains("<path"))
  }

  @Test func `A layer is drawn at its own scales and those of its groups`() {
    let layer = Layer(json: ["minScale": 1000, "maxScale": 10, "opacity": 0.5])
    let group = Layer(json: ["minScale": 500, "opacity": 0.5])
    let drawn = DrawnLayer(layer: layer, content: .group, groups: [group])
    #expect(drawn.effectiveOpacity == 0.25)
    #expect([5, 10, 500, 501].map(drawn.isDrawn(atScale:)) == [false, true, true, false])
  }

  @Test(arguments: [(0.0, 10.0), (10, 0), (.nan, 5), (1e9, 1e9), (16_000, 16_000)])
  func `A size that cannot be drawn is refused`(_ width: Double, _ height: Double) async {
    await #expect(throws: RenderingError.self) {
      _ = try await SmallMap.picture([], frame: SmallMap.frame(width: width, height: height))
    }
  }

  @Test func `A layer without data is reported`() async throws {
    let layer = DrawnLayer(
      layer: Layer(json: ["title": "Roads"]), content: .unavailable(reason: "It is not there."))
    let picture = try await SmallMap.picture([layer])
    #expect(picture.omissions == [PictureOmission(layer: "Roads", reason: "It is not there.")])
  }

  @Test func `Shapes that are absurd are drawn as far as they make sense`() async throws {
    let far = 1e15
    let features = [
      SmallMap.feature(1, SmallMap.line([(-far, -far), (far, far)])),
      SmallMap.feature(2, SmallMap.line([(.nan, 0), (0, 0), (.infinity, 3)])),
      SmallMap.feature(3, nil),
    ]
    let lines = SmallMap.layer(
      .polyline, features, symbol: ["type": "esriSLS", "color": [200, 0, 0, 255], "width": 2])
    let bow = Polygon(rings: [
      Path([(-50, 0), (50, 30), (50, 0), (-50, 30), (-50, 0)].map { Coordinate(x: $0.0, y: $0.1) })
    ])
    let areas = SmallMap.layer(
      .polygon,
      [
        SmallMap.feature(1, .polygon(bow)), SmallMap.feature(2, SmallMap.box(-far, -far, far, far)),
      ], symbol: ["type": "esriSFS", "style": "esriSFSSolid", "color": [0, 0, 200, 90]])
    try expectPicture(
      try await SmallMap.picture([areas, lines]).data, named: "absurd-shapes.png")
    try await expectEachPartIsSeen(
      [areas, lines], SmallMap.request(), named: "absurd-shapes.png", features: false)
  }

  @Test func `Features in another reference are projected to that of the map`() async throws {
    let layer = SmallMap.layer(
      .point, [SmallMap.feature(1, SmallMap.point(0.0001, 0.0001))],
      drawing: [
        "renderer": [
          "type": "simple", "symbol": ["type": "esriSMS", "size": 10, "color": [200, 0, 0, 255]],
        ]
      ], reference: .wgs84)
    let picture = try await SmallMap.picture([layer])
    let empty = try await SmallMap.picture([])
    #expect(picture.omissions == [])
    #expect(picture.data != empty.data)
  }
}
