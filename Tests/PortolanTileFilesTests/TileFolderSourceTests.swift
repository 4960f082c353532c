import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileFiles

/// Folders with a file for each tile, as this and other programs write them.
@Suite(.temporaryDirectory) struct TileFolderSourceTests {
  private var folder: URL { temporaryDirectory.appending(path: "tiles") }
  private var builder: TileFolderBuilder { TileFolderBuilder(folder) }

  private static let tileMap = """
    <?xml version="1.0" encoding="utf-8"?>
    <TileMap version="1.0.0"><Title>Bay</Title><SRS>EPSG:3857</SRS>
    <TileFormat width="256" height="256" mime-type="image/png" extension="png"/>
    <TileSets profile="mercator"><TileSet href="0" units-per-pixel="156543.03" order="0"/></TileSets>
    </TileMap>
    """

  private func ids(_ source: some TileSource) async throws -> [TileID] {
    var ids: [TileID] = []
    for try await id in source.tileIDs { ids.append(id) }
    return ids
  }

  // MARK: - Documents

  @Test(arguments: [
    ("tilemapresource.xml", tileMap, true), ("metadata.json", #"{"scheme": "tms"}"#, true),
    ("tiles.json", #"{"scheme": "tms"}"#, true), ("tiles.json", #"{"scheme": "xyz"}"#, false),
    ("metadata.json", #"{"name": "Bay"}"#, false), ("metadata.json", "{", false),
  ])
  func `Rows are counted as the document beside the tiles says`(
    _ name: String, _ text: String, _ isTMS: Bool
  ) async throws {
    try builder.write(SamplePyramid.tiles, isTMS: isTMS)
    try builder.write(text, to: name)
    let source = try TileFolderSource.open(folder)
    #expect(try await Set(ids(source)) == Set(SamplePyramid.tiles.keys))
    for (id, tile) in SamplePyramid.tiles {
      #expect(try source.tile(at: id)?.data == tile, "\(id)")
    }
  }

  @Test func `A document gives the name, the extent and the attribution`() throws {
    try builder.write(SamplePyramid.tiles)
    try builder.write(
      #"{"name": "Bay", "attribution": "Us", "description": "A bay.", "bounds": [-70, 43, -68, 45]}"#,
      to: "tiles.json")
    let info = try TileFolderSource.open(folder).info
    #expect(info.name == "Bay" && info.attribution == "Us" && info.summary == "A bay.")
    let extent = try #require(info.fullExtent)
    #expect(abs(extent.xMin + 7_792_364) < 1 && extent.xMax < 0)
    #expect(info.warnings.isEmpty)
  }

  @Test func `A document in pieces costs nothing but what it says`() throws {
    try builder.write(SamplePyramid.tiles)
    try builder.write("{", to: "tiles.json")
    let info = try TileFolderSource.open(folder).info
    #expect(info.name == "tiles")
    #expect(info.warnings.count == 1 && info.warnings[0].hasPrefix("tiles.json cannot be read"))
  }

  @Test func `The layers of vector tiles are found in the metadata of an MBTiles file`() throws {
    try builder.write(Data([0x1A, 0]), to: "0/0/0.pbf")
    try builder.write(
      #"{"format": "pbf", "json": "{\"vector_layers\": [{\"id\": \"roads\"}]}"}"#,
      to: "metadata.json")
    let source = try TileFolderSource.open(folder)
    #expect(source.info.isVector)
    #expect(source.metadata()?["vector_layers"]?[0]?["id"] == "roads")
  }

  @Test func `Tiles of another pyramid than that of Web Mercator are refused`() throws {
    try builder.write(SamplePyramid.tiles)
    try builder.write(
      Self.tileMap.replacing("\"mercator\"", with: "\"geodetic\""), to: "tilemapresource.xml")
    let error = #expect(throws: TileError.self) { try TileFile.open(folder) }
    guard case .unsupported(_, let reason)? = error else {
      Issue.record("It was refused for another reason: \(String(describing: error)).")
      return
    }
    #expect(reason.contains("geodetic"))
  }

  // MARK: - Names

  @Test func `Names that are those of no tile are ignored and counted`() async throws {
    try builder.write(SamplePyramid.tiles)
    for path in [
      "1/0/2.png", "1/0/-1.png", "1/0/01.png", "1/0/1@2x.png", "1/0/1.png.aux.xml", "1/0/notes",
      "1/2/0.png", "1/x/0.png",
    ] { try builder.write(Data([1]), to: path) }
    try builder.write("<html></html>", to: "leaflet.html")
    let source = try TileFolderSource.open(folder)
    #expect(try await Set(ids(source)) == Set(SamplePyramid.tiles.keys))
    let survey = try source.survey()
    #expect(survey.counts == SamplePyramid.counts)
    #expect(survey.ignoredCount == 8)
    #expect(survey.endings == ["png": 9])
    #expect(survey.warnings.count == 1 && survey.warnings[0].hasPrefix("8 files and folders"))
    let copied: any TileSource = source
    #expect(try await copied.unaddressedTileCount() == 4)
  }

  @Test func `Tiles of several formats are read as what they are, and reported`() async throws {
    try builder.write(SamplePyramid.tiles)
    let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0])
    try builder.write(jpeg, to: "2/1/3.jpg")
    let source = try TileFolderSource.open(folder)
    #expect(
      try source.tile(at: TileID(level: 2, row: 3, column: 1)) == Tile(data: jpeg, format: .jpeg))
    #expect(try source.survey().warnings == ["The tiles are of several formats: .jpg, .png."])
    let target = temporaryDirectory.appending(path: "out.mbtiles")
    let summary = try await TileConversion(from: source, to: target, as: .mbtiles).run()
    #expect(summary.tileCount == 10)
    #expect(summary.limitations == [.mixedFormats([.png, .jpeg])])
  }

