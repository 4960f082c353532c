import Foundation
import PortolanArchives
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// Sessions on files that ArcGIS wrote, from the line typed to the text shown.
@MainActor
@Suite(.needsSharedFiles, .temporaryDirectory) struct SampleTranscriptTests {
  private static let canyonlands = SharedFiles.url("samples/preplanned-package/canyonlands")

  private static let session = [
    "toc", "open PACKAGE", "toc", "legend", "bookmarks", "view", "identify -109.9,38.3",
    "popup 1", "hide 'canyonlands_roads_trails - CNP_Roads'", "identify -109.9,38.3",
    "show 'canyonlands_roads_trails - cnp_roads'", "identify -109.9,38.3", "popup 9",
    "go-to nowhere", "open --map 2", "quit",
  ]

  private static let documents = [
    "toc", "open PACKAGE", "toc", "legend", "bookmarks", "view", "identify -109.9,38.3",
    "popup 9", "inspect PACKAGE",
  ].map { $0 + " --json" }

  /// Runs lines with the file in the place of `PACKAGE`; its path is not in the transcript.
  private func transcript(
    _ lines: [String], on file: URL, width: Int? = 100
  ) async -> String {
    await liveTranscript(of: lines, on: file, home: temporaryDirectory, width: width)
  }

  @Test(arguments: [("test_fixture_1", "0"), ("poly", "0 to 5")])
  func `Layers in tiles list their levels, a single one by its number`(
    _ name: String, _ levels: String
  ) async throws {
    let text = await transcript(
      ["inspect PACKAGE"], on: SharedFiles.url("samples/pmtiles/\(name).pmtiles"))
    let row = try #require(text.split(separator: "\n").first { $0.contains("Polygon") })
    #expect(row.hasSuffix("  \(levels)"))
  }

  @Test func `A session on an unpacked package reads as recorded`() async throws {
    let lines = ["inspect PACKAGE"] + Self.session
    try expectSnapshot(
      await transcript(lines, on: Self.canyonlands), named: "canyonlands.txt")
  }

  @Test func `The same session in documents reads as recorded`() async throws {
    try expectSnapshot(
      await transcript(Self.documents, on: Self.canyonlands, width: nil),
      named: "canyonlands-json.txt")
  }

  @Test func `A folder of packages reads as recorded`() async throws {
    let folder = temporaryDirectory.appending(path: "packages", directoryHint: .notDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in [
      "mbtiles/world_l1.mbtiles", "geopackage/raster_and_vector.gpkg",
      "geodatabases/LA_Trails.geodatabase",
    ] {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      try SharedFiles.copy("samples/\(file)", to: folder.appending(path: name))
    }
    let canyonlands = folder.appending(path: "canyonlands", directoryHint: .isDirectory)
    try SharedFiles.copy("samples/preplanned-package/canyonlands", to: canyonlands)
    try Data("no archive".utf8).write(to: folder.appending(path: "broken.tpkx"))
    try Data("a letter".utf8).write(to: folder.appending(path: "letter.txt"))
    try expectSnapshot(
      await transcript(["inspect PACKAGE", "inspect PACKAGE --json"], on: folder),
      named: "folder.txt")
  }

  private static let edits = [
    "open PACKAGE", "edit form CNP_Roads", "changes",
    "edit add CNP_Trails --at -109.90,38.30 --at -109.91,38.31 'TRLNAME=New trail'",
    "edit set CNP_Trails 3 'TRLNAME=Renamed trail' TRLSTATUS=Closed", "edit remove CNP_Trails 5",
    "identify -109.9,38.3", "popup 2", "changes", "edit undo", "changes --json",
    "edit set CNP_Trails 99999 TRLNAME=x", "edit set CNP_Trails 3 COLOUR=red",
    "edit set CNP_Trails 3 GlobalID_2=x", "edit add CNP_Trails --at -109.9,38.3",
    "edit add CNP_Trails --at 500,1",
    "edit move CNP_Trails 3 --at 0,0 --at 1e12,0 --crs native",
    "edit attach CNP_Trails 3 PACKAGE/package.info", "edit undo", "edit undo", "edit undo",
    "changes",
  ]

  @Test func `A session that edits reads as recorded`() async throws {
    let copy = temporaryDirectory.appending(path: "canyonlands")
    try SharedFiles.copy("samples/preplanned-package/canyonlands", to: copy)
    let text = await transcript(Self.edits, on: copy)
    let ids = /\{[0-9A-F]{8}-[0-9A-F-]{27}\}/
    try expectSnapshot(text.replacing(ids, with: "{…}"), named: "canyonlands-edits.txt")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: copy.appending(path: "p13").path(percentEncoded: false))
    #expect(files.count == 4)
  }

  @Test func `A package that may not be written is not edited`() async throws {
    let copy = temporaryDirectory.appending(path: "canyonlands")
    try SharedFiles.copy("samples/preplanned-package/canyonlands", to: copy, isWritable: false)
    let text = await transcript(["open PACKAGE", "edit remove CNP_Trails 5", "changes"], on: copy)
    #expect(text.contains("may not be written"))
    #expect(text.contains("There are no changes."))
  }

  @Test func `Every feature of a table is written`() async throws {
    let line = "features PACKAGE --layer cnp_trails --json"
    let text = await transcript([line], on: Self.canyonlands, width: nil)
    let document = try JSONValue(parsing: String(text.dropFirst(line.count + 2)))
    let features = try #require(document["features"]?.array)
    #expect(features.count == 55)
    for feature in features {
      let place = feature["geometry"]?["coordinates"]?[0]
      let longitude = (place?[0]?.double ?? place?[0]?[0]?.double).map { $0.rounded() }
      #expect(longitude == -110, "\(String(describing: feature["id"]))")
    }
  }

  @Test(arguments: [ZIPWriter.Method.stored, .deflated(level: 6)])
  func `The same package in one file reads the same`(method: ZIPWriter.Method) async throws {
    let file = temporaryDirectory.appending(path: "canyonlands.mmpk")
    try pack(Self.canyonlands, into: file, method)
    let packed = await transcript(Self.session, on: file)
    #expect(packed == (await transcript(Self.session, on: Self.canyonlands)))
  }

  @Test func `What files of other kinds hold reads as recorded`() async throws {
    var text = ""
    for path in [
      "geodatabases/LA_Trails.geodatabase", "geodatabases/militaryoverlay.geodatabase",
      "geodatabases/usa-10.2.1.geodatabase", "tile-packages/Usa.tpkx",
      "tile-packages/compact-cache-v2", "tile-packages/dodge_city.vtpk",
      "locators/san-diego-locator.loc", "geopackage/byte.gpkg",
      "preplanned-package/canyonlands/p13/mobile_map.mmap",
    ] {
      text += "--- \(path)\n"
      text += await transcript(["inspect PACKAGE"], on: SharedFiles.url("samples/" + path))
    }
    try expectSnapshot(text, named: "samples.txt")
  }

  private func pack(_ folder: URL, into file: URL, _ method: ZIPWriter.Method) throws {
    var writer = try ZIPWriter(replacing: file)
    let root = folder.path(percentEncoded: false)
    for path in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
      let url = folder.appending(path: path)
      guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      try writer.add(path, try Data(contentsOf: url), method: method)
    }
    try writer.finish()
  }
}
