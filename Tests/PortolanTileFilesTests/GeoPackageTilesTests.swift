import Foundation
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

@Suite(.needsSharedFiles) struct GeoPackageTilesTests {
  static func open(_ name: String) throws -> GeoPackageTiles {
    try GeoPackageTiles.open(SharedFiles.url("samples/geopackage/\(name).gpkg"))
  }

  static func rows(_ name: String, _ sql: String) throws -> Int64 {
    let connection = try Connection(
      at: SharedFiles.url("samples/geopackage/\(name).gpkg"), access: .immutable)
    let query = try connection.query(sql)
    return try query.step() ? query.integer(at: 0) : 0
  }

  @Test(arguments: [
    ("byte", ["byte"]), ("raster_and_vector", ["byte"]),
    ("js-example", ["OSM", "OSM_2", "webp_tiles"]),
    ("domains", []), ("poly_golden_gpkg_1_4", []), ("relation_mapping_table", []),
    ("no_envelope", []), ("2d_envelope", []), ("3d_envelope", []),
  ])
  func `The tables of tiles are found`(_ name: String, _ tables: [String]) throws {
    let file = try Self.open(name)
    #expect(file.tables.map(\.tableName) == tables)
    #expect(file.problems.isEmpty)
  }

  @Test(arguments: ["byte", "raster_and_vector", "js-example", "java_example"])
  func `Every tile of every table is read`(_ name: String) async throws {
    for table in try Self.open(name).tables {
      let sql = "SELECT count(*) FROM \(SQLIdentifier.quoted(table.tableName))"
      var count: Int64 = 0
      for try await id in table.tileIDs {
        let tile = try #require(try table.tile(at: id))
        #expect(tile.format == (table.info.declaredFormat == "webp" ? .webp : .png))
        count += 1
        #expect(table.info.scheme.envelope(of: id) != nil)
      }
      #expect(count == (try Self.rows(name, sql)))
      #expect(try table.tileCounts().values.reduce(0, +) == Int(count))
    }
  }

  @Test func `Coverages are named, and not taken for pictures`() throws {
    let file = try Self.open("java_example")
    #expect(file.tables.count == 15)
    #expect(file.problems.keys.sorted() == ["coverage_png", "coverage_tiff"])
  }

  @Test func `Tiles lie where the matrix says, in any reference`() throws {
    let table = try #require(try Self.open("byte").table(named: "BYTE"))
    #expect(table.info.scheme.spatialReference.wkid == 26711)
    let ground = table.info.scheme.envelope(of: TileID(level: 0, row: 0, column: 0))
    #expect(ground == Envelope(xMin: 440_720, yMin: 3_735_960, xMax: 456_080, yMax: 3_751_320))
    let degrees = try #require(try Self.open("java_example").table(named: "bit_systems_wgs84"))
    #expect(degrees.info.scheme.spatialReference.isWGS84)
    #expect(degrees.info.scheme.levels.allSatisfy { $0.verticalResolution != nil })
    let first = try #require(degrees.info.scheme.envelope(of: TileID(level: 15, row: 0, column: 0)))
    #expect(abs(first.yMin - 39.71563813479632) < 1e-12)
    #expect(abs(first.xMax + 104.798583984375) < 1e-12)
  }

  @Test func `Tables that begin at a tile of the world are placed in its pyramid`() throws {
    let table = try #require(try Self.open("java_example").table(named: "bit_systems"))
    let quad = WebMercatorQuad(matching: table.info.scheme)
    let first = try #require(quad.tile(for: TileID(level: 15, row: 0, column: 0)))
    #expect(first.level == 15)
    #expect(first.column == 6844 && first.row == 12438)
    for level in table.info.scheme.levels {
      let tile = quad.tile(for: TileID(level: level.level, row: 0, column: 0))
      let source = tile.flatMap { WebMercatorQuad.source(of: $0, in: table.info.scheme) }
      #expect(source == tile.flatMap(quad.source))
    }
  }

  @Test func `A database that is no GeoPackage is named`() throws {
    let error = #expect(throws: TileError.self) {
      try GeoPackageTiles.open(SharedFiles.url("samples/mbtiles/byte.mbtiles"))
    }
    #expect(error?.localizedDescription.contains("no GeoPackage") == true)
  }
}
