import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

@testable import PortolanConversion

@Suite(.temporaryDirectory) struct TileTransferTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  @Test(.needsSharedFiles, arguments: ["mbtiles", "pmtiles", "tpkx", "tpk"])
  func `Tiles that can be read arrive, the others are listed`(ending: String) async throws {
    let input = SharedFiles.url("samples/tile-packages/Usa.tpkx")
    let source = try #require(try TileFile.open(input).sources.first)
    let target = url("usa.\(ending)")
    let result = try await Conversion(of: .tiles([source]), at: input, to: target).run()
    #expect(result.tileSets.map(\.counts) == [[2: 4, 3: 9, 4: 30, 5: 99]])
    #expect(result.failures.map(\.item) == ["tile 0/0/0", "tile 1/0/0"])
    #expect(!result.isComplete)
    #expect(try filesLeft() == ["usa.\(ending)"])
    let copy = try #require(try TileFile.open(target).sources.first)
    for try await id in copy.tileIDs {
      #expect(try await copy.tile(at: id)?.data == source.tile(at: id)?.data)
    }
  }

  @Test(.needsSharedFiles) func `Tiles do not become features`() async throws {
    let input = SharedFiles.url("samples/tile-packages/Usa.tpkx")
    let source = try #require(try TileFile.open(input).sources.first)
    for name in ["a.gpkg", "a.geojson"] {
      await #expect(
        throws: ConversionError.wrongTarget(file: name, source: .tiles)
      ) {
        try await Conversion(of: .tiles([source]), at: input, to: url(name)).run()
      }
    }
    #expect(try filesLeft() == [])
  }

  @Test func `What vector tiles can become is said where they cannot become something else`()
    async throws
  {
    let source = InMemoryTileSource(
      info: TileSourceInfo(
        name: "v", scheme: .webMercator(tileSide: 512, levels: 0...1), declaredFormat: "pbf"),
      tiles: [:])
    let wrong = await #expect(throws: ConversionError.self) {
      try await Conversion(of: .tiles([source]), at: url("v.vtpk"), to: url("a.gpkg")).run()
    }
    let none = #expect(throws: ConversionError.self) {
      try Conversion(of: .tiles([source]), at: url("v.vtpk"), to: url("a.vtpk"))
    }
    let sentence = "Vector tiles go to .mbtiles and .pmtiles, or to a folder."
    #expect([wrong, none].map { $0?.recoverySuggestion } == [sentence, sentence])
    #expect(wrong?.errorDescription?.hasSuffix("the source is a set of vector tiles.") == true)
  }

  @Test(.needsSharedFiles) func `A folder has a file a tile, named as on the web`() async throws {
    let input = SharedFiles.url("samples/tile-packages/Usa.tpkx")
    let source = try #require(try TileFile.open(input).sources.first)
    let result = try await Conversion(of: .tiles([source]), at: input, to: url("usa")).run()
    #expect(result.tileSets.map(\.counts) == [[2: 4, 3: 9, 4: 30, 5: 99]])
    #expect(result.failures.map(\.item) == ["tile 0/0/0", "tile 1/0/0"])
    let description = try JSONValue(parsing: try Data(contentsOf: url("usa/tiles.json")))
    let pattern = try #require(description["tiles"]?[0]?.string)
    #expect(description["minzoom"] == 2 && description["maxzoom"] == 5)
    let sides = description["bounds"]?.array?.compactMap(\.double) ?? []
    #expect(sides.count == 4 && sides.allSatisfy { ($0 * 1e7).rounded() / 1e7 == $0 }, "\(sides)")
    for try await id in source.tileIDs where id.level > 1 {
      let path = pattern.replacing("{z}", with: "\(id.level)")
        .replacing("{x}", with: "\(id.column)").replacing("{y}", with: "\(id.row)")
      let tile = try await source.tile(at: id)
      #expect(try Data(contentsOf: url("usa/\(path)")) == tile?.data)
    }
  }

  @Test func `A folder that was written is read as what it was`() async throws {
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let id = TileID(level: 3, row: 1, column: 2)
    let tiles = InMemoryTileSource(
      info: TileSourceInfo(
        name: "t", scheme: .webMercator, levels: 3...3, fullExtent: nil, declaredFormat: "PNG"),
      tiles: [id: Tile(data: png, format: .png)])
    _ = try await Conversion(of: .tiles([tiles]), at: url("t.x"), to: url("web")).run()
    let source = try #require(try TileFile.open(url("web")).sources.first)
    #expect(source.info.name == "t" && source.info.levels == 3...3)
    #expect(try await source.tile(at: id)?.data == png)
    #expect(try await source.tileCounts() == [3: 1])
  }

  @Test(arguments: ["a.pmtiles", "a.mbtiles", "folder"])
  func `Levels that do not exist are refused with those that do, before tiles are listed`(
    name: String
  ) async throws {
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let ids = [0, 1, 3].map { TileID(level: $0, row: 0, column: 0) }
    let tiles = InMemoryTileSource(
      info: TileSourceInfo(
        name: "t", scheme: .webMercator, levels: 0...9, fullExtent: nil, declaredFormat: "PNG"),
      tiles: Dictionary(uniqueKeysWithValues: ids.map { ($0, Tile(data: png, format: .png)) }))
    let source = UnlistedTileSource(tiles: tiles)
    var parameters = Conversion.Parameters()
    parameters.levels = 4...7
    let conversion = try Conversion(
      of: .tiles([source]), at: url("t.x"), to: url(name), parameters)
    await #expect(
      throws: ConversionError.noSuchLevels(4...7, file: "t.x", available: [0, 1, 3])
    ) { try await conversion.run() }
    #expect(try filesLeft() == [])
  }

  @Test func `The error of levels that do not exist names them`() {
    let several = ConversionError.noSuchLevels(4...7, file: "t.x", available: [0, 1, 3])
    #expect(several.errorDescription == "t.x has no tiles on the levels 4 to 7.")
    #expect(several.recoverySuggestion == "It has tiles on the levels 0, 1, 3.")
    let one = ConversionError.noSuchLevels(4...4, file: "t.x", available: [3])
    #expect(one.errorDescription == "t.x has no tiles on level 4.")
    #expect(one.recoverySuggestion == "It has tiles on level 3.")
  }

  @Test func `Tiles that a folder has no place for, and levels with other numbers, are named`()
    async throws
  {
    let web = TileScheme.webMercator(tileSide: 256, levels: 0...1)
    let (first, second) = (web.levels[0], web.levels[1])
    let scheme = TileScheme(
      origin: web.origin, tileWidth: 256, tileHeight: 256, spatialReference: .webMercator,
      levels: [
        first,
        TileScheme.Level(level: 1, resolution: first.resolution / 1.5, scale: first.scale / 1.5),
        TileScheme.Level(level: 2, resolution: second.resolution, scale: second.scale),
      ])
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let ids = (0...2).map { TileID(level: $0, row: 0, column: 0) }
    let source = InMemoryTileSource(
      info: TileSourceInfo(name: "odd", scheme: scheme, levels: 0...2, declaredFormat: "PNG"),
      tiles: Dictionary(uniqueKeysWithValues: ids.map { ($0, Tile(data: png, format: .png)) }))
    let result = try await Conversion(of: .tiles([source]), at: url("source"), to: url("a")).run()
    #expect(result.tileSets.map(\.counts) == [[0: 1, 1: 1]])
    #expect(
      result.notes == [
        "1 tile was left out, since the new file does not have its level: 1.",
        "Levels are counted otherwise: 2 is now 1.",
      ])
  }

  @Test func `A scheme that the web has not makes no folder`() async throws {
    let scheme = TileScheme(
      origin: Coordinate(x: -180, y: 90), tileWidth: 256, tileHeight: 256,
      spatialReference: .wgs84,
      levels: [TileScheme.Level(level: 0, resolution: 0.7, scale: 295_828_763)])
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let source = InMemoryTileSource(
      info: TileSourceInfo(
        name: "degrees", scheme: scheme, levels: 0...0, fullExtent: nil, declaredFormat: "PNG"),
      tiles: [TileID(level: 0, row: 0, column: 0): Tile(data: png, format: .png)])
    await #expect(throws: TileError.self) {
      try await Conversion(of: .tiles([source]), at: url("source"), to: url("a")).run()
    }
    #expect(try filesLeft() == [])
  }
}

/// Tiles of which the number is known, but which must not be listed.
private struct UnlistedTileSource: TileSource {
  let tiles: InMemoryTileSource

  var info: TileSourceInfo { tiles.info }

  func tile(at id: TileID) -> Tile? { tiles.tile(at: id) }

  func tileCounts() -> [Int: Int] { tiles.tileCounts() }

  var tileIDs: TileIDs {
    TileIDs(in: [tiles]) { tiles throws(TileError) -> [TileID] in
      throw TileError.unreadable(file: tiles.info.name, reason: "it was listed")
    }
  }

  func metadata() -> JSONValue? { nil }
}
