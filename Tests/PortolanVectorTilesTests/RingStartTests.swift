import PortolanExpressions
import PortolanGeometry
import PortolanJSON
import Testing

@testable import PortolanVectorTiles

/// The start of dashes and symbols along rings, as MapLibre Native has it; y goes downwards.
struct RingStartTests {
  /// A ring that goes counterclockwise on the map, where it starts, and where it does the other way round.
  @Test(
    arguments: [
      // A topmost vertex, and several.
      ([(-30, 20), (30, 25), (10, -30), (-35, -15)], (10, -30), (10, -30)),
      ([(-35, 20), (35, 25), (30, -28), (0, -5), (-25, -28)], (30, -28), (30, -28)),
      // A level top, which may have vertices in between, or be the top of a step.
      ([(-30, 20), (30, 20), (30, -25), (-30, -25)], (-30, 20), (30, -25)),
      ([(-30, 20), (30, 20), (25, -28), (5, -28), (-20, -28)], (-30, 20), (25, -28)),
      ([(-30, 25), (30, 25), (30, -28), (10, -28), (10, 0), (-30, 0)], (10, 0), (30, -28)),
      // Two level tops, and one beside a vertex.
      (
        [(-35, 20), (35, 25), (33, -28), (20, -28), (0, -5), (-15, -28), (-25, -28)], (0, -5),
        (33, -28)
      ),
      (
        [(-35, 20), (35, 25), (30, -28), (10, -5), (-5, -28), (-25, -28)], (-35, 20), (-5, -28)
      ),
    ] as [([(Double, Double)], (Double, Double), (Double, Double))])
  func `A ring begins at its top, whichever vertex was the first`(
    _ places: [(Double, Double)], _ start: (Double, Double), _ clockwise: (Double, Double)
  ) {
    let ring = places.map { Coordinate(x: $0.0, y: $0.1) }
    for first in ring.indices {
      let turned = Array(ring[first...] + ring[..<first])
      let back = Array(turned.reversed())
      #expect(
        turned[RingStart.index(turned, isClockwise: false)] == Coordinate(x: start.0, y: start.1))
      #expect(
        back[RingStart.index(back, isClockwise: true)]
          == Coordinate(x: clockwise.0, y: clockwise.1))
    }
  }

  @Test(arguments: [[], [(0, 0)], [(0, 0), (5, 0), (9, 0)]] as [[(Double, Double)]])
  func `A ring without room begins where it did`(_ places: [(Double, Double)]) {
    let ring = places.map { Coordinate(x: $0.0, y: $0.1) }
    #expect(RingStart.index(ring, isClockwise: true) == 0)
  }

  /// A square, whether what is drawn of it begins at the left and at the top, and whether lines do.
  @Test(
    arguments: [
      ([[60, 10], [60, 50], [10, 50], [10, 10], [60, 10]], [false, false], [true, false]),
      ([[10, 10], [10, 50], [60, 50], [60, 10], [10, 10]], [true, false], [false, true]),
    ] as [([[Int]], [Bool], [Bool])])
  func `Lines along an area of GeoJSON begin at the top, and what else is drawn of it where it did`(
    _ ring: [[Int]], _ plain: [Bool], _ alongIt: [Bool]
  ) throws {
    let coordinates = JSONValue.array(
      ring.map { .array($0.map { .integer(Int64($0)) }) })
    let source = GeoJSONSource(
      ["type": "geojson", "data": ["type": "Polygon", "coordinates": [coordinates]]], name: "area")
    let world = Envelope(
      xMin: -20_037_508, yMin: -20_037_508, xMax: 20_037_508, yMax: 20_037_508)
    let placed = try #require(source.tiles(covering: world, zoom: 0)?.first)
    let layer = try #require(placed.tile.layers.first)
    let feature = try #require(layer.features.first)
    for (asLines, start) in [(false, plain), (true, alongIt)] {
      guard case .polygon(let polygon) = placed.geometry(feature, layer, asLines: asLines) else {
        Issue.record("no polygon")
        return
      }
      let ring = try #require(polygon.rings.first).coordinates
      let first = try #require(ring.first)
      #expect(Set(ring).count == 4)
      #expect([first.x == ring.map(\.x).min(), first.y == ring.map(\.y).max()] == start)
    }
  }
}
