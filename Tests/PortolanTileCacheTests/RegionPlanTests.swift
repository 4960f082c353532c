import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanTileCache
import PortolanTiles
import Testing

@Suite struct RegionPlanTests {
  private func listed(_ plan: RegionPlan, level: Int) -> Set<TileID> {
    guard let rows = plan.shape.rows(level: level) else { return [] }
    return Set(
      rows.flatMap { row in
        plan.shape.columns(level: level, row: row).flatMap { columns in
          columns.map { TileID(level: level, row: row, column: $0) }
        }
      })
  }

  private static let square = Polygon(rings: [
    Path([
      Coordinate(x: 10, y: 10), Coordinate(x: 20, y: 10), Coordinate(x: 20, y: 20),
      Coordinate(x: 10, y: 20), Coordinate(x: 10, y: 10),
    ])
  ])
  private static let triangle = Polygon(rings: [
    Path([Coordinate(x: 10, y: 10), Coordinate(x: 20, y: 10), Coordinate(x: 10, y: 20)])
  ])
  private static let ring = Polygon(rings: [
    square.rings[0],
    Path([
      Coordinate(x: 12, y: 12), Coordinate(x: 18, y: 12), Coordinate(x: 18, y: 18),
      Coordinate(x: 12, y: 18),
    ]),
  ])

  private static let shapes: [TileRegion] = [
    .box(west: 10, south: 10, east: 20, north: 20),
    .box(west: 170, south: -20, east: -170, north: 20), .polygon(square), .polygon(triangle),
    .polygon(ring), .circle(center: Coordinate(x: 15, y: 15), radius: 300_000),
    .circle(center: Coordinate(x: 179, y: 60), radius: 300_000),
    .corridor(
      along: [Coordinate(x: 10, y: 10), Coordinate(x: 15, y: 12), Coordinate(x: 20, y: 20)],
      padding: 20_000),
    .corridor(along: [Coordinate(x: 175, y: 0), Coordinate(x: -175, y: 5)], padding: 20_000),
    .several([
      .box(west: 10, south: 10, east: 20, north: 20),
      .box(west: 15, south: 15, east: 25, north: 25), .polygon(triangle),
    ]), .world,
  ]

  @Test(arguments: shapes) func `The count of a plan is that of its tiles, none twice`(
    _ region: TileRegion
  ) {
    let plan = RegionPlan(region, levels: 0...9)
    for level in 0...(region == .world ? 6 : 9) {
      let tiles = listed(plan, level: level)
      #expect(plan.count(level: level) == tiles.count)
      #expect(tiles.allSatisfy { plan.contains($0) })
    }
  }

