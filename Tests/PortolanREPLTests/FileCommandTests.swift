import Foundation
import PortolanApp
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@MainActor
@Suite struct FileCommandTests {
  @Test func `Inspecting files reads as recorded`() async throws {
    let lines = [
      "inspect towns.geodatabase", "inspect towns.geodatabase --json", "inspect backdrop.tpkx",
      "inspect backdrop.tpkx --json", "inspect places.loc", "inspect places.loc --json",
      "inspect nothing.mmpk", "inspect nothing.mmpk --json", "inspect",
    ]
    try expectSnapshot(
      await transcript(of: lines, commands: .standard, files: .samples), named: "inspect.txt")
  }

  @Test func `Writing features reads as recorded`() async throws {
    let file = "features towns.geodatabase"
    let lines = [
      "\(file) --layer towns", "\(file) --layer TOWNS --crs native --json",
      "\(file) --layer 'Towns of “Maine”' --limit 1", "\(file) --layer towns --limit 0",
      "\(file) --layer towns --where \"name LIKE 'Port%'\"", "\(file) --layer towns --where 'x ='",
      "\(file) --layer towns --bbox -71,43,-70,44 --limit 1",
      "\(file) --layer towns --crs native --bbox -7592001,5522000,-7592000,5522001",
      "\(file) --layer twons", "\(file) --layer twons --json", file,
      "features broken.geodatabase --layer towns --crs native",
      "features broken.geodatabase --layer towns --crs native --json",
      "features backdrop.tpkx --layer x", "features places.loc --layer x",
      "features nothing --layer x", "\(file) --layer towns --crs 3857",
      "\(file) --layer towns --order NAME:desc,OBJECTID --fields name --limit 2",
      "\(file) --layer towns --fields NAMES", "\(file) --layer towns --order NAME:down",
      "\(file) --layer towns --count",
      "\(file) --layer towns --where \"name LIKE 'Port%'\" --count --json",
      "\(file) --layer towns --csv",
      "\(file) --layer towns --csv --crs native --fields height,Name",
      "\(file) --layer towns --csv --json", "\(file) --layer towns --csv --count",
    ]
    try expectSnapshot(
      await transcript(of: lines, commands: .standard, files: .samples), named: "features.txt")
  }

  @Test(arguments: [
    ("200,0,210,1", "200, is no longitude"), ("0,-91,1,0", "-91, is no latitude"),
    ("3,0,2,1", "3, lies east of its east edge, 2"),
    ("3,0,2,1 --crs native", "3, lies east of its east edge, 2"),
    ("0,2,1,1 --crs 3857", "2, lies north of its north edge, 1"),
  ])
  func `A box that holds nothing is refused with the edge that is wrong`(
    box: String, words: String
  ) async {
    let text = await transcript(
      of: ["features towns.geodatabase --layer towns --bbox \(box)"], commands: .standard,
      files: .samples)
    #expect(text.contains(words) && text.contains("[wrongUsage]"), "\(text)")
  }

  @Test(arguments: ["", "--json", "--crs native", "--limit 0"])
  func `A collection is one JSON document`(options: String) async throws {
    let text = await transcript(
      of: ["features towns.geodatabase --layer towns \(options)"], commands: .standard,
      files: .samples)
    let document = text.drop { $0 != "\n" }
    let json = try JSONValue(parsing: String(document))
    #expect(json["type"] == "FeatureCollection")
    #expect(json["features"]?.array?.count == (options == "--limit 0" ? 0 : 4))
  }

  @Test(.temporaryDirectory) func `Converting reads as recorded`() async throws {
    let folder = temporaryDirectory.path(percentEncoded: false)
    let lines = [
      "convert towns.geodatabase TMP/towns.geojson", "convert towns.geodatabase TMP/towns.geojson",
      "convert towns.geodatabase TMP/towns.geojson --crs native --yes --json --quiet",
      "convert towns.geodatabase TMP/towns.csv --crs EPSG:26919",
      "convert towns.geodatabase TMP/towns.gpkg --crs 999999",
      "convert towns.geodatabase TMP/towns.geojson --json --quiet",
      "convert towns.geodatabase TMP/layers/ --quiet",
      "convert broken.geodatabase TMP/broken.geojson --quiet",
      "convert broken.geodatabase TMP/broken.geojson --yes --quiet --json",
      "convert towns.geodatabase TMP/towns.geojson --layer cities --yes",
      "convert towns.geodatabase TMP/towns.dxf", "convert towns.geodatabase TMP/no/towns.gpkg",
      "convert backdrop.tpkx TMP/x.gpkg", "convert places.loc TMP/x.geojson",
      "convert nothing TMP/x.gpkg", "convert towns.geodatabase", "convert --help",
    ]
    let text = await transcript(
      of: lines.map { $0.replacing("TMP", with: folder.withoutSlash) }, commands: .standard,
      files: .samples)
    // The frequency of progress reports depends on the machine.
    let shown = text.replacing(folder.withoutSlash, with: "TMP")
      .split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("~ ") }
      .joined(separator: "\n")
    try expectSnapshot(shown, named: "convert.txt")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(left == ["broken.geojson", "layers", "towns.csv", "towns.geojson"])
  }

  @Test(.temporaryDirectory)
  func `Coordinates are not projected before it is known what they mean`() async throws {
    let file = temporaryDirectory.appending(path: "places.csv")
    try Data("x,y\n419825,4872358\n".utf8).write(to: file)
    let output = temporaryDirectory.appending(path: "out.geojson").path(percentEncoded: false)
    let line = "convert PACKAGE '\(output)' --crs 4326"
    let refusal = await liveTranscript(of: [line], on: file, home: temporaryDirectory)
    #expect(
      refusal.contains("IN has with --from-crs") && refusal.contains("[failed]"), "\(refusal)")
    #expect(!FileManager.default.fileExists(atPath: output))
    let text = await liveTranscript(
      of: [line + " --from-crs 32619"], on: file, home: temporaryDirectory)
    #expect(!text.contains("[failed]") && FileManager.default.fileExists(atPath: output), "\(text)")
  }

  @Test(
    .temporaryDirectory,
    arguments: [
      ("--crs 4326", false), ("--crs 3857 --csv", false), ("--crs 4326 --count", true),
      ("--crs native", true), ("", true),
    ])
  func `Features are not written in a reference before it is known what their coordinates mean`(
    _ options: String, _ isDone: Bool
  ) async throws {
    let file = temporaryDirectory.appending(path: "places.csv")
    try Data("x,y\n419825,4872358\n".utf8).write(to: file)
    let text = await liveTranscript(
      of: ["features PACKAGE --layer places \(options)"], on: file, home: temporaryDirectory)
    #expect(text.contains("cannot be projected") != isDone, "\(text)")
    #expect(text.contains("[failed]") != isDone, "\(text)")
  }
}

extension String {
  fileprivate var withoutSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
