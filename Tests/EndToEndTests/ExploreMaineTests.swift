import Foundation
import PortolanSample
import PortolanTestSupport
import Testing

/// Sessions on the sample that ships.
@MainActor
@Suite(.temporaryDirectory) struct ExploreMaineTests {
  @Test func `The walk through the sample reads as recorded`() async throws {
    let home = temporaryDirectory.appending(path: "home")
    let session = LiveSession(
      home: home, replacing: [(home.appending(path: "samples/explore-maine.mmpk"), "SAMPLE")])
    try expectSnapshot(await session.transcript(["demo --sample"]), named: "demo-sample.txt")
  }

  @Test func `The walk through the sample is one document with JSON`() async throws {
    let home = temporaryDirectory.appending(path: "home")
    let transcript = await LiveSession(home: home).transcript(["demo --sample --json"])
    let document = transcript.split(separator: "\n").dropFirst().joined()
    let value = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any]
    #expect((value?["steps"] as? [Any])?.count ?? 0 > 10)
  }

  @Test func `A session on the three maps reads as recorded`() async throws {
    let home = temporaryDirectory.appending(path: "home")
    let package = temporaryDirectory.appending(path: "maine.mmpk")
    try await ExploreMaine.write(to: package)
    let path = package.path(percentEncoded: false)
    let session = LiveSession(home: home, replacing: [(package, "maine.mmpk")])
    let lines = [
      "inspect '\(path)'", "open '\(path)'", "go-to Acadia", "view", "identify -68.2250,44.3526",
      "popup 1", "popup next", "show \"Land and water of the counties\"", "toc", "open --map 2",
      "legend", "view --center -70.2079,43.6231 --scale 25000", "legend",
      "identify -70.2079,43.6231", "popup 1", "open --map 3", "toc",
      "legend", "bookmarks",
      "features '\(path)' --layer Lakes --where \"NAME = 'Rangeley Lake'\" --crs native",
      "features '\(path)' --layer Lighthouses --bbox -68.4,44.1,-68.0,44.4 --limit 2",
    ]
    try expectSnapshot(await session.transcript(lines), named: "explore-maine.txt")
  }

  @Test func `Attachments are opened as copies, where there is a desktop`() async throws {
    let package = temporaryDirectory.appending(path: "maine.mmpk")
    try await ExploreMaine.write(to: package)
    let lines = [
      "open '\(package.path(percentEncoded: false))' --map 2 --quiet",
      "view --center -70.2079,43.6231 --scale 25000 --quiet", "identify -70.2079,43.6231 --quiet",
      "attachments portland-head-light.png --open",
    ]
    let home = temporaryDirectory.appending(path: "home")
    let alone = await LiveSession(home: home).transcript(lines)
    #expect(alone.contains("There is no desktop to open \"portland-head-light.png\" on."))
    let opened = Opened()
    let text = await LiveSession(home: home, openFile: opened.open).transcript(lines)
    let file = try #require(opened.files.first)
    #expect(opened.files.count == 1 && text.contains("Opened \(file.relativePath), 1.6 kB."))
    #expect(try Data(contentsOf: file).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    try FileManager.default.removeItem(at: file.deletingLastPathComponent())
  }

  @Test func `Attachments are saved, and related records opened`() async throws {
    let package = temporaryDirectory.appending(path: "maine.mmpk")
    let photos = temporaryDirectory.appending(path: "photos", directoryHint: .notDirectory)
    try await ExploreMaine.write(to: package)
    let session = LiveSession(
      home: temporaryDirectory.appending(path: "home"),
      replacing: [(package, "maine.mmpk"), (photos, "PHOTOS")])
    let map = package.path(percentEncoded: false)
    let folder = photos.path(percentEncoded: false)
    let text = await session.transcript([
      "attachments", "open '\(map)' --map 2 --quiet",
      "view --center -70.2079,43.6231 --scale 25000 --quiet", "attachments",
      "identify -70.2079,43.6231", "attachments", "attachments portland-head-light.txt --output -",
      "attachments --output -", "attachments tower.jpg", "attachments --output '\(folder)/'",
      "attachments --output '\(folder)' --json",
      "attachments PORTLAND-head-light.txt --output '\(folder)/one.txt' --json", "related",
      "related 2", "related 9", "popup next", "related", "popup back", "popup back",
    ])
    try expectSnapshot(text, named: "explore-maine-records.txt")
    let saved = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(saved == ["one.txt", "portland-head-light.png", "portland-head-light.txt"])
    let picture = try Data(contentsOf: photos.appending(path: "portland-head-light.png"))
    #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }
}

/// The files that a desktop was asked to open.
@MainActor
private final class Opened {
  private(set) var files: [URL] = []

  func open(_ file: URL) -> Bool {
    files.append(file)
    return true
  }
}
