import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import Testing

@testable import PortolanImages
@testable import PortolanRendering

@Suite struct DecorationTests {
  @Test func `A scale bar and lines of longitude and latitude help to read the map`() async throws {
    var frame = SmallMap.frame(width: 240, height: 160)
    frame.center = Coordinate(x: -7_600_000, y: 5_500_000)
    frame.scale *= 2000
    let picture = try await MapRenderer(layers: []).picture(
      MapPictureRequest(frame: frame, decorations: [.scaleBar, .graticule]))
    try expectPicture(picture.data, named: "decorations.png")
  }

  @Test func `On a page, the degrees of lines stand at the edges of the map`() async throws {
    let layout = PageLayout(title: "Lines", legend: [])
    var frame = SmallMap.frame(width: 500, height: 400)
    frame.center = Coordinate(x: -7_600_000, y: 5_500_000)
    frame.scale *= 2000
    var request = MapPictureRequest(frame: layout.page(showing: frame), decorations: [.graticule])
    request.layout = layout
    let picture = try await MapRenderer(layers: []).picture(request)
    let image = try PixelImage(decoding: picture.data)
    let box = layout.mapBox(width: 500, height: 400)
    // Digits are darker than lines.
    var count = 0
    for y in Int(box.yMax) - 14..<Int(box.yMax) - 2 {
      for x in Int(box.xMin) + 2..<Int(box.xMax) - 2
      where image.pixels[y * image.width + x] >> 16 & 0xFF < 0x80 { count += 1 }
    }
    #expect(count > 20)
  }

  @Test func `Long titles and names of layers stay on a page`() async throws {
    let words = String(repeating: "WIDE WORDS ", count: 30)
    let layout = PageLayout(title: words, legend: [.init(title: words, entries: [])])
    let frame = SmallMap.frame(width: 400, height: 300)
    var request = MapPictureRequest(frame: layout.page(showing: frame))
    request.layout = layout
    let picture = try await MapRenderer(layers: []).picture(request)
    let image = try PixelImage(decoding: picture.data)
    let edges = image.pixels.indices.filter { index in
      let (x, y) = (index % image.width, index / image.width)
      return x < 2 || x >= image.width - 2 || y < 1
    }
    #expect(edges.allSatisfy { image.pixels[$0] & 0xFFFFFF == 0xFFFFFF })
    #expect(image.pixels.contains { $0 & 0xFFFFFF < 0x808080 })
  }

  @Test(arguments: [(1.0, 1.0), (1.9, 1), (2, 2), (7, 5), (49, 20), (0.6, 0.5)])
  func `A bar is a round number long`(_ value: Double, _ expected: Double) {
    #expect(abs(ScaleBar.roundNumber(below: value) - expected) < 1e-9)
  }

  @Test func `Selected features are set off`() async throws {
    let symbol: JSONObject = ["type": "esriSMS", "color": [90, 90, 90, 255], "size": 10]
    let layer = SmallMap.layer(
      .point,
      [
        SmallMap.feature(1, SmallMap.point(-20, 0)), SmallMap.feature(2, SmallMap.point(20, 0)),
      ], drawing: ["renderer": ["type": "simple", "symbol": .object(symbol)]],
      json: ["id": "points"])
    var request = MapPictureRequest(frame: SmallMap.frame())
    request.selection = ["points": [2]]
    let picture = try await MapRenderer(layers: [layer]).picture(request)
    try expectPicture(picture.data, named: "selection.png")
  }
}
