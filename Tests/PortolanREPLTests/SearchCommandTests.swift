import Foundation
import PortolanApp
import PortolanComposition
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// Searching a GeoPackage with addresses and streets.
@MainActor
@Suite(.temporaryDirectory) struct SearchCommandTests {
  private static let town = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "id": 1, "properties": {"NAME": "Main St"},
       "geometry": {"type": "LineString", "coordinates": [[0, 0], [0.02, 0]]}},
      {"type": "Feature", "id": 2, "properties": {"NAME": "2nd Ave"},
       "geometry": {"type": "LineString", "coordinates": [[0.01, -0.01], [0.01, 0.01]]}},
      {"type": "Feature", "id": 3, "properties": {"NAME": "Élan Lane"},
       "geometry": {"type": "LineString", "coordinates": [[0.5, 0.5], [0.51, 0.5]]}}]}
    """

  private func path(_ name: String) -> String {
    temporaryDirectory.appending(path: name).path(percentEncoded: false)
  }

  private func run(_ lines: [String]) async throws -> [String] {
    try Data(Self.town.utf8).write(to: URL(filePath: path("town.geojson")))
    let home = HomeFolder(option: path("home"), environment: [:])
    let console = TranscriptConsole()
    let session = Session(
      console: console, options: GlobalOptions(),
      app: LiveApp(home: home, drawing: PictureDrawing()).model())
    let preparation = [
      "convert '\(path("town.geojson"))' '\(path("town.gpkg"))' --quiet",
      "open '\(path("town.gpkg"))' --quiet",
    ]
    let answers = await console.answers(to: preparation + lines, in: session)
    return Array(answers.dropFirst(preparation.count))
  }

  @Test func `Suggestions are listed, and one of them is shown`() async throws {
    let answers = try await run(["suggest elan", "pick 1", "view --json"])
    #expect(answers[0] == "1  Élan Lane  (town)\n")
    #expect(answers[1].hasPrefix("Élan Lane  (town)  0.505,0.5\n"))
    #expect(answers[2].contains("0.505"))
  }

  @Test func `A place that is picked shows the popup of its feature`() async throws {
    let answers = try await run(["find elan", "pick 1", "pick 1 --json", "find 0.2,0.3", "pick 1"])
    #expect(answers[1].contains("town, 1 of 1"))
    #expect(answers[2].contains("\"popup\"") && !answers[2].contains("\"popup\":null"))
    #expect(!answers[4].contains("town, 1 of 1"))
  }

  @Test func `A pair that was printed with the longitude first is understood`() async throws {
    let answers = try await run(["find 0.505,0.001"])
    #expect(answers[0].contains("0.505"))
  }

  @Test func `A crossing and a coordinate are found`() async throws {
    let answers = try await run(["find 'main & 2nd' --json", "find 44.5, -68.25"])
    #expect(answers[0].contains(#""kind":"intersection""#) || answers[0].contains("intersection"))
    #expect(answers[0].contains("Main St & 2nd Ave"))
    #expect(answers[1].contains("44.5° N, 68.25° W") && answers[1].contains("-68.25,44.5"))
  }

  @Test func `Features near a place are found`() async throws {
    let answers = try await run(["find --at 0.0101,0.0001 --within 50 --limit 2"])
    #expect(answers[0].contains("2nd Ave") && answers[0].contains("Main St"))
  }

  @Test func `A search can be limited to layers, which are named`() async throws {
    let answers = try await run([
      "find main --layer TOWN", "suggest main --layer town", "find main --layer village",
      "find --at 0.0101,0.0001 --within 50 --layer town",
    ])
    #expect(answers[0].contains("Main St") && answers[1] == "1  Main St  (town)\n")
    #expect(answers[2].contains("There is no layer \"village\"."))
    #expect(answers[2].contains("[notFound]"))
    #expect(answers[3].contains("2nd Ave"))
  }

  @Test func `No match is distinguished from a map that cannot be searched`() async throws {
    let answers = try await run(["find zzz", "suggest zzz", "close", "find zzz", "pick 1"])
    #expect(answers[0] == "There are no matches in this map's index.\n")
    #expect(answers[1] == answers[0])
    #expect(answers[3].contains("No map is open"))
  }

  @Test func `Picking needs a list of the open map, and says how to get one`() async throws {
    let other = path("other.gpkg")
    let answers = try await run([
      "convert '\(path("town.geojson"))' '\(other)' --quiet", "find main",
      "find main --map '\(other)'",
      "pick 1 --map '\(other)'", "pick 1 --map '\(path("town.gpkg"))'", "close",
      "pick 1 --map '\(path("gone.gpkg"))'", "pick 1",
    ])
    #expect(answers[4].contains("Main St"), "\(answers[4])")
    for place in [3, 6, 7] {
      #expect(answers[place].contains("[wrongUsage]"), "\(answers[place])")
      #expect(answers[place].contains("\"open MAP\", \"find TEXT\" and \"pick N\""))
    }
  }

  /// A package with three maps: two with the streets, one of them with squares too, one without names.
  private func makeBook() throws -> [String] {
    let square = #"{"type": "Feature", "properties": {"NAME": "Main Square"}, "geometry": "#
    let depth = #"{"type": "Feature", "properties": {"DEPTH": 4.5}, "geometry": "#
    let point = #"{"type": "Point", "coordinates": [0.005, 0]}}"#
    for (name, feature) in [("squares", square), ("wells", depth)] {
      let text = #"{"type": "FeatureCollection", "features": ["# + feature + point + "]}"
      try Data(text.utf8).write(to: URL(filePath: path("\(name).geojson")))
    }
    let spec = """
      {"title": "Book", "data": {"Streets": {"file": "town.geojson"},
         "Squares": {"file": "squares.geojson"}, "Wells": {"file": "wells.geojson"}},
       "maps": [
         {"name": "roads", "title": "Roads", "layers": [{"data": "Streets", "title": "Streets"}]},
         {"name": "town", "title": "Town", "layers": [{"data": "Streets", "title": "Streets"},
           {"data": "Squares", "title": "Squares"}]},
         {"name": "water", "title": "Water", "layers": [{"data": "Wells", "title": "Wells"}]}]}
      """
    try Data(spec.utf8).write(to: URL(filePath: path("spec.json")))
    return ["close", "create-package '\(path("spec.json"))' '\(path("book.mmpk"))' --quiet"]
  }

  @Test func `All maps of a package are searched, unless one is chosen`() async throws {
    let book = "--map '\(path("book.mmpk"))'"
    let answers = try await run(
      makeBook() + [
        "find main \(book)", "pick 2", "suggest main \(book)", "suggest square --json \(book)",
        "find main --number 1 \(book)", "find zzz \(book)", "find square --layer Squares \(book)",
        "find square --layer Parks \(book)",
      ]
    ).dropFirst(2).map(\.self)
    let unsearched = "\"Water\" cannot be searched: no layer has texts on this device."
    #expect(answers[0].contains(unsearched), "\(answers[0])")
    #expect(answers[0].contains("[partlyDone]"), "\(answers[0])")
    #expect(answers[0].contains("Main Square  Squares  Town"), "\(answers[0])")
    #expect(answers[0].contains("Main St      Streets  Roads, Town"), "\(answers[0])")
    #expect(answers[1].hasPrefix("Main Square"), "\(answers[1])")
    #expect(answers[2].contains("Main Square  (Squares; Town)"), "\(answers[2])")
    #expect(answers[3].contains(#""maps":[{"number":2,"title":"Town"}]"#), "\(answers[3])")
    #expect(answers[4].contains("Main St") && !answers[4].contains("Square"), "\(answers[4])")
    #expect(answers[5].hasPrefix("There are no matches in the indexes of the 2 maps.\n\n\"Water\""))
    #expect(answers[6].contains("Main Square") && !answers[6].contains("Water"), "\(answers[6])")
    #expect(answers[7].contains("no layer \"Parks\"") && answers[7].contains("[notFound]"))
    let titles = "There are \"Streets\", \"Squares\", \"Wells\"."
    #expect(answers[7].contains(titles), "\(answers[7])")
  }

  @Test func `Where the open map has no match the others of its package are searched`()
    async throws
  {
    let answers = try await run(
      makeBook() + [
        "open '\(path("book.mmpk"))' --quiet", "find main", "find square", "pick 1", "view",
      ]
    ).dropFirst(3).map(\.self)
    #expect(!answers[0].contains("map"), "the open map has it: \(answers[0])")
    #expect(answers[1].contains("Main Square  Squares  Town"), "\(answers[1])")
    #expect(answers[2].hasPrefix("Main Square  (Squares)"), "\(answers[2])")
    #expect(answers[3].hasPrefix("Town\n"), "\(answers[3])")
  }

  @Test func `Where the open map lacks the layer those of its package that have it are searched`()
    async throws
  {
    let answers = try await run(
      makeBook() + [
        "open '\(path("book.mmpk"))' --quiet", "find main --layer Squares",
        "suggest main --layer Squares", "find --at 0.005,0 --layer Squares",
        "find main --layer Parks",
      ]
    ).dropFirst(3).map(\.self)
    for answer in answers.prefix(3) {
      #expect(answer.contains("Main Square") && answer.contains("Town"), "\(answer)")
      #expect(!answer.contains("Main St"), "\(answer)")
    }
    #expect(answers[3].contains("no layer \"Parks\"") && answers[3].contains("[notFound]"))
  }

  @Test func `The index is kept in the home, beside no map`() async throws {
    _ = try await run(["find main"])
    let files = try FileManager.default.contentsOfDirectory(atPath: path("home/search"))
    #expect(files.count == 1)
    let here = try FileManager.default.contentsOfDirectory(atPath: path(""))
    #expect(Set(here) == ["home", "town.geojson", "town.gpkg"])
  }

  @Test(arguments: ["find", "find main --at 1,2", "find main --within 5", "pick 0", "suggest"])
  func `Wrong usage is reported`(_ line: String) async throws {
    let answers = try await run([line])
    #expect(answers[0].contains("[wrongUsage]"))
  }
}
