import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanJSON
import PortolanLibrary
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

@testable import PortolanApp

/// Files that bear the name of a mobile map package and are something else.
@Suite(.temporaryDirectory) struct PackageSourceTests {
  private static let description = TilePackageDescription(
    name: "tiles", fullExtent: Envelope(xMin: -1, yMin: -1, xMax: 1, yMax: 1), format: "PNG",
    vectorMetadata: ["vector_layers": [["id": "coast"]]])

  private func refusal(of url: URL) async throws -> Problem? {
    let source = try PackageSource(url)
    do { try await source.checkIsPackage() } catch { return error }
    return nil
  }

  private func isImportOfTiles(_ problem: Problem) -> Bool {
    problem.actions == [NextAction(.importTiles)]
      && problem.suggestion == "Import the tiles of the file as a region."
  }

  @Test func `A folder has the bytes of all in it, and the date of what was written last`() throws {
    let folder = temporaryDirectory.appending(path: "town", directoryHint: .isDirectory)
    let inner = folder.appending(path: "p13", directoryHint: .isDirectory)
    let files = FileManager.default
    try files.createDirectory(at: inner, withIntermediateDirectories: true)
    let (first, second) = (folder.appending(path: "a"), inner.appending(path: "b"))
    try Data(count: 3).write(to: first)
    try Data(count: 5).write(to: second)
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    // The folders last, which are written to with what is in them.
    for (url, seconds) in [(first, 0.0), (second, 500), (inner, 100), (folder, 200)] {
      try files.setAttributes([.modificationDate: date + seconds], ofItemAtPath: url.path)
    }
    let source = try PackageSource(folder)
    #expect(source.name == "town" && source.form == .folder && source.byteCount == 8)
    #expect(source.modified == date + 500)
    let link = temporaryDirectory.appending(path: "link")
    try files.createSymbolicLink(at: link, withDestinationURL: folder)
    let linked = try PackageSource(link)
    #expect(linked.name == "link" && linked.form == .folder && linked.byteCount == 8)
    #expect(linked.modified == date + 500)
  }

  @Test func `A tile package under the name of a mobile map package is named and refused`()
    async throws
  {
    let url = temporaryDirectory.appending(path: "a.mmpk")
    var writer = try TilePackageWriter(at: url, Self.description)
    try writer.add(Data("tile".utf8), at: TileID(level: 0, row: 0, column: 0))
    try writer.finish()
    let problem = try #require(await refusal(of: url))
    #expect(
      problem.message
        == "\"a.mmpk\" is a tile package, not a mobile map package, although its "
        + "name ends in .mmpk.")
    #expect(isImportOfTiles(problem) && problem.code == .notAPackage)
  }

  @Test func `So is a vector tile package, in any letters`() async throws {
    let url = temporaryDirectory.appending(path: "a.MMPK")
    var writer = try VectorTilePackageWriter(
      at: url, Self.description, style: ["version": 8, "layers": []], resources: [])
    try writer.add(try Gzip.compress(Data("tile".utf8)), at: TileID(level: 0, row: 0, column: 0))
    try writer.finish()
    let problem = try #require(await refusal(of: url))
    #expect(
      problem.message == "\"a.MMPK\" is a vector tile package, not a mobile map package, although "
        + "its name ends in .MMPK.")
    #expect(isImportOfTiles(problem))
  }

  @Test func `A folder of tiles is no unpacked package`() async throws {
    let url = temporaryDirectory.appending(path: "cache", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: url.appending(path: "root.json"))
    let problem = try #require(await refusal(of: url))
    #expect(
      problem.message == "\"cache\" is a folder of tiles, not an unpacked mobile map package.")
    #expect(isImportOfTiles(problem))
    try Data("{}".utf8).write(to: url.appending(path: "town.mmap"))
    #expect(try await refusal(of: url) == nil)
  }

  @Test func `So is a folder with a file for each tile`() async throws {
    let url = temporaryDirectory.appending(path: "tiles", directoryHint: .isDirectory)
    let column = url.appending(path: "0/0", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: column, withIntermediateDirectories: true)
    try Data("tile".utf8).write(to: column.appending(path: "0.png"))
    let problem = try #require(await refusal(of: url))
    #expect(
      problem.message == "\"tiles\" is a folder of tiles, not an unpacked mobile map package.")
    #expect(isImportOfTiles(problem))
    try Data("{}".utf8).write(to: url.appending(path: "town.mmap"))
    #expect(try await refusal(of: url) == nil)
  }

  @Test(arguments: [
    ("PMTiles\u{3}", "a PMTiles archive", [NextAction.Kind.importTiles]),
    (#"{"type": "FeatureCollection", "features": []}"#, "a GeoJSON file", [.readFeatures]),
    (#"{"baseMap": {}}"#, "a JSON document", [.openFile]),
    ("PLBS\u{1}", "a locator in a closed format", []),
    ("SQLite format 3\0", "a database", [.openFile]),
  ])
  func `The kind found in the first bytes is named, with what can be done`(
    _ contents: String, _ kind: String, _ actions: [NextAction.Kind]
  ) async throws {
    let url = temporaryDirectory.appending(path: "a.mmpk")
    try Data(contents.utf8).write(to: url)
    let problem = try #require(await refusal(of: url))
    #expect(
      problem.message
        == "\"a.mmpk\" is \(kind), not a mobile map package, although its name ends in .mmpk.")
    #expect(problem.actions.map(\.kind) == actions && problem.suggestion != nil)
  }

  @Test func `An archive is a package if it has a map in it`() async throws {
    let url = temporaryDirectory.appending(path: "a.mmpk")
    for (name, isPackage) in [("a.txt", false), ("p13/town.mmap", true), ("town.info", true)] {
      var archive = try ZIPWriter(replacing: url)
      try archive.add(name, Data("{}".utf8))
      try archive.finish()
      let problem = try await refusal(of: url)
      #expect((problem == nil) == isPackage, "\(name)")
      #expect(problem?.message.contains("a ZIP archive without a map") != false)
    }
  }

  @Test func `A damaged archive is left to the reader that examines it`() async throws {
    let url = temporaryDirectory.appending(path: "a.mmpk")
    for contents in ["", "PK", "\u{0}\u{1}"] {
      try Data(contents.utf8).write(to: url)
      #expect(try await refusal(of: url) == nil)
    }
  }
}
