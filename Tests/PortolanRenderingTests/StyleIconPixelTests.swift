import Foundation
import PortolanJSON
import PortolanPackages
import PortolanTiles
import Testing

@testable import PortolanImages

/// The position of the pixels of icons on those of the picture.
struct StyleIconPixelTests {
  /// The picture of a black bar of 12 by 4 pixels.
  private static func picture(
    _ layout: JSONObject, _ geometry: JSONValue, pixelsOfBar: Double = 1
  ) async throws -> PixelImage {
    let bar = try #require(
      PixelImage(width: 12, height: 4, pixels: Array(repeating: 0xFF00_0000, count: 48)))
    let sprite = StyleSprite(
      index: [
        "bar": ["x": 0, "y": 0, "width": 12, "height": 4, "pixelRatio": .number(pixelsOfBar)]
      ],
      image: try bar.pngData())
    var layout = layout
    layout["icon-image"] = "bar"
    let picture = try await StyledWorld.picture(
      [
        "version": 8,
        "sources": [
          "place": [
            "type": "geojson",
            "data": ["type": "Feature", "properties": ["n": 1], "geometry": geometry],
          ]
        ],
        "layers": [
          ["id": "bar", "type": "symbol", "source": "place", "layout": .object(layout)]
        ],
      ], sprites: [sprite])
    #expect(picture.omissions == [])
    return picture.image
  }

  @Test(
    arguments: [
      ([:], false), (["icon-size": 1, "icon-rotate": 0], false),
      (["icon-rotation-alignment": "viewport"], false),
      (["icon-rotate": ["step", ["zoom"], 0, 3, 20]], false),
      (["icon-rotation-alignment": "map"], true),
      (["icon-rotate": ["case", ["has", "n"], 0, 20]], true),
      (["icon-size": ["case", ["has", "n"], 1, 2]], true),
      (["icon-size": ["step", ["zoom"], 1, 3, 2]], true),
    ] as [(JSONObject, Bool)])
  func `An icon lies on pixels of the picture unless it may turn or have another size`(
    _ layout: JSONObject, _ isSmooth: Bool
  ) async throws {
    // Half a pixel to the right of the middle.
    let image = try await Self.picture(
      layout, ["type": "Point", "coordinates": [0.351_562_5, 0]])
    let colors = Set(image.pixels)
    #expect(colors.contains(0xFF00_0000) && colors.contains(0xFFFF_FFFF))
    #expect((colors.count > 2) == isSmooth)
  }

  @Test func `An icon that is drawn smaller does not lie on pixels, though its own come to fit`()
    async throws
  {
    let image = try await Self.picture(
      ["icon-size": 0.5], ["type": "Point", "coordinates": [0.351_562_5, 0]], pixelsOfBar: 0.5)
    #expect(Set(image.pixels).count > 2)
  }

  @Test func `An icon on a line has the direction of the line under its middle`() async throws {
    // From the left to the middle of the picture, and a pixel less far down from there.
    let image = try await Self.picture(
      ["symbol-placement": "line-center"],
      ["type": "LineString", "coordinates": [[-71.015_625, 0], [0, 0], [0, -57.333]]])
    let rows = Set(image.pixels.indices.filter { image.pixels[$0] != 0xFFFF_FFFF }.map { $0 / 512 })
    #expect(rows == [254, 255, 256, 257])
  }
}
