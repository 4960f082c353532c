import Foundation
import PortolanArchives
import PortolanTestSupport
import Testing

/// Sessions on a package that ArcGIS Runtime wrote.
@MainActor
@Suite(.temporaryDirectory, .needsSharedFiles) struct CanyonlandsTests {
  static let package = SharedFiles.url("samples/preplanned-package/canyonlands")

  static let lines = [
    "open PACKAGE", "toc", "legend", "bookmarks", "view", "identify -109.9,38.3", "popup 1",
    "hide \"canyonlands_roads_trails - CNP_Roads\"", "identify -109.9,38.3",
    "show \"canyonlands_roads_trails - CNP_Roads\"",
    "view --center -109.9,38.3 --scale 400000", "identify --screen 512,384", "popup next",
    "inspect PACKAGE",
    "features PACKAGE --layer CNP_Roads --where \"RDCLASS = '4WD' AND Shape_STLe < 300\" --limit 1",
    "identify 200", "popup 99", "hide nothing", "go-to nowhere", "open --map 2",
  ]

  func transcript(of package: URL) async -> String {
    let path = "'\(package.path(percentEncoded: false))'"
    let session = LiveSession(
      home: temporaryDirectory.appending(path: "home"), replacing: [(package, "canyonlands")])
    return await session.transcript(Self.lines.map { $0.replacing("PACKAGE", with: path) })
  }

  @Test func `A session on the folder reads as recorded`() async throws {
    try expectSnapshot(await transcript(of: Self.package), named: "canyonlands.txt")
  }

  @Test(arguments: [true, false])
  func `The same package as an archive answers the same`(isCompressed: Bool) async throws {
    let archive = temporaryDirectory.appending(path: "canyonlands.mmpk")
    try Self.pack(Self.package, into: archive, compressed: isCompressed)
    let home = temporaryDirectory.appending(path: "home")
    let map = "--map '\(archive.path(percentEncoded: false))'"
    let folder = "--map '\(Self.package.path(percentEncoded: false))'"
    for command in ["toc", "legend", "identify -109.9,38.3", "popup 1 --at -109.9,38.3", "view"] {
      let packed = await LiveSession(home: home).transcript(["\(command) \(map)"])
      let unpacked = await LiveSession(home: home).transcript(["\(command) \(folder)"])
      #expect(
        packed.split(separator: "\n").dropFirst() == unpacked.split(separator: "\n").dropFirst())
    }
    // Only what is compressed has to be unpacked.
    let unpacked = home.appending(path: "unpacked").path(percentEncoded: false)
    #expect(FileManager.default.fileExists(atPath: unpacked) == isCompressed)
  }

  /// Packs a folder as ArcGIS does.
  static func pack(_ folder: URL, into archive: URL, compressed: Bool) throws {
    var writer = try ZIPWriter(replacing: archive)
    let root = folder.resolvingSymlinksInPath().path(percentEncoded: false)
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    for file in files {
      let url = folder.appending(path: file)
      guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      try writer.add(
        file, Data(contentsOf: url), method: compressed ? .deflated(level: 6) : .stored)
    }
    try writer.finish()
  }
}