  @Test func `A file of no bytes is an empty tile, and one of unknown bytes a damaged one`() throws
  {
    try builder.write(SamplePyramid.tiles)
    try builder.write(Data(), to: "2/0/0.png")
    try builder.write("no picture", to: "2/0/1.png")
    let source = try TileFolderSource.open(folder)
    let empty = TileID(level: 2, row: 0, column: 0)
    #expect(try source.tile(at: empty) == nil)
    #expect(try source.hasEmptyTile(at: empty))
    #expect(try !source.hasEmptyTile(at: TileID(level: 2, row: 2, column: 0)))
    #expect(throws: TileError.self) { try source.tile(at: TileID(level: 2, row: 1, column: 0)) }
  }

  // MARK: - Links

  @Test func `Links are followed within the folder, and not out of it`() async throws {
    try builder.write(SamplePyramid.tiles)
    let outside = temporaryDirectory.appending(path: "outside")
    try TileFolderBuilder(outside).write(SamplePyramid.tiles)
    func link(_ path: String, to target: URL) throws {
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: path), withDestinationURL: target)
    }
    try link("1/1/1.png", to: folder.appending(path: "0/0/0.png"))
    try link("1/0/0.png", to: outside.appending(path: "0/0/0.png"))
    try link("9/5", to: outside.appending(path: "9/127"))
    try link("3", to: outside.appending(path: "9"))
    let source = try TileFolderSource.open(folder)
    let linked = TileID(level: 1, row: 1, column: 1)
    #expect(try await Set(ids(source)) == Set(SamplePyramid.tiles.keys).union([linked]))
    let top = SamplePyramid.tiles[TileID(level: 0, row: 0, column: 0)]
    #expect(try source.tile(at: linked)?.data == top)
    for id in [
      TileID(level: 1, row: 0, column: 0), TileID(level: 9, row: 127, column: 5),
      TileID(level: 3, row: 127, column: 127),
    ] { #expect(try source.tile(at: id) == nil, "\(id)") }
  }

  // MARK: - Detection

  @Test func `A folder of tiles is told by what is in it`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(!TileFolderSource.isOne(folder))
    try builder.write("no tile", to: "5/3/notes.txt")
    #expect(!TileFolderSource.isOne(folder))
    #expect(throws: TileError.self) { try TileFolderSource.open(folder) }
    try builder.write(SamplePyramid.tiles)
    #expect(TileFolderSource.isOne(folder))
    guard case .folder(let source) = try TileFile.open(folder) else {
      Issue.record("It was taken for another kind of file.")
      return
    }
    #expect(source.info.levels == 0...9)
    try builder.write("{}", to: "root.json")
    #expect(!TileFolderSource.isOne(folder))
  }

  @Test(arguments: [TileFileFormat.mbtiles, .pmtiles])
  func `A folder of tiles is converted to one file, and all is there`(
    _ format: TileFileFormat
  ) async throws {
    try builder.write(SamplePyramid.tiles)
    let target = temporaryDirectory.appending(path: "out.\(format.rawValue)")
    let source = try TileFile.open(folder).sources[0]
    let summary = try await TileConversion(from: source, to: target, as: format).run()
    #expect(summary.tileCounts == SamplePyramid.counts && summary.limitations.isEmpty)
    let copy = try TileFile.open(target).sources[0]
    for (id, tile) in SamplePyramid.tiles { #expect(try await copy.tile(at: id)?.data == tile) }
  }
}
