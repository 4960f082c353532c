import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanJSON
import PortolanSQLite
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileFiles

@Suite(.temporaryDirectory) struct MBTilesFileTests {
  private var file: URL { temporaryDirectory.appending(path: "a.mbtiles") }

  @Test(
    .needsSharedFiles,
    arguments: [
      ("byte", [11: 1], "png", TileFormat.png), ("byte_jpeg", [11: 1], "jpg", .jpeg),
      ("world_l1", [0: 1, 1: 4], "jpg", .jpeg), ("world_l1_webp", [1: 4], "webp", .webp),
    ])
  func `Files of others are read in full`(
    _ name: String, _ counts: [Int: Int], _ declared: String, _ format: TileFormat
  ) async throws {
    let file = try MBTilesFile.open(SharedFiles.url("samples/mbtiles/\(name).mbtiles"))
    #expect(try file.tileCounts() == counts)
    #expect(file.info.declaredFormat == declared)
    #expect(file.info.levels == counts.keys.min().map { $0...(counts.keys.max() ?? $0) })
    let extent = try #require(file.info.fullExtent)
    let mapped = try MBTilesFile.open(
      SharedFiles.url("samples/mbtiles/\(name).mbtiles"), access: .mapped)
    for try await id in file.tileIDs {
      let tile = try file.tile(at: id)
      #expect(tile?.format == format)
      #expect(try mapped.tile(at: id) == tile)
      let ground = try #require(file.info.scheme.envelope(of: id))
      #expect(ground.intersects(extent), "\(id)")
    }
  }

  @Test(.needsSharedFiles) func `A file without tiles says what they would be`() throws {
    let file = try MBTilesFile.open(
      SharedFiles.url("samples/mbtiles/field_type_from_values.mbtiles"))
    #expect(try file.tileCounts().isEmpty)
    #expect(file.info.isVector)
    #expect(file.info.levels == 0...5)
    #expect(try file.metadata()?["vector_layers"] != nil)
  }

  @Test func `Rows count from the top, though the file counts from the bottom`() throws {
    let id = TileID(level: 2, row: 0, column: 3)
    try MBTilesBuilder.writeTable([id: SamplePyramid.tile(id)], to: file)
    let rows = try Connection(at: file, access: .immutable).query("SELECT tile_row FROM tiles")
    #expect(try rows.step() && rows.integer(at: 0) == 3)
    #expect(try MBTilesFile.open(file).tile(at: id)?.data == SamplePyramid.tile(id))
  }

