import Foundation
import PortolanApp
import PortolanComposition
import PortolanJSON
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@MainActor
@Suite(.needsSharedFiles, .temporaryDirectory) struct TilesCommandTests {
  private static let canyonlands = SharedFiles.url("samples/preplanned-package/canyonlands")
    .path(percentEncoded: false)

  private func run(_ line: String, hasCache: Bool = false) async -> String {
    let console = TranscriptConsole(width: 60)
    let session = session(console, hasCache: hasCache)
    let outcome = await session.interpreter.run(line, in: session)
    if outcome.status != .done { console.write("[\(outcome.status)]") }
    return console.transcript
  }

  private func session(_ console: TranscriptConsole, hasCache: Bool) -> Session {
    let home = HomeFolder(
      option: temporaryDirectory.appending(path: "home").path(percentEncoded: false),
      environment: [:])
    let account =
      hasCache ? LiveAccount(home: home, environment: [:], portal: nil, isOffline: true) : nil
    return Session(
      console: console, options: GlobalOptions(),
      app: LiveApp(home: home, timeZone: .gmt, drawing: PictureDrawing()).model(for: account))
  }

  private func file(_ name: String) -> String {
    temporaryDirectory.appending(path: name).path(percentEncoded: false)
  }

  @Test(arguments: ["map.pmtiles", "map.mbtiles", "map.tpkx"])
  func `A map becomes a file of tiles`(_ name: String) async throws {
    let text = await run(
      "tiles '\(file(name))' --map '\(Self.canyonlands)' --levels 8-9 --json --quiet")
    let json = try JSONValue(parsing: text)
    #expect(json["omissions"] == [] && json["complete"] == true)
    #expect(
      json["tiles"]?[0]?["levels"] == [["level": 8, "count": 2], ["level": 9, "count": 4]])
    let inspected = await run("inspect '\(file(name))' --json")
    #expect(inspected.lowercased().contains("png"), "\(inspected)")
  }

  @Test func `A name without an ending is a folder for web servers`() async throws {
    let text = await run("tiles '\(file("web"))' --map '\(Self.canyonlands)' --levels 9")
    #expect(text.contains("9      4"), "\(text)")
    let description = try JSONValue(
      parsing: try String(contentsOf: URL(filePath: file("web/tiles.json")), encoding: .utf8))
    #expect(description["tiles"] == ["{z}/{x}/{y}.png"])
    #expect(description["minzoom"] == 9 && description["maxzoom"] == 9)
    let bounds = try #require(description["bounds"]?.array).compactMap { $0.double }
    #expect(bounds.count == 4 && abs(bounds[0] + 110.24) < 0.01 && abs(bounds[1] - 37.94) < 0.01)
    let tile = try Data(contentsOf: URL(filePath: file("web/9/99/196.png")))
    #expect(tile.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test func `A file that is there is not replaced unasked`() async throws {
    let path = file("map.mbtiles")
    try Data("mine".utf8).write(to: URL(filePath: path))
    let line = "tiles '\(path)' --map '\(Self.canyonlands)' --levels 8"
    #expect(await run(line).contains("[failed]"))
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    #expect(!(await run(line + " --yes").contains("[failed]")))
    #expect(try Data(contentsOf: URL(filePath: path)).count > 1_000)
  }

  @Test func `A style beside vector tiles is not replaced unasked`() async throws {
    let style = URL(filePath: file("map.style.json"))
    try Data("mine".utf8).write(to: style)
    let line = "tiles '\(file("map.mbtiles"))' --vector --map '\(Self.canyonlands)' --levels 0-4"
    let text = await run(line)
    #expect(text.contains("map.style.json") && text.contains("[failed]"), "\(text)")
    #expect(try Data(contentsOf: style) == Data("mine".utf8))
    #expect(!FileManager.default.fileExists(atPath: file("map.mbtiles")))
    #expect(!(await run(line + " --yes").contains("[failed]")))
    #expect(try JSONValue(parsing: Data(contentsOf: style))["layers"] != nil)
  }

  @Test(arguments: [
    ("map.mbtiles", "--ratio 9", "from 0.25 to 8"),
    ("map.mbtiles", "--levels 9-8", "levels from 0 to 23"),
    ("map.mbtiles", "--levels 24", "levels from 0 to 23"),
    ("map.mbtiles", "--levels 1-23", "Choose fewer levels"),
    ("map.mbtiles", "--bbox 0,86,1,89", "outside of Web Mercator"),
    ("map.mbtiles", "--bbox 1,1,1,1", "has no size"),
    ("map.gpkg", "", "end in .tpk,"),
    ("map.jpeg", "", "end in .tpk,"), ("map.tpkx", "--vector", "end in .pmtiles,"),
    ("nowhere/map.mbtiles", "", "Make the folder first"),
  ])
  func `A failed creation says why and leaves nothing`(
    _ name: String, _ option: String, _ reason: String
  ) async {
    let text = await run("tiles '\(file(name))' --map '\(Self.canyonlands)' \(option)")
    #expect(text.contains(reason), "\(text)")
    #expect(!FileManager.default.fileExists(atPath: file(name)))
  }

  @Test func `What is no region, source or file of tiles is not taken for a source`() async {
    let text = await run("tiles serve nowhere.mbtiles", hasCache: true)
    #expect(text.contains("neither a region") && text.contains("[notFound]"), "\(text)")
  }

  @Test func `A region that is called like the path of a file does not hide the file`() async throws
  {
    let path = file("area.mbtiles")
    _ = await run("tiles '\(path)' --map '\(Self.canyonlands)' --levels 8")
    let session = session(TranscriptConsole(width: 60), hasCache: true)
    let tiles = try #require(session.app.tiles)
    _ = try await tiles.importFile(URL(filePath: path), named: path)
    #expect(try await tiles.layers(named: [path], in: session).map(\.name) == ["area"])
    try FileManager.default.removeItem(atPath: path)
    #expect(try await tiles.layers(named: [path], in: session).map(\.name) == [path])
  }

  @Test(arguments: [("--json", "--json needs a file"), ("", "is not written to a terminal")])
  func `A tile goes to standard output alone`(_ option: String, _ reason: String) async {
    let line = "tiles get http://127.0.0.1:9/{z}/{x}/{y}.png 0/0/0 --to - \(option)"
    let text = await run(line, hasCache: true)
    #expect(text.contains(reason) && text.contains("[wrongUsage]"), "\(text)")
  }

  @Test func `Tiles outside the map's extent are reported`() async {
    let line = "tiles '\(file("map.mbtiles"))' --map '\(Self.canyonlands)' --levels 8"
    #expect(await run(line + " --bbox 10,10,11,11").contains("lies outside"))
    #expect(!(await run(line + " --bbox -110,38,-109,39 --yes").contains("lies outside")))
  }

  @Test func `The source is not replaced by its tiles`() async throws {
    let source = file("source.mbtiles")
    _ = await run("tiles '\(source)' --map '\(Self.canyonlands)' --levels 8")
    let before = try Data(contentsOf: URL(filePath: source))
    let text = await run("tiles '\(source)' --map '\(source)' --yes")
    #expect(text.contains("both the source and the target"), "\(text)")
    #expect(try Data(contentsOf: URL(filePath: source)) == before)
  }
}
