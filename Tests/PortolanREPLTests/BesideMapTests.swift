import Foundation
import PortolanApp
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// Commands on a map beside the open one, and commands after which the map is closed.
@MainActor
@Suite(.temporaryDirectory) struct BesideMapTests {
  private static let trails = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "id": 1, "properties": {"NAME": "Ridge"},
       "geometry": {"type": "Point", "coordinates": [-109.9, 38.3]}}]}
    """

  private func path(_ name: String) -> String {
    temporaryDirectory.appending(path: name).path(percentEncoded: false)
  }

  private func session(
    _ console: TranscriptConsole, _ options: GlobalOptions = GlobalOptions()
  ) -> Session { .offline(console, home: path("home"), options) }

  /// Makes two GeoPackages with a table each.
  private func makeFiles() async throws {
    for name in ["mine", "other"] {
      try Data(Self.trails.utf8).write(to: URL(filePath: path("\(name).geojson")))
      _ = await run(["convert '\(path("\(name).geojson"))' '\(path("\(name).gpkg"))' --quiet"])
    }
  }

  private func run(_ lines: [String]) async -> [String] {
    let console = TranscriptConsole()
    return await console.answers(to: lines, in: session(console))
  }

  @Test func `A command on another map leaves the open one with its edits to undo`() async throws {
    try await makeFiles()
    let answers = await run([
      "open '\(path("mine.gpkg"))' --quiet", "edit set mine 1 NAME=Changed",
      "hide other --map '\(path("other.gpkg"))'", "toc", "edit undo",
      "features '\(path("mine.gpkg"))' --layer mine --csv",
    ])
    #expect(answers[2].contains("[ ] other") && answers[2].contains("is closed when"))
    #expect(answers[3] == "[x] mine\n")
    #expect(!answers[4].contains("[failed]"))
    #expect(answers[5].contains("Ridge"))
  }

  @Test(arguments: ["popup 1", "popup next", "attachments", "related"])
  func `Where a map is opened for one command, the command says where its feature is`(
    _ command: String
  ) async throws {
    try await makeFiles()
    let other = "--map '\(path("other.gpkg"))'"
    let answers = await run([
      "open '\(path("mine.gpkg"))' --quiet", "\(command) \(other)",
      "popup 1 --at -109.9,38.3 \(other)", "popup 1",
    ])
    #expect(answers[1].contains("--at LON,LAT is missing") && answers[1].contains("[wrongUsage]"))
    #expect(answers[2].contains("Ridge"))
    #expect(answers[3].contains("Find features first, with \"identify X,Y\"."))
  }

  @Test func `Each command on a package whose date has passed says so once`() async throws {
    try Data(Self.trails.utf8).write(to: URL(filePath: path("trails.geojson")))
    let spec = """
      {"title": "Trails", "data": {"Trails": {"file": "trails.geojson"}},
       "expiration": {"date": "2001-02-03", "message": "Ask for more.", "policy": "allowAccess"},
       "maps": [{"name": "m", "layers": [{"data": "Trails", "title": "Trails"}]}]}
      """
    try Data(spec.utf8).write(to: URL(filePath: path("spec.json")))
    let package = path("trails.mmpk")
    let answers = await run([
      "create-package '\(path("spec.json"))' '\(package)' --quiet",
      "features '\(package)' --layer Trails --count", "find ridge --map '\(package)'",
      "identify -109.9,38.3 --map '\(package)'",
    ])
    for answer in answers[1...2] {
      #expect(answer.components(separatedBy: "Ask for more.").count == 2, "\(answer)")
    }
    #expect(!answers[3].contains("Ask for more."), "the map was opened before, and stayed open")
  }

  @Test func `Features of a map on this device are listed by its title`() async throws {
    try Data(Self.trails.utf8).write(to: URL(filePath: path("trails.geojson")))
    let spec = """
      {"title": "Canyon", "data": {"Trails": {"file": "trails.geojson"}},
       "maps": [{"name": "m", "layers": [{"data": "Trails", "title": "Trails"}]}]}
      """
    try Data(spec.utf8).write(to: URL(filePath: path("spec.json")))
    let answers = await run([
      "create-package '\(path("spec.json"))' '\(path("canyon.mmpk"))' --quiet",
      "import '\(path("canyon.mmpk"))' --quiet", "features Canyon --layer Trails --csv",
      "features Canyon --layer Roads", "features Canyons --layer Trails",
    ])
    #expect(answers[2].contains("Ridge"), "\(answers[2])")
    #expect(answers[3].contains("Canyon") && answers[3].contains("Trails"), "\(answers[3])")
    #expect(answers[4].contains("neither a file \"Canyons\""), "\(answers[4])")
  }

  @Test func `A bookmark that was added is there the next time, and goes when it is removed`()
    async throws
  {
    try await makeFiles()
    let choice = "--map '\(path("mine.gpkg"))'"
    let added = await run(["bookmarks add Spring --center -109.9,38.3 --scale 5000 \(choice)"])
    #expect(added[0].contains("1  Spring (yours)"), "\(added[0])")
    let later = await run([
      "bookmarks \(choice)", "bookmarks add spring", "go-to Spring", "bookmarks remove Spring",
      "bookmarks", "go-to 0", "go-to '\(Int.min)'",
    ])
    #expect(later[0].contains("1  Spring (yours)"), "\(later[0])")
    #expect(later[1].contains("There is a bookmark \"spring\" already."), "\(later[1])")
    #expect(later[2].contains("1:5000"), "\(later[2])")
    #expect(later[3].contains("The map has no bookmarks."), "\(later[3])")
    #expect(later[5].contains("There is no bookmark \"0\"."), "\(later[5])")
    #expect(later[6].contains("error:"), "\(later[6])")
    let last = await run(["bookmarks \(choice)"])
    #expect(last[0].contains("The map has no bookmarks."), "\(last[0])")
  }

  @Test func `A specification is written for data, and makes a package as it is`() async throws {
    try Data(Self.trails.utf8).write(to: URL(filePath: path("trails.geojson")))
    let (spec, package) = (path("spec.json"), path("canyon.mmpk"))
    let answers = await run([
      "create-package '\(spec)' --from '\(path("trails.geojson"))'",
      "create-package '\(spec)' '\(package)' --quiet",
      "features '\(package)' --layer trails --csv",
      "create-package '\(spec)' '\(package)' --from '\(path("trails.geojson"))'",
      "create-package '\(path("other.json"))' --from '\(path("gone.geojson"))'",
    ])
    #expect(answers[0].contains("preview \(spec)"), "\(answers[0])")
    #expect(answers[2].contains("Ridge"), "\(answers[2])")
    #expect(answers[3].contains("makes no package"), "\(answers[3])")
    #expect(answers[4].contains("There is no file"), "\(answers[4])")
  }

  @Test func `A package of which one map is broken opens with the others`() async throws {
    let folder = temporaryDirectory.appending(path: "three")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let map = #"{"map": {"version": "2.37", "operationalLayers": []}, "item": {"title": "Sound"}}"#
    let info = #"{"title": "Three", "version": "3.2", "maps": ["a", "b", "c"]}"#
    for (name, text) in [("package.info", info), ("a.mmap", "?"), ("b.mmap", map), ("c.mmap", map)]
    {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    let package = folder.path(percentEncoded: false)
    let answers = await run([
      "open '\(package)'", "open --map 3", "open", "open '\(package)' --map 1",
      "toc --map '\(package)'", "open --number 3", "open --map 2 --number 3",
      "open --map '\(package)' --number 2", "open '\(package)' --map '\(package)'",
    ])
    #expect(answers[7].contains("open  2"), "\(answers[7])")
    #expect(answers[8].contains("named twice"), "\(answers[8])")
    #expect(answers[5].contains("open  3"), "\(answers[5])")
    #expect(answers[6].contains("[wrongUsage]"), "\(answers[6])")
    #expect(!answers[0].contains("[failed]") && answers[0].contains("a.mmap"), "\(answers[0])")
    for place in [1, 2, 4] { #expect(!answers[place].contains("[failed]"), "\(answers[place])") }
    #expect(answers[3].contains("[failed]"), "a map that is asked for is not another one")
  }

  @Test(arguments: [("latin.geojson", "latin", "feature 2: "), ("cut.csv", "cut", "line 3")])
  func `Unreadable parts of a text file are reported by every reader`(
    _ name: String, _ layer: String, _ words: String
  ) async throws {
    var text = Data(#"{"type": "FeatureCollection", "features": [{"type": "Feature", "#.utf8)
    text.append(Data(#""properties": {}, "geometry": null}, {"a": ""#.utf8))
    text.append(0xFC)
    text.append(Data(#""}]}"#.utf8))
    try text.write(to: URL(filePath: path("latin.geojson")))
    try Data("name,wkt\na,POINT (1 2)\nb,POINT (1\n".utf8).write(to: URL(filePath: path("cut.csv")))
    let features = "features '\(path(name))' --layer \(layer)"
    let answers = await run(["inspect '\(path(name))'", features, "\(features) --count"])
    for answer in answers {
      #expect(answer.contains(words) && answer.contains("[partlyDone]"), "\(answer)")
    }
  }

  @Test(arguments: ["t.gpkg", "t.xyz", "t.csv"])
  func `Names that tiles cannot have are refused in the same words`(_ name: String) async throws {
    try await makeFiles()
    let map = "--map '\(path("mine.gpkg"))' --levels 0-1 --quiet"
    let answer = await run(["tiles '\(path(name))' \(map)"]).joined()
    #expect(answer.contains("Tiles cannot be written to \(path(name))."), "\(answer)")
    #expect(answer.contains("Let its name end in .tpk, .tpkx, .mbtiles or .pmtiles"), "\(answer)")
    #expect(answer.contains("[wrongUsage]"), "\(answer)")
  }

  @Test func `A region without a server is not reported as resumable`() async throws {
    try await makeFiles()
    let tiles = path("tiles.mbtiles")
    let answers = await run([
      "tiles '\(tiles)' --map '\(path("mine.gpkg"))' --levels 0-1 --quiet",
      "tiles import '\(tiles)' --name Mine", "tiles download Mine",
    ])
    #expect(answers[1].contains("\"Mine\" has 5 tiles"), "\(answers[1])")
    #expect(answers[2].contains("has no server to download from"), "\(answers[2])")
    #expect(!answers[2].contains("continues it"), "\(answers[2])")
  }

  @Test func `A command on the open map, named again, is about that very map`() async throws {
    try await makeFiles()
    let mine = path("mine.gpkg")
    let answers = await run([
      "open '\(mine)' --quiet", "identify -109.9,38.3", "popup 1 --map '\(mine)'",
      "hide mine --map '\(mine)'", "toc",
    ])
    #expect(answers[2].contains("1 of 1"))
    #expect(answers[4] == "[ ] mine\n")
  }

  @Test func `Where no map is open, a map that a line names stays open`() async throws {
    try await makeFiles()
    let answers = await run(["identify -109.9,38.3 --map '\(path("mine.gpkg"))'", "popup 1"])
    #expect(answers[1].contains("1 of 1"))
  }

  private func single(_ words: [String]) async -> String {
    let console = TranscriptConsole()
    let program = Program(
      Program.Surroundings(
        console: console, makeSession: { session(console, $0) },
        makeReader: { _ in PlainLineReader() }))
    _ = await program.run(words)
    return console.transcript
  }

  @Test func `A single command that does nothing lasting says so`() async throws {
    try await makeFiles()
    let map = path("mine.gpkg")
    for words in [
      ["open", map], ["hide", "mine", "--map", map], ["show", "mine", "--map", map],
      ["view", "--scale", "500", "--map", map],
    ] {
      #expect(await single(words).contains("closed when this command ends"), "\(words)")
    }
    for words in [["toc", "--map", map], ["open", map, "--quiet"]] {
      #expect(await !single(words).contains("closed when"), "\(words)")
    }
    let script = path("script")
    try Data("open '\(map)'\nhide mine\ntoc".utf8).write(to: URL(filePath: script))
    #expect(await !single(["run", script]).contains("closed when"))
  }
}