  @Test(arguments: shapes) func `A tile that is taken has its ancestors taken`(
    _ region: TileRegion
  ) {
    let plan = RegionPlan(region, levels: 3...7)
    for tile in listed(plan, level: 7) {
      if let parent = tile.parent { #expect(plan.contains(parent), "\(tile)") }
    }
  }

  @Test func `A polygon that is a box takes what the box takes`() {
    let box = RegionPlan(.box(west: 10, south: 10, east: 20, north: 20), levels: 0...10)
    let polygon = RegionPlan(.polygon(Self.square), levels: 0...10)
    for level in 0...10 { #expect(listed(box, level: level) == listed(polygon, level: level)) }
    #expect(box.count(level: 10) == 899)
  }

  @Test func `A polygon takes less than its box, and its hole takes nothing`() {
    let box = RegionPlan(.box(west: 10, south: 10, east: 20, north: 20), levels: 10...10)
    let triangle = RegionPlan(.polygon(Self.triangle), levels: 10...10)
    let ring = RegionPlan(.polygon(Self.ring), levels: 10...10)
    #expect(triangle.count < box.count * 6 / 10)
    #expect(triangle.count > box.count * 5 / 10)
    let middle = TileID(level: 10, row: 468, column: 554)
    #expect(box.contains(middle))
    #expect(!ring.contains(middle))
  }

  @Test func `The tiles of a polygon are those that have a place of it`() throws {
    let plan = RegionPlan(.polygon(Self.triangle), levels: 9...9)
    let tiles = listed(plan, level: 9)
    var seen: Set<TileID> = []
    for x in stride(from: 10.0, through: 20, by: 0.02) {
      for y in stride(from: 10.0, through: 30 - x, by: 0.02) {
        seen.insert(try TileCoords(latitude: min(y, 20), longitude: x, zoom: 9).tile)
      }
    }
    #expect(seen.subtracting(tiles).isEmpty)
    // The edge is straight on the map, so that it lies a little beside the one in degrees.
    #expect(tiles.subtracting(seen).count <= 3)
  }

  @Test func `A box whose edges lie a world or more apart is one all the same`() {
    let usual = RegionPlan(.box(west: 40, south: 0, east: 10, north: 10), levels: 3...3)
    let shifted = RegionPlan(.box(west: 400, south: 0, east: 10, north: 10), levels: 3...3)
    #expect(listed(shifted, level: 3) == listed(usual, level: 3))
    #expect(shifted.count == usual.count && shifted.count > 0)
  }

  @Test func `A circle across the antimeridian lies on both sides of it`() {
    let plan = RegionPlan(
      .circle(center: Coordinate(x: 179.9, y: 0), radius: 100_000), levels: 8...8)
    let columns = Set(listed(plan, level: 8).map(\.column))
    #expect(columns.isSubset(of: [0, 254, 255]))
    #expect(columns.contains(0))
    #expect(columns.contains(255))
  }

  /// Circles around poles, and over more than half of the world, beside what is counted by distance.
  @Test(
    arguments: [
      (Coordinate(x: 10, y: 80), 2_000_000, 4), (Coordinate(x: 10, y: -80), 2_000_000, 4),
      (Coordinate(x: 10, y: 30), 8_000_000, 3), (Coordinate(x: 10, y: 30), 8_000_000, 4),
      (Coordinate(x: 10, y: 10), 15_000_000, 4), (Coordinate(x: 0, y: 0), 19_000_000, 4),
      (Coordinate(x: 15, y: 78), 1_500_000, 5), (Coordinate(x: 170, y: 60), 4_000_000, 5),
      (Coordinate(x: 0, y: 90), 3_000_000, 4), (Coordinate(x: 0, y: 0), 30_000_000, 2),
    ] as [(Coordinate, Double, Int)])
  func `A circle holds the tiles that it touches on the ground`(
    _ center: Coordinate, _ radius: Double, _ level: Int
  ) {
    let plan = RegionPlan(.circle(center: center, radius: radius), levels: level...level)
    let taken = listed(plan, level: level)
    let side = 1 << level
    for row in 0..<side {
      for column in 0..<side {
        let tile = TileID(level: level, row: row, column: column)
        let distance = Self.distance(from: center, to: tile)
        // If the edge of a tile and the circle all but touch, either is right.
        if distance < radius * 0.998 { #expect(taken.contains(tile), "\(tile)") }
        if distance > radius * 1.002 { #expect(!taken.contains(tile), "\(tile)") }
      }
    }
  }

  /// The distance on a sphere to the nearest of many places of a tile, in metres.
  private static func distance(from center: Coordinate, to tile: TileID) -> Double {
    let side = Double(1 << tile.level)
    func latitude(_ y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y / side))) }
    let (own, steps) = (center.y * .pi / 180, 60)
    var nearest = Double.infinity
    for down in 0...steps {
      let here = latitude(Double(tile.row) + Double(down) / Double(steps))
      for across in 0...steps {
        let longitude = (Double(tile.column) + Double(across) / Double(steps)) / side * 360 - 180
        let turn = (longitude - center.x) * .pi / 180
        let cosine = sin(own) * sin(here) + cos(own) * cos(here) * cos(turn)
        nearest = min(nearest, acos(min(max(cosine, -1), 1)) * 6_371_008.8)
      }
    }
    return nearest
  }

  @Test func `A circle holds what lies within its radius`() throws {
    let center = Coordinate(x: -68.2, y: 44.3)
    let plan = RegionPlan(.circle(center: center, radius: 10_000), levels: 12...12)
    for tile in listed(plan, level: 12) {
      let ground = try #require(TileScheme.webMercator.envelope(of: tile))
      let inDegrees = try Projection(from: .webMercator, to: .wgs84).project(ground)
      let nearest = Coordinate(
        x: min(max(center.x, inDegrees.xMin), inDegrees.xMax),
        y: min(max(center.y, inDegrees.yMin), inDegrees.yMax))
      #expect(GeometryEngine.geodeticDistance(from: center, to: nearest) < 10_100)
    }
    let edge = try TileCoords(latitude: 44.3 + 0.089, longitude: -68.2, zoom: 12).tile
    #expect(plan.contains(edge))
  }

  @Test func `A corridor takes what lies within its padding, also along a track of many points`()
    throws
  {
    let track = (0..<3_000).map { index in
      Coordinate(x: -5 + Double(index) * 0.001, y: 45 + sin(Double(index) / 200))
    }
    let plan = RegionPlan(.corridor(along: track, padding: 500), levels: 0...15)
    let circles = RegionPlan(
      .several(track.map { .circle(center: $0, radius: 500) }), levels: 0...15)
    for level in [6, 11, 15] {
      let taken = Set(listed(plan, level: level))
      #expect(taken.isSuperset(of: listed(circles, level: level)))
      #expect(Double(taken.count) < 1.05 * Double(circles.count(level: level)))
    }
  }

  @Test func `Several regions that overlap count what they share once`() {
    let one = TileRegion.box(west: 10, south: 10, east: 20, north: 20)
    let plan = RegionPlan(.several([one, one, .polygon(Self.triangle)]), levels: 10...10)
    #expect(plan.count == 899)
  }

  @Test func `A billion tiles are planned at once`() {
    let world = RegionPlan(.world, levels: 0...19)
    #expect(world.count == 366_503_875_925)
    let plan = RegionPlan(.polygon(Self.ring), levels: 0...21)
    #expect(plan.count > 2_900_000_000)
  }

  @Test func `Nonsense takes nothing`() {
    for region: TileRegion in [
      .box(west: 0, south: 10, east: 1, north: 0), .box(west: .nan, south: 0, east: 1, north: 1),
      .box(west: 0, south: 86, east: 1, north: 89), .polygon(Polygon(rings: [])), .several([]),
      .corridor(along: [], padding: 10),
      .corridor(along: [Coordinate(x: 1e300, y: 0), Coordinate(x: .nan, y: 1)], padding: 10),
      .corridor(along: [Coordinate(x: 5e6, y: 6e6), Coordinate(x: 0, y: 5e6)], padding: 10),
    ] {
      #expect(RegionPlan(region, levels: 0...5).count == 0)
    }
  }

  @Test(arguments: shapes) func `A region is known again from its record`(_ region: TileRegion) {
    #expect(TileRegion(json: region.json) == region)
  }

  @Test(arguments: [
    #"{"box": [1, 2, 3, "4"]}"#, #"{"box": [1, 2, 3, 4, 5]}"#, #"{"box": [1, 2, 3, 4, null]}"#,
    #"{"polygon": [[[1, 2], [3], [4, 5]]]}"#, #"{"polygon": [7]}"#,
    #"{"circle": [1, 2]}"#, #"{"corridor": [[1, 2]]}"#,
    #"{"corridor": [[1, 2], "3"], "padding": 5}"#,
    #"{"several": [{"box": [1, 2, 3, 4]}, {"circle": [1]}]}"#, "[]", "{}",
  ])
  func `A record of which a part makes no sense is none`(_ text: String) throws {
    #expect(TileRegion(json: try JSONValue(parsing: text)) == nil)
  }
}
