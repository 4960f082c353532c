import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanGeometry
import PortolanTiles
import Testing

@testable import PortolanConversion

@Suite struct VectorTilePyramidTests {
  /// Half the side of the world on the Web Mercator, in metres.
  private static let half = 20_037_508.342_789_244

  private static func rows(
    _ name: String, minLevel: Int = 0, _ geometry: Geometry
  ) -> TileRows {
    var rows = TileRows(name: name, fields: [], minLevel: minLevel)
    rows.add(Feature(objectID: 1, attributes: Attributes(FieldList([]), [])), [], geometry)
    rows.finish()
    return rows
  }

  private static func tile(
    _ level: Int, _ row: Int, _ column: Int, of pyramid: VectorTilePyramid
  ) throws -> Data {
    let id = TileID(level: level, row: row, column: column)
    let tile = try #require(try pyramid.tile(at: id))
    return try Gzip.decompress(tile, limit: 1 << 20, name: "tile")
  }

  @Test func `Outlines turn as vector tiles have them`() throws {
    let half = Self.half
    let corners = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)]
    let square = Polygon(rings: [Path(corners.map { Coordinate(x: $0.0, y: $0.1) })])
    let pyramid = VectorTilePyramid(
      of: [Self.rows("a", .polygon(square))], levels: 0...0, VectorTileConversion.Limits())
    // From the bottom left corner up, to the right and down: clockwise, as y grows downwards.
    let commands = Data([9, 0, 0x80, 0x40, 26, 0, 0xFF, 0x3F, 0x80, 0x40, 0, 0, 0x80, 0x40, 15])
    #expect(try Self.tile(0, 0, 0, of: pyramid).range(of: commands) != nil)
  }

  @Test func `Of several points only those that lie in the tile are in it`() throws {
    let quarter = Self.half / 2
    let places = [Coordinate(x: -quarter, y: quarter), Coordinate(x: quarter, y: -quarter)]
    let points = Geometry.multipoint(Multipoint(points: Path(places)))
    let pyramid = VectorTilePyramid(
      of: [Self.rows("a", points)], levels: 0...1, VectorTileConversion.Limits())
    // The middle of a tile, as the five bytes of a feature's geometry.
    let point = Data([0x22, 5, 9, 0x80, 0x20, 0x80, 0x20])
    for (row, column) in [(0, 0), (1, 1)] {
      let tile = try Self.tile(1, row, column, of: pyramid)
      let found = try #require(tile.range(of: point))
      #expect(tile.range(of: Data([0x22, 5, 9]), in: found.upperBound..<tile.endIndex) == nil)
    }
    #expect(try Self.tile(1, 0, 1, of: pyramid).isEmpty)
  }

  @Test func `A layer is in no tile coarser than its first level, and the tiles are there`()
    async throws
  {
    let point = Geometry.point(Point(x: 1, y: 1))
    let pyramid = VectorTilePyramid(
      of: [Self.rows("late", minLevel: 2, point)], levels: 0...3, VectorTileConversion.Limits())
    var levelsWithLayer: Set<Int> = []
    var levels: Set<Int> = []
    try await pyramid.forEachTile { id, tile in
      levels.insert(id.level)
      let data = try Gzip.decompress(tile, limit: 1 << 20, name: "tile")
      if data.range(of: Data("late".utf8)) != nil { levelsWithLayer.insert(id.level) }
    }
    #expect(levels == [0, 1, 2, 3])
    #expect(levelsWithLayer == [2, 3])
  }

  @Test func `What is below a tile is visited only on demand`() {
    let quarter = Self.half / 2
    let pyramid = VectorTilePyramid(
      of: [Self.rows("a", .point(Point(x: -quarter, y: quarter)))], levels: 0...5,
      VectorTileConversion.Limits())
    var visited: [TileID] = []
    pyramid.visit { id, count in
      visited.append(id)
      #expect(count == 1)
      return id.level < 1
    }
    #expect(
      visited == [TileID(level: 0, row: 0, column: 0), TileID(level: 1, row: 0, column: 0)])
  }

  @Test func `Moments keep their milliseconds`() {
    let fields = [Field("SEEN", .date)]
    var rows = TileRows(name: "seen", fields: fields)
    for seconds in [0.25, 1] {
      let attributes = Attributes(
        FieldList(fields), [.date(Date(timeIntervalSince1970: seconds))])
      rows.add(Feature(objectID: 1, attributes: attributes), [0], .point(Point(x: 0, y: 0)))
    }
    // Behind the number of the member and the length of the text.
    let texts = rows.encoded.map { String(decoding: $0.dropFirst(2), as: UTF8.self) }
    #expect(texts == ["1970-01-01T00:00:00.250Z", "1970-01-01T00:00:01Z"])
  }
}
