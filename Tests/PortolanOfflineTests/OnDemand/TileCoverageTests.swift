import Foundation
import PortolanGeometry
import PortolanTiles
import Testing

@testable import PortolanOffline

/// Tiles counted by the shape of an area, held against looking at each tile of its box.
struct TileCoverageTests {
  private static let scheme = TileScheme.webMercator(tileSide: 256, levels: 0...19)
  private static let center = Coordinate(x: -7_800_000, y: 5_400_000)

  /// A ring with as many corners as that, some of them far in.
  private static func star(_ corners: Int, _ radius: Double, turned: Double = 0) -> Polygon {
    var points = (0..<corners).map { number in
      let angle = 2 * Double.pi * Double(number) / Double(corners) + turned
      let reach = number.isMultiple(of: 2) ? radius : radius * 0.35
      return Coordinate(
        x: center.x + reach * cos(angle), y: center.y + reach * sin(angle))
    }
    points.append(points[0])
    return Polygon(rings: [Path(points)])
  }

  private static func ring(_ half: Double) -> Path {
    let signs = [(-1.0, -1.0), (-1, 1), (1, 1), (1, -1), (-1, -1)]
    return Path(signs.map { Coordinate(x: center.x + $0.0 * half, y: center.y + $0.1 * half) })
  }

  private static let shapes: [Polygon] = [
    star(3, 90_000), star(8, 150_000, turned: 0.3), star(40, 60_000, turned: 1.1), star(5, 700),
    // A frame around a hole, whose tiles are not wanted.
    Polygon(rings: [ring(200_000), Path(ring(120_000).coordinates.reversed())]),
    // Two islands.
    Polygon(rings: [
      ring(3000), Path(ring(20_000).coordinates.map { .init(x: $0.x + 90_000, y: $0.y) }),
    ]),
  ]

  private func slow(_ polygon: Polygon, _ range: TileRange) -> [TileID] {
    range.filter { tile in
      // A hair less than a tile, since what only touches its edge is not in it.
      guard let box = Self.scheme.envelope(of: tile) else { return false }
      let hair = box.width * 2e-6
      let inner = Envelope(
        xMin: box.xMin + hair, yMin: box.yMin + hair, xMax: box.xMax - hair, yMax: box.yMax - hair)
      return Geometry.polygon(polygon).intersects(inner)
    }
  }

  @Test(arguments: shapes.indices, [4, 7, 9, 10])
  func `The tiles that a polygon touches are counted, and no others`(
    _ index: Int, _ level: Int
  ) throws {
    let polygon = Self.shapes[index]
    let coverage = try #require(
      TileCoverage(
        of: OfflineArea(polygon, .webMercator), within: nil, level: level, in: Self.scheme))
    let tiles = slow(polygon, coverage.bounds)
    #expect(coverage.count == tiles.count)
    #expect(coverage.tiles(at: Array(0..<coverage.count)) == tiles)
  }

  @Test func `The tiles of a box are counted without looking at any`() throws {
    let box = Envelope(xMin: -20_000_000, yMin: -20_000_000, xMax: 20_000_000, yMax: 20_000_000)
    let coverage = try #require(
      TileCoverage(of: OfflineArea(box, .webMercator), within: nil, level: 19, in: Self.scheme))
    #expect(coverage.count == coverage.bounds.count && coverage.count > 1 << 37)
    #expect(coverage.tiles(at: [0, coverage.count - 1]).last?.level == 19)
  }

  @Test func `A polygon of the whole world is counted in no time at the deepest level`() throws {
    let ring = Path(
      [(-1.0, -1.0), (-1, 1), (1, 1), (1, -1), (-1, -1)].map {
        Coordinate(x: $0.0 * 20_000_000, y: $0.1 * 20_000_000)
      })
    let area = OfflineArea(Polygon(rings: [ring]), .webMercator)
    let coverage = try #require(
      TileCoverage(of: area, within: nil, level: 19, in: Self.scheme))
    let share = Double(coverage.count) / Double(coverage.bounds.count)
    #expect(share > 0.99 && share < 1.01)
  }

  @Test func `Where a service has nothing there are no tiles`() {
    let area = OfflineArea(Self.shapes[0], .webMercator)
    let elsewhere = Envelope(xMin: 0, yMin: 0, xMax: 1000, yMax: 1000)
    #expect(TileCoverage(of: area, within: elsewhere, level: 8, in: Self.scheme) == nil)
    #expect(TileCoverage(of: area, within: nil, level: 33, in: Self.scheme) == nil)
  }
}
