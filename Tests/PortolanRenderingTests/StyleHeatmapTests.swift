import Foundation
import PortolanDrawing
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import Testing

@testable import PortolanRendering
@testable import PortolanVectorTiles

/// Layers of styles that blur points into densities, and those that draw buildings.
@Suite(.temporaryDirectory) struct StyleHeatmapTests {
  /// Two points that are one to the eye, a third alone, and an area; the first has the weight 2.
  private static let tile = MadeVectorTile.tile([
    (
      "points",
      [
        .init(shape: .points([(150, 256), (150, 256)]), numbers: [("rank", 1)]),
        .init(shape: .points([(350, 256)]), numbers: [("rank", 1)]),
      ]
    ),
    (
      "areas",
      [
        .init(
          shape: .area([(200, 200), (300, 200), (300, 300), (200, 300)]), numbers: [("height", 5)]),
        .init(
          shape: .area([(250, 200), (350, 200), (350, 300), (250, 300)]), numbers: [("height", 9)]),
      ]
    ),
  ])

  private static func picture(
    _ layer: JSONObject, light: JSONValue = .null
  ) async throws -> PixelImage {
    var style =
      StyledTilePictureTests.style([StyledTilePictureTests.ground, .object(layer)])
      .object ?? [:]
    style["light"] = light
    let picture = try await DrawnStyle.picture(.object(style), tile: tile)
    #expect(picture.omissions.map(\.reason) == [])
    return try PixelImage(decoding: picture.data)
  }

  /// A channel of the pixel at a place of the tile; the picture shows its middle 512 by 400.
  private static func red(_ image: PixelImage, _ x: Int, _ y: Int) -> Int {
    Int(image.pixels[(y - 56) * image.width + x] >> 16 & 255)
  }

  private static func heat(_ paint: JSONObject) -> JSONObject {
    var paint = paint
    paint["heatmap-color"] = [
      "interpolate", ["linear"], ["heatmap-density"], 0, "#000", 1, "#f00",
    ]
    return ["id": "h", "type": "heatmap", "source-layer": "points", "paint": .object(paint)]
  }

  @Test func `A point is a bell curve of its radius, and points add up`() async throws {
    let image = try await Self.picture(Self.heat(["heatmap-radius": 40]))
    // The peak of the bell curve is 1 / √2π, and at half of the radius it is exp(-9/8) of that.
    let peak = 255 / (2 * Double.pi).squareRoot()
    for (place, expected) in [
      ((350, 256), peak), ((370, 256), peak * exp(-9.0 / 8)), ((350, 226), peak * exp(-81.0 / 32)),
      ((150, 256), 2 * peak), ((250, 100), 0),
    ] {
      let found = Double(Self.red(image, place.0, place.1))
      #expect(abs(found - expected) < 4, "\(place): \(found), not \(expected)")
    }
  }

  @Test func `Weight and intensity multiply, and densities end at one`() async throws {
    let image = try await Self.picture(
      Self.heat(["heatmap-weight": ["*", 2, ["get", "rank"]], "heatmap-intensity": 0.5]))
    let plain = try await Self.picture(Self.heat([:]))
    #expect(image.pixels == plain.pixels)
    let much = try await Self.picture(Self.heat(["heatmap-intensity": 30]))
    #expect(Self.red(much, 350, 256) == 255 && Self.red(much, 150, 256) == 255)
  }

  @Test func `Roofs are lit, the higher lie above, and the layer is transparent as one`()
    async throws
  {
    func roofs(
      _ color: JSONValue, _ paint: JSONObject = [:], light: JSONValue = .null
    ) async throws
      -> PixelImage
    {
      var paint = paint
      paint["fill-extrusion-color"] = color
      paint["fill-extrusion-height"] = ["get", "height"]
      return try await Self.picture(
        [
          "id": "b", "type": "fill-extrusion", "source-layer": "areas", "paint": .object(paint),
        ], light: light)
    }
    // The grey of MapLibre under the light that styles have unless they name one.
    let grey = try await roofs("#808080")
    #expect(abs(Self.red(grey, 220, 250) - 135) <= 2)
    let dim = try await roofs("#808080", light: ["intensity": 0.2, "position": [1, 0, 90]])
    #expect(abs(Self.red(dim, 220, 250) - 109) <= 2)
    let byHeight: JSONValue = ["case", [">", ["get", "height"], 6], "#ff0000", "#000000"]
    let order = try await roofs(byHeight)
    #expect(Self.red(order, 220, 250) < 30 && Self.red(order, 275, 250) > 240)
    let veil = try await roofs("#000000", ["fill-extrusion-opacity": 0.5])
    #expect(Self.red(veil, 220, 250) == Self.red(veil, 275, 250))
    #expect((100...150).contains(Self.red(veil, 275, 250)))
  }
}
