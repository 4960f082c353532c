import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

@testable import PortolanPackages

/// Layers of vector tiles that have a style of their own in a package.
@Suite(.temporaryDirectory) struct OwnStyleTests {
  private static let style: JSONValue = [
    "version": 8, "name": "own", "sprite": "https://example.org/sprites/sprite",
    "glyphs": "../fonts/{fontstack}/{range}.pbf",
    "sources": ["town": ["type": "vector", "url": "../../"]], "layers": [],
  ]

  /// The content of the layer in a package with such files beside its map.
  private func content(
    itemPath: String?, _ files: [(path: String, data: Data)]
  ) async throws -> LayerContent {
    let root = temporaryDirectory.appending(path: "package")
    var layer: JSONObject = [
      "id": "names", "layerType": "VectorTileLayer", "path": "file:./names.vtpk",
    ]
    layer["itemPath"] = itemPath.map(JSONValue.string)
    let map: JSONValue = [
      "map": ["version": "2.37", "operationalLayers": [.object(layer)], "baseMap": ["title": "B"]]
    ]
    let info: JSONValue = ["title": "T", "version": "3.2", "maps": ["m"]]
    let documents = [("package.info", info.encoded()), ("p13/m.mmap", map.encoded())]
    for (path, data) in documents + files.map({ ("p13/" + $0.path, $0.data) }) {
      let url = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url)
    }
    try writeTiles(to: root.appending(path: "p13/names.vtpk"))
    let package = try await MobileMapPackage.open(
      at: root, unpackingInto: temporaryDirectory.appending(path: "unpacked"), now: .distantPast)
    let opened = try #require(package.maps.first)
    return await opened.contents.content(of: try #require(opened.webMap.operationalLayers.first))
  }

  private func writeTiles(to url: URL) throws {
    let scheme = TileScheme(
      origin: Coordinate(x: -256, y: 256), tileWidth: 512, tileHeight: 512,
      spatialReference: .webMercator,
      levels: [TileScheme.Level(level: 0, resolution: 1, scale: 3779.527_559_055_1)])
    var writer = try VectorTilePackageWriter(
      at: url,
      TilePackageDescription(
        name: "Town", scheme: scheme,
        fullExtent: Envelope(xMin: -256, yMin: -256, xMax: 256, yMax: 256)),
      style: ["version": 8, "name": "tiles", "layers": []],
      resources: [("fonts/Sans/0-255.pbf", Data([1]))])
    try writer.add(try Gzip.compress(Data("tile".utf8)), at: TileID(level: 0, row: 0, column: 0))
    try writer.finish()
  }

  private func styled(_ content: LayerContent) throws -> StyledVectorTiles {
    var tiles: StyledVectorTiles?
    if case .styledTiles(let styled) = content { tiles = styled }
    return try #require(tiles)
  }

  @Test(
    arguments: [
      ("file:./style", "style/resources/styles/root.json"),
      ("file:./style/", "style/styles/root.json"), ("file:./style", "style/root.json"),
      ("file:./style/own.json", "style/own.json"),
    ])
  func `A layer is drawn in the style that its map names`(
    _ itemPath: String, _ file: String
  ) async throws {
    let content = try await content(itemPath: itemPath, [(file, Self.style.encoded())])
    let tiles = try styled(content)
    #expect(tiles.style["name"]?.string == "own")
    #expect(tiles.problems == [])
    #expect(tiles.sources.keys.sorted() == ["town"])
    #expect(tiles.package?.info.name == "Town")
  }

  @Test func `Icons and glyphs are those beside the style, else those of the tiles`() async throws {
    let folder = "style/resources"
    let content = try await content(
      itemPath: "file:./style",
      [
        ("\(folder)/styles/root.json", Self.style.encoded()),
        ("\(folder)/sprites/sprite.json", Data(#"{"pin": {}}"#.utf8)),
        ("\(folder)/sprites/sprite.png", Data("picture".utf8)),
        ("\(folder)/fonts/Serif/0-255.pbf", Data([2])),
      ])
    let resources = try styled(content).resources
    let sprites = try await resources.sprites(isDouble: true)
    #expect(sprites.map(\.image) == [Data("picture".utf8)])
    #expect(try await resources.glyphs(fontStack: "Serif", range: 0...255) == Data([2]))
    #expect(try await resources.glyphs(fontStack: "Sans", range: 0...255) == Data([1]))
    #expect(try await resources.glyphs(fontStack: "Other", range: 0...255) == nil)
    await #expect(throws: TileError.self) { try await resources.file(at: "../../../../secret") }
  }

  @Test func `A sheet of icons on the web does not cost those beside the style`() async throws {
    let style: JSONValue = [
      "version": 8,
      "sprite": [
        ["id": "default", "url": "../sprites/own"],
        ["id": "web", "url": "https://example.org/sprites/sprite"],
      ],
      "sources": ["town": ["type": "vector", "url": "../../"]], "layers": [],
    ]
    let content = try await content(
      itemPath: "file:./style",
      [
        ("style/resources/styles/root.json", style.encoded()),
        ("style/resources/sprites/own.json", Data(#"{"pin": {}}"#.utf8)),
        ("style/resources/sprites/own.png", Data("picture".utf8)),
      ])
    let sprites = try await styled(content).resources.sprites(isDouble: false)
    #expect(sprites.map(\.id) == ["default", "web"])
    #expect(sprites.map(\.isDamaged) == [false, true])
    #expect(sprites.map(\.image) == [Data("picture".utf8), Data()])
  }

  @Test(
    arguments: [
      ("file:./style", "is not in the package at \"p13/style\""),
      ("file:../../style", "is not in the package at \"../../style\""),
      ("file:./broken.json", "is no style"),
    ])
  func `Where the style is absent, that of the tiles is drawn, and that is reported`(
    _ itemPath: String, _ obstacle: String
  ) async throws {
    let content = try await content(
      itemPath: itemPath, [("broken.json", Data("none".utf8))])
    let tiles = try styled(content)
    #expect(tiles.style["name"]?.string == "tiles")
    #expect(
      tiles.problems == ["the style of the layer \(obstacle), so that of its tiles is drawn"])
  }

  @Test func `Without a style of its own a layer is drawn in that of its tiles`() async throws {
    guard case .vectorTiles = try await content(itemPath: nil, []) else {
      Issue.record("The layer is drawn in another style.")
      return
    }
  }
}
