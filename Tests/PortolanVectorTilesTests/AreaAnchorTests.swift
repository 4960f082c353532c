import Foundation
import PortolanGeometry
import Testing

@testable import PortolanDrawing
@testable import PortolanVectorTiles

/// The positions of the symbols of areas.
struct AreaAnchorTests {
  private static func anchors(_ rings: [[Coordinate]], extent: Double) -> [Coordinate] {
    let feature = VectorTileFeature(
      id: nil, kind: .polygon, properties: FeatureProperties(), paths: rings)
    let layer = VectorTileLayer(name: "", extent: extent, features: [feature])
    let ground = Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1)
    let tile = PlacedVectorTile(
      tile: VectorTile(layers: [layer]), extent: ground, drawn: ground)
    return PlacedFeature(feature: feature, tile: tile, layer: layer).areas
      .compactMap { StylePainter.anchor($0) }
  }

  private static let angle: [[(Double, Double)]] = [
    [(1000, 1000), (1400, 1000), (1400, 1130), (1150, 1130), (1150, 1300), (1000, 1300)]
  ]
  private static let frame: [[(Double, Double)]] = [
    [(0, 0), (3000, 0), (3000, 1000), (0, 1000)],
    [(200, 200), (200, 800), (1900, 800), (1900, 200)],
  ]
  private static let triangle: [[(Double, Double)]] = [[(100, 100), (900, 300), (400, 1100)]]

  /// The numbers are those of the search that MapLibre makes in coordinates of which a tile has 8192 along a
  /// side, as near as 16.
  @Test(
    arguments: [
      (angle, (1084.375, 1084.375)), (frame, (2500.0, 500.0)), (triangle, (481.25, 468.75)),
    ] as [([[(Double, Double)]], (Double, Double))], [8192.0, 4096, 131_072])
  func `The symbol of an area is where MapLibre has it, whatever the tile counts in`(
    _ area: ([[(Double, Double)]], (Double, Double)), _ extent: Double
  ) throws {
    let unit = extent / 8192
    let rings = area.0.map { $0.map { Coordinate(x: $0.0 * unit, y: $0.1 * unit) } }
    let anchors = Self.anchors(rings, extent: extent)
    try #require(anchors.count == 1)
    #expect(abs(anchors[0].x - area.1.0) < 1e-6 && abs(anchors[0].y - area.1.1) < 1e-6)
  }

  @Test func `The symbol of an area with thousands of vertices is where it is widest`() throws {
    // A disc with a long tail, whose longest level stretch has its middle in the tail.
    let disc = (1..<4000).map { number -> Coordinate in
      let angle = Double(number) / 4000 * 2 * .pi
      return Coordinate(x: 2000 + 1000 * cos(angle), y: 4000 + 1000 * sin(angle))
    }
    let tail = [Coordinate(x: 8000, y: 3990), Coordinate(x: 8000, y: 4010)]
    let anchors = Self.anchors([disc + tail], extent: 8192)
    try #require(anchors.count == 1)
    #expect(PixelPath.distance(anchors[0], Coordinate(x: 2000, y: 4000)) < 20)
  }

  @Test(.timeLimit(.minutes(1)))
  func `The symbol of an area that is very much longer than wide is found at once`() throws {
    let length = 1e15
    let anchors = Self.anchors(
      [
        [
          Coordinate(x: 0, y: 0), Coordinate(x: length, y: 0), Coordinate(x: length, y: 1),
          Coordinate(x: 0, y: 1),
        ]
      ], extent: 8192)
    try #require(anchors.count == 1)
    #expect(anchors[0].y == 0.5)
  }
}