  @Test(arguments: [
    "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map, images "
      + "WHERE map.tile_id = images.tile_id",
    "CREATE VIEW [tiles] AS SELECT m.zoom_level, m.tile_column, `m`.\"tile_row\", i.tile_data FROM "
      + "map m LEFT OUTER JOIN images AS i USING (tile_id);",
    "create view tiles as select map.zoom_level as zoom_level, map.tile_column as tile_column, "
      + "map.tile_row as tile_row, images.tile_data as tile_data from map inner join images on "
      + "(map.tile_id = images.tile_id)",
  ])
  func `Views that join two tables are read`(_ view: String) async throws {
    try MBTilesBuilder.writeView(SamplePyramid.tiles, to: file, view: view)
    let source = try MBTilesFile.open(file)
    #expect(try source.tileCounts() == SamplePyramid.counts)
    for (id, tile) in SamplePyramid.tiles { #expect(try source.tile(at: id)?.data == tile) }
  }

  @Test(arguments: [
    "SELECT zoom_level, tile_column, tile_row + 1 AS tile_row, tile_data FROM map JOIN images "
      + "USING (tile_id)",
    "SELECT zoom_level, tile_column, tile_row, randomblob(9) AS tile_data FROM map",
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n AS zoom_level, "
      + "n AS tile_column, n AS tile_row, n AS tile_data FROM c",
    "SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images ON "
      + "map.tile_id = images.tile_id WHERE zoom_level = 3",
    "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles",
    "SELECT zoom_level, tile_column, tile_row, sql FROM map JOIN sqlite_schema",
    "SELECT zoom_level FROM map",
  ])
  func `Views that do more are refused`(_ query: String) throws {
    try MBTilesBuilder.writeView([:], to: file, view: "CREATE VIEW tiles AS \(query)")
    let error = #expect(throws: TileError.self) { try MBTilesFile.open(file) }
    guard case .unsupported = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [false, true])
  func `Rows with no address are not listed, and are counted where they are left out`(
    isText: Bool
  ) async throws {
    try MBTilesBuilder.writeTable(SamplePyramid.tiles, to: file)
    do {
      let connection = try Connection(at: file, access: .readWrite)
      for values in [
        "'a', 0, 0", "0.5, 0, 0", "-1, 0, 0", "0, 5, 0", "1, 0, 2", "NULL, NULL, NULL", "99, 0, 0",
      ] {
        try connection.execute("INSERT INTO tiles VALUES (\(values), x'89504E470D0A1A0A')")
      }
      if isText {
        let names = ["zoom_level", "tile_column", "tile_row"]
        let changes = names.map { "\($0) = CAST(\($0) AS TEXT)" }.joined(separator: ", ")
        try connection.execute("UPDATE tiles SET \(changes)")
      }
    }
    let source = try MBTilesFile.open(file)
    var ids: Set<TileID> = []
    for try await id in source.tileIDs { ids.insert(id) }
    #expect(ids == Set(SamplePyramid.tiles.keys))
    let target = temporaryDirectory.appending(path: "a.pmtiles")
    let summary = try await TileConversion(from: source, to: target, as: .pmtiles).run()
    #expect(summary.tileCounts == SamplePyramid.counts && summary.damagedCount == 0)
    #expect(summary.limitations == [.unaddressedTilesLeftOut(tileCount: 7)])
  }

  @Test(
    arguments: [
      ("zoom_level TEXT, tile_column TEXT, tile_row TEXT, tile_data BLOB)", "TEXT"),
      ("zoom_level, tile_column, tile_row, tile_data)", "TEXT"),
      (
        "zoom_level TEXT, tile_column TEXT, tile_row TEXT, tile_data BLOB, "
          + "PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID", "TEXT"
      ),
      (
        "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB, "
          + "PRIMARY KEY (tile_row, zoom_level, tile_column)) WITHOUT ROWID", "INTEGER"
      ),
      (
        "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB, "
          + "key TEXT PRIMARY KEY) WITHOUT ROWID", "INTEGER"
      ),
    ])
  func `Addresses stored as text, or without numbers of rows, are read`(
    _ columns: String, _ type: String
  ) async throws {
    try MBTilesBuilder.writeTable(SamplePyramid.tiles, to: file)
    do {
      let connection = try Connection(at: file, access: .readWrite)
      let names = ["zoom_level", "tile_column", "tile_row"]
      var values = names.map { "CAST(\($0) AS \(type))" } + ["tile_data"]
      if columns.contains("key") { values.append("hex(tile_data)") }
      for statement in [
        "ALTER TABLE tiles RENAME TO old", "CREATE TABLE tiles (\(columns)",
        "INSERT INTO tiles SELECT \(values.joined(separator: ", ")) FROM old", "DROP TABLE old",
      ] {
        try connection.execute(statement)
      }
    }
    let source = try MBTilesFile.open(file)
    #expect(try source.tileCounts() == SamplePyramid.counts)
    #expect(source.info.levels == 0...9)
    var ids: [TileID] = []
    for try await id in source.tileIDs { ids.append(id) }
    #expect(ids.count == SamplePyramid.tiles.count && Set(ids) == Set(SamplePyramid.tiles.keys))
    for (id, tile) in SamplePyramid.tiles { #expect(try source.tile(at: id)?.data == tile) }
    for id in SamplePyramid.absent { #expect(try source.tile(at: id) == nil) }
  }

  @Test func `A vector tile in zlib's format comes out decompressed`() throws {
    let id = TileID(level: 0, row: 0, column: 0)
    let tile = Data([0x78, 1, 1, 2, 0, 0xFD, 0xFF, 0x1A, 0, 0, 0x36, 0, 0x1B])
    try MBTilesBuilder.writeTable([id: tile], to: file)
    let source = try MBTilesFile.open(file)
    #expect(try source.tile(at: id) == Tile(data: Data([0x1A, 0]), format: .vectorTile))
    #expect(source.info.isVector && source.info.scheme.tileWidth == 512)
  }

  @Test func `Tiles of no bytes are no damage, and are counted where they are left out`()
    async throws
  {
    let empty = TileID(level: 2, row: 0, column: 0)
    var tiles = SamplePyramid.tiles
    tiles[empty] = Data()
    try MBTilesBuilder.writeTable(tiles, to: file)
    let source: any TileSource = try MBTilesFile.open(file)
    #expect(source.info.declaredFormat == "png")
    #expect(try await source.tile(at: empty) == nil)
    #expect(try await source.hasEmptyTile(at: empty))
    #expect(try await !source.hasEmptyTile(at: TileID(level: 2, row: 1, column: 0)))
    let target = temporaryDirectory.appending(path: "a.pmtiles")
    let summary = try await TileConversion(from: source, to: target, as: .pmtiles).run()
    #expect(summary.tileCounts == SamplePyramid.counts && summary.damagedCount == 0)
    #expect(summary.limitations == [.emptyTilesLeftOut(tileCount: 1)])
  }

  @Test func `A tile of unknown bytes is damaged, the others are not`() throws {
    var tiles = SamplePyramid.tiles
    let id = TileID(level: 1, row: 0, column: 1)
    tiles[id] = Data("text".utf8)
    try MBTilesBuilder.writeTable(tiles, to: file)
    let source = try MBTilesFile.open(file)
    #expect(throws: TileError.self) { try source.tile(at: id) }
    let other = TileID(level: 0, row: 0, column: 0)
    #expect(try source.tile(at: other)?.data == tiles[other])
  }

  @Test func `A file that is no database, or has no tiles, is named`() throws {
    try Data("text".utf8).write(to: file)
    #expect(throws: TileError.self) { try MBTilesFile.open(file) }
    try FileManager.default.removeItem(at: file)
    try Connection(at: file, access: .create).execute("CREATE TABLE other (a)")
    let error = #expect(throws: TileError.self) { try MBTilesFile.open(file) }
    #expect(error?.localizedDescription.contains("it has no table of tiles") == true)
  }

  @Test func `A file inside another one is read in place`() throws {
    try SamplePyramid.writeMBTiles(to: file)
    let bytes = try Data(contentsOf: file)
    let outer = temporaryDirectory.appending(path: "outer")
    try (Data(count: 1_000) + bytes + Data(count: 10)).write(to: outer)
    let source = try MBTilesFile.open(
      FileRegion(url: outer, offset: 1_000, length: bytes.count))
    for (id, tile) in SamplePyramid.tiles { #expect(try source.tile(at: id)?.data == tile) }
  }

  @Test func `A file cut or changed anywhere gives tiles or errors`() async throws {
    try SamplePyramid.writeMBTiles(to: file)
    let whole = try Data(contentsOf: file)
    let damaged = temporaryDirectory.appending(path: "damaged.mbtiles")
    for count in stride(from: 0, to: whole.count, by: 511) {
      try whole.prefix(count).write(to: damaged)
      await read(damaged)
    }
    for offset in stride(from: 0, to: whole.count, by: 97) {
      var bytes = whole
      bytes[offset] ^= 0xFF
      try bytes.write(to: damaged)
      await read(damaged)
    }
  }

  /// Asks for everything; only a crash or a hang is a failure.
  private func read(_ file: URL) async {
    do {
      let source = try MBTilesFile.open(file)
      _ = try source.tileCounts()
      for try await id in source.tileIDs { _ = try source.tile(at: id) }
    } catch {
      // The types promise that it is nothing but a TileError.
    }
  }

  @Test func `A written file contains the description it was given`() throws {
    var description = TilePackageDescription(
      name: "backdrop", title: "A backdrop", summary: "Drawn for tests",
      accessInformation: "Nobody", fullExtent: Envelope(xMin: 1, yMin: 2, xMax: 3, yMax: 4),
      geographicExtent: Envelope(xMin: -1, yMin: -2, xMax: 1, yMax: 2))
    description.vectorMetadata = ["vector_layers": [["id": "roads"]]]
    var writer = try MBTilesWriter(at: file, description)
    let tile = Data([0x1F, 0x8B, 8, 0])
    for level in 3...4 { try writer.add(tile, at: TileID(level: level, row: 1, column: 2)) }
    try writer.finish()
    let source = try MBTilesFile.open(file)
    #expect(
      source.properties == [
        "name": "A backdrop", "format": "pbf", "minzoom": "3", "maxzoom": "4",
        "type": "baselayer", "bounds": "-1.0,-2.0,1.0,2.0", "center": "0.0,0.0,3",
        "description": "Drawn for tests", "attribution": "Nobody",
        "json": "{\"vector_layers\":[{\"id\":\"roads\"}]}",
      ])
    #expect(source.info.scheme.tileWidth == 512)
    let application = try Connection(at: file, access: .immutable).applicationID()
    #expect(application == 0x4D50_4258)
  }

  @Test func `The bounds of the world end at the antimeridian`() throws {
    let beyond = 180.00000000000003
    let description = TilePackageDescription(
      name: "world", fullExtent: Envelope(xMin: -1, yMin: -1, xMax: 1, yMax: 1),
      geographicExtent: Envelope(xMin: -beyond, yMin: -85, xMax: beyond, yMax: 85))
    #expect(beyond > 180)
    var writer = try MBTilesWriter(at: file, description)
    let id = TileID(level: 0, row: 0, column: 0)
    try writer.add(SamplePyramid.tile(id), at: id)
    try writer.finish()
    #expect(try MBTilesFile.open(file).properties["bounds"] == "-180.0,-85.0,180.0,85.0")
  }

  @Test func `Bounds and center say nothing behind a centimetre`() throws {
    var description = TilePackageDescription(
      name: "bay", fullExtent: Envelope(xMin: -1, yMin: -1, xMax: 1, yMax: 1),
      geographicExtent: Envelope(
        xMin: -69.519_999_999_565_41, yMin: 43.123_456_789, xMax: -68.000_000_000_1, yMax: 44.5))
    description.geographicCenter = Coordinate(x: -68.759_999_999_7, y: 43.811_728_394_5)
    var writer = try MBTilesWriter(at: file, description)
    let id = TileID(level: 0, row: 0, column: 0)
    try writer.add(SamplePyramid.tile(id), at: id)
    try writer.finish()
    let properties = try MBTilesFile.open(file).properties
    #expect(properties["bounds"] == "-69.52,43.1234568,-68.0,44.5")
    #expect(properties["center"] == "-68.76,43.8117284,0")
  }

  @Test func `A tile added again replaces the one before`() throws {
    var writer = try MBTilesWriter(at: file, SamplePyramid.description)
    let id = TileID(level: 3, row: 1, column: 2)
    try writer.add(SamplePyramid.tile(TileID(level: 0, row: 0, column: 0)), at: id)
    try writer.add(SamplePyramid.tile(id), at: id)
    try writer.finish()
    let source = try MBTilesFile.open(file)
    #expect(try source.tileCounts() == [3: 1])
    #expect(try source.tile(at: id)?.data == SamplePyramid.tile(id))
  }
}
