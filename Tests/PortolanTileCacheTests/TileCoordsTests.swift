import PortolanGeometry
import PortolanTileCache
import PortolanTiles
import Testing

@Suite struct TileCoordsTests {
  @Test func `Latitude 10, longitude 20 is tile 568, 483 of level 10`() throws {
    let tile = try TileCoords(latitude: 10, longitude: 20, zoom: 10).tile
    #expect(tile == TileID(level: 10, row: 483, column: 568))
  }

  @Test(arguments: [(85.0511, 0), (-85.0511, 1023)])
  func `The world ends at its first and last row`(_ latitude: Double, _ row: Int) throws {
    #expect(try TileCoords(latitude: latitude, longitude: 0, zoom: 10).tile.row == row)
  }

  @Test(arguments: 0...25)
  func `The world ends at its first and last row on every level`(_ level: Int) throws {
    let last = TileCoords.maxTile(forZoom: level)
    #expect(try TileCoords(latitude: 85.0511, longitude: 0, zoom: level).tile.row == 0)
    #expect(try TileCoords(latitude: -85.0511, longitude: 0, zoom: level).tile.row == last)
    let regions: [TileRegion] = [
      .world, .box(west: 0, south: -90, east: 1, north: 90),
      .polygon(
        Polygon(rings: [
          Path([
            Coordinate(x: 0, y: 89), Coordinate(x: 1, y: 89), Coordinate(x: 1, y: -89),
            Coordinate(x: 0, y: -89), Coordinate(x: 0, y: 89),
          ])
        ])),
    ]
    for region in regions {
      #expect(RegionShape(region).rows(level: level) == 0..<last + 1)
    }
  }

  @Test(arguments: [(88.0, 0), (-88.0, 33_554_431)])
  func `A circle around what lies beyond the map reaches its edge`(
    _ latitude: Double, _ row: Int
  ) {
    let center = Coordinate(x: 10, y: latitude)
    let shape = RegionShape(.circle(center: center, radius: 500_000))
    #expect(shape.rows(level: 25)?.contains(row) == true)
    #expect(!shape.columns(level: 25, row: row).isEmpty)
  }

  @Test(arguments: [(-180.0, 0), (179.99, 1023)])
  func `The world ends at its first and last column`(_ longitude: Double, _ column: Int) throws {
    #expect(try TileCoords(latitude: 0, longitude: longitude, zoom: 10).tile.column == column)
  }

  @Test(arguments: [-85.0512, 86, -86]) func `Latitudes beyond the map are refused`(
    _ latitude: Double
  ) {
    #expect(throws: TileCacheError.badLatitude(latitude)) {
      try TileCoords(latitude: latitude, longitude: 0, zoom: 10)
    }
  }

  @Test(arguments: [180.0, -180.1]) func `Longitudes beyond the world are refused`(
    _ longitude: Double
  ) {
    #expect(throws: TileCacheError.badLongitude(longitude)) {
      try TileCoords(latitude: 0, longitude: longitude, zoom: 10)
    }
  }

  @Test func `Levels and tiles that do not exist are refused`() {
    #expect(throws: TileCacheError.badZoom(30)) {
      try TileCoords(latitude: 0, longitude: 0, zoom: 30)
    }
    let beyond = TileID(level: 10, row: 0, column: 1024)
    #expect(throws: TileCacheError.badTile(beyond)) { try TileCoords(beyond) }
  }

  @Test func `A range of levels does not mind the order`() throws {
    let range = try #require(ZoomRange(2, 1))
    #expect(range.levels == 1...2)
    #expect(range.count == 2)
    #expect(ZoomRange(30, 2) == nil)
    #expect(ZoomRange(3, 3)?.count == 1)
  }
}

@Suite struct TileCoordsRegionTests {
  private func region(
    _ top: Double, _ left: Double, _ bottom: Double, _ right: Double, _ zoom: ZoomRange?
  ) throws -> TileCoordsRegion {
    let zoom = try #require(zoom)
    let region = try TileCoordsRegion(
      topLeft: (top, left), bottomRight: (bottom, right), zoomRange: zoom)
    return try #require(region)
  }

  @Test func `From 85 N 100 W to 85 S 100 E there are 570 by 1022 tiles on level 10`() throws {
    let region = try region(85, -100, -85, 100, ZoomRange(10, 10))
    let ranges = region.tileRanges(forZoom: 10)
    #expect(ranges.map(\.columns.count) == [570])
    #expect(ranges.map(\.rows.count) == [1022])
    #expect(region.count == 582_540)
  }

  @Test func `Across the antimeridian there are two rectangles`() throws {
    let region = try region(85, 100, -85, -100, ZoomRange(10, 10))
    let ranges = region.tileRanges(forZoom: 10)
    #expect(ranges.map(\.columns.count) == [228, 228])
    #expect(ranges.map(\.rows.count) == [1022, 1022])
    #expect(ranges.map(\.columns) == [0..<228, 796..<1024])
  }

  @Test func `The world has 1365 tiles to level 5 and 366503875925 to level 19`() throws {
    let world = { (zoom: Int) in
      try self.region(85.0511, -180, -85.0511, 179.99999999, ZoomRange(0, zoom))
    }
    #expect(try world(5).count == 1365)
    #expect(try world(19).count == 366_503_875_925)
    #expect(try world(22).count(forZoom: 22) == 1 << 44)
  }

  @Test func `From 20 N 10 E to 10 N 20 E there are 899 tiles on level 10`() throws {
    #expect(try region(20, 10, 10, 20, ZoomRange(10, 10)).count == 899)
  }

  @Test func `A degree around null island has 179196 tiles on levels 1 to 16`() throws {
    #expect(try region(1, -1, -1, 1, ZoomRange(1, 16)).count == 179_196)
  }

  @Test func `A region whose top is south of its bottom is none`() throws {
    let zoom = try #require(ZoomRange(1, 2))
    let upsideDown = try TileCoordsRegion(
      topLeft: (10, 10), bottomRight: (20, 20), zoomRange: zoom)
    #expect(upsideDown == nil)
  }

  @Test(arguments: [
    TileRange(level: 3, rows: 1..<4, columns: 2..<6),
    TileRange(level: 3, rows: 1..<2, columns: 0..<5),
    TileRange(level: 3, rows: 0..<5, columns: 4..<5),
  ])
  func `A range is walked through tile by tile`(_ range: TileRange) {
    #expect(Array(range).count == range.rows.count * range.columns.count)
    #expect(Set(Array(range)).count == range.count)
  }
}
