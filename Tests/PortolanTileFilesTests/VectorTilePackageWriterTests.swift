import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

/// Writing indexed vector tile packages.
@Suite(.temporaryDirectory) struct VectorTilePackageWriterTests {
  private var file: URL { temporaryDirectory.appending(path: "a.vtpk") }

  private static let description = TilePackageDescription(
    name: "Coasts", summary: "Lines", tags: ["sea"],
    scheme: .webMercator(tileSide: 512, levels: 0...16),
    fullExtent: Envelope(xMin: -1000, yMin: -1000, xMax: 1000, yMax: 1000), format: "pbf",
    vectorMetadata: ["vector_layers": [["id": "coast"]]])

  private static func tile(_ id: TileID) throws -> Data {
    try Gzip.compress(Data("tile \(id)".utf8))
  }

  private func write(_ ids: [TileID]) throws {
    var writer = try VectorTilePackageWriter(
      at: file, Self.description, style: ["version": 8, "layers": []],
      resources: [("fonts/Sans/0-255.pbf", Data([1, 2, 3]))])
    for id in ids { try writer.add(try Self.tile(id), at: id) }
    try writer.finish()
  }

  @Test func `Written tiles are read back, and the index lists every tile`() throws {
    let ids = [
      TileID(level: 0, row: 0, column: 0), TileID(level: 1, row: 1, column: 0),
      TileID(level: 2, row: 2, column: 1), TileID(level: 1, row: 0, column: 1),
    ]
    try write(ids)
    let package = try VectorTilePackage.open(file)
    for id in ids { #expect(try package.tile(at: id)?.data == Self.tile(id)) }
    let map = try #require(try package.tileMap())
    #expect(map.tileCounts == [0: 1, 1: 2, 2: 1])
    #expect(map.tileToOverzoom(for: TileID(level: 5, row: 0, column: 31)) == ids[3])
    #expect(try package.style()["version"]?.int == 8)
    #expect(try package.glyphs(fontStack: "Sans", range: 0...255) == Data([1, 2, 3]))
    #expect(try package.metadata()?["vector_layers"]?[0]?["id"]?.string == "coast")
    #expect(try package.itemInformation()?.title == "Coasts")
    #expect(package.info.levels == 0...2)
  }

  @Test func `A style has one sheet of icons or several, with names of their own`() throws {
    let style: JSONValue = [
      "version": 8, "layers": [],
      "sprite": [
        ["id": "default", "url": "../sprites/a"], ["id": "signs", "url": "../sprites/b"],
        ["id": "absent", "url": "../sprites/c"],
      ],
    ]
    let names = ["a.json", "a.png", "b.json", "b.png"]
    let resources: [(path: String, data: Data)] = names.map {
      ("sprites/\($0)", Data($0.hasSuffix("json") ? "{}".utf8 : "picture".utf8))
    }
    var writer = try VectorTilePackageWriter(
      at: file, Self.description, style: style, resources: resources)
    let id = TileID(level: 0, row: 0, column: 0)
    try writer.add(try Self.tile(id), at: id)
    try writer.finish()
    let sprites = try VectorTilePackage.open(file).sprites()
    #expect(sprites.map(\.id) == ["default", "signs"])
  }

  @Test func `A sheet of icons that cannot be read does not cost the others`() throws {
    let style: JSONValue = [
      "version": 8, "layers": [],
      "sprite": [
        ["id": "web", "url": "https://example.com/sprites/a"],
        ["id": "outside", "url": "../../../../../sprites/a"],
        ["id": "default", "url": "../sprites/a"], ["id": "broken", "url": "../sprites/b"],
      ],
    ]
    let resources: [(path: String, data: Data)] = [
      ("sprites/a.json", Data("{}".utf8)), ("sprites/a.png", Data("picture".utf8)),
      ("sprites/b.json", Data("none".utf8)), ("sprites/b.png", Data("picture".utf8)),
    ]
    var writer = try VectorTilePackageWriter(
      at: file, Self.description, style: style, resources: resources)
    let id = TileID(level: 0, row: 0, column: 0)
    try writer.add(try Self.tile(id), at: id)
    try writer.finish()
    let sprites = try VectorTilePackage.open(file).sprites()
    #expect(sprites.map(\.id) == ["web", "outside", "default", "broken"])
    #expect(sprites.map(\.isDamaged) == [true, true, false, true])
    #expect(sprites[2].image == Data("picture".utf8))
    #expect(sprites[0].image.isEmpty && sprites[1].image.isEmpty)
  }

  @Test func `A tile without those above it is refused`() throws {
    #expect(throws: TileError.self) { try write([TileID(level: 2, row: 1, column: 1)]) }
    #expect(throws: TileError.self) { try write([]) }
    #expect(!FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
    let left = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(left.isEmpty)
  }

  @Test(arguments: [
    TileID(level: 1, row: 2, column: 0), TileID(level: 17, row: 0, column: 0),
    TileID(level: 1, row: -1, column: 0),
  ])
  func `An address that there is not is refused`(_ id: TileID) throws {
    #expect(throws: TileError.self) { try write([id]) }
  }
}
