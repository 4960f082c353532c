import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import Testing

@testable import PortolanImages

/// Pies at features.
struct PieChartTests {
  /// The pie of the shares of a feature, 40 pixels wide around 60, 40, with a black outline.
  private static func pie(
    value: Double, other: Double, hole: Double = 0
  ) async throws -> PixelImage {
    let picture = try await SmallMap.picture([
      SmallMap.layer(
        .point, [SmallMap.feature(1, SmallMap.point(0, 0), value: value, other: other)],
        drawing: [
          "renderer": [
            "type": "pieChart", "size": 30, "holePercentage": .number(hole),
            "attributes": [
              ["field": "VALUE", "color": [200, 40, 40, 255]],
              ["field": "OTHER", "color": [40, 40, 200, 255]],
            ],
            "outline": [
              "type": "esriSLS", "style": "esriSLSSolid", "color": [0, 0, 0, 255], "width": 3,
            ],
          ]
        ])
    ])
    return try ImageDecoder.decode(picture.data)
  }

  private static func color(_ image: PixelImage, _ x: Int, _ y: Int) -> [Int] {
    let pixel = image.pixels[y * image.width + x]
    return [16, 8, 0].map { Int(pixel >> $0 & 255) }
  }

  @Test(arguments: [0, 0.4]) func `A slice that is the whole pie has no sides`(
    _ hole: Double
  ) async throws {
    let whole = try await Self.pie(value: 5, other: 0, hole: hole)
    #expect(Self.color(whole, 60, 27) == [200, 40, 40])
    #expect(Self.color(whole, 60, 40) == (hole > 0 ? [255, 255, 255] : [200, 40, 40]))
    #expect(Self.color(whole, 60, 20) == [0, 0, 0])
    let halves = try await Self.pie(value: 5, other: 5, hole: hole)
    #expect(Self.color(halves, 60, 27) == [0, 0, 0])
  }
}
