import Foundation
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// Sessions of the live app on the demo portal: finding maps, and web maps layer by layer.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct PortalJourneyTests {
  /// The web map *Explore Maine* of a demo portal with seed 1.
  private nonisolated static let map = "168a3b7e2cd386bef0a76b7031859e14"
  /// *Naperville Water Company Mapbook* of the same portal.
  private nonisolated static let mapbook = "0f2bad5249924754376b8f75ddbe5681"

  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func withPortal(_ body: (ServedDemoPortal) async throws -> Void) async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal"), body)
  }

  private func session(
    on portal: ServedDemoPortal, isOffline: Bool = false, answers: [String] = []
  ) -> LiveSession {
    LiveSession(
      home: home, portal: portal.url, isOffline: isOffline,
      console: TranscriptConsole(width: 100, answers: answers),
      replacing: [(portal.url, "http://PORTAL")])
  }

  @Test func `Searching a portal reads as recorded`() async throws {
    try await withPortal { portal in
      let text = await session(on: portal).transcript([
        "search", "search --more", "search --more", "search --more", "search --page 2",
        "search naperville", "search --clear", "search --type \"Web Map\" maine",
        "search nothing of that name", "search --type web-map maine",
        "search --type nonsense --clear",
        "search water --more",
        "item \(Self.mapbook)", "item \(Self.map)", "item not.an.id",
        "item \(Self.mapbook.dropLast())0",
      ])
      try expectSnapshot(text, named: "portal-search.txt")
    }
  }

  @Test func `Opening a web map layer by layer reads as recorded`() async throws {
    try await withPortal { portal in
      let session = session(on: portal, answers: ["wrong", "moorings"])
      let text = await session.transcript([
        "layer retry \"Harbor lights\"", "web-map \(Self.map)", "web-map", "toc",
        "layer retry \"Harbor lights\"",
        "layer retry \"harbor lights\" --user harbormaster",
        "layer retry \"Harbor lights\" --user harbormaster",
        "toc", "layer retry \"Harbor lights\"", "layer skip Lighthouses", "layer skip Nothing",
        "legend", "bookmarks", "go-to \"Portland Head\"", "identify -70.2079,43.6231", "popup 1",
        "popup next", "web-map \(Self.map)", "layer skip \"Harbor lights\"", "toc",
        "layer retry \"Harbor lights\" --user harbormaster", "web-map \(Self.mapbook)",
      ])
      try expectSnapshot(text, named: "web-map.txt")
    }
  }

  @Test func `A layer is asked for again, or left out, of a map that the line names`()
    async throws
  {
    try await withPortal { portal in
      let retry = "layer retry \"Harbor lights\" --user harbormaster"
      let text = await session(on: portal, answers: ["moorings"]).transcript([
        "\(retry) --map \(Self.map)"
      ])
      #expect(text.contains(/loaded +Harbor lights/) && !text.contains("[failed]"), "\(text)")
      let other = await session(on: portal).transcript([
        "layer skip \"Harbor lights\" --map \(Self.map)"
      ])
      #expect(other.contains(/skipped +Harbor lights/), "\(other)")
    }
  }

  @Test
  func `A web map that is loaded is opened again by its id, with its layers as they are`()
    async throws
  {
    try await withPortal { portal in
      let text = await session(on: portal).transcript([
        "open \(Self.map)", "layer skip \"Harbor lights\" --map \(Self.map)", "close",
        "open \(Self.map)",
      ])
      let answers = text.components(separatedBy: "> open \(Self.map)")
      #expect(answers.count == 3, "\(text)")
      #expect(answers.last?.contains(/skipped +Harbor lights/) == true, "\(text)")
    }
  }

  @Test func `A layer that a map of this device has from its service is asked for again`()
    async throws
  {
    try await withPortal { portal in
      let text = await session(on: portal, answers: ["moorings"]).transcript([
        "areas \(Self.map)", "download \"Casco Bay\" --wait",
        "layer skip \"Harbor lights\" --map \"Casco Bay\"",
        "layer retry Lighthouses",
        "layer retry \"Harbor lights\" --user harbormaster",
      ])
      #expect(text.contains("\"hide LAYER\" switches it off."), "\(text)")
      #expect(text.contains("\"Lighthouses\" is loaded."), "\(text)")
      #expect(text.contains("[x] Harbor lights"), "\(text)")
      #expect(!text.contains("No web map is loaded."), "\(text)")
    }
  }

  @Test func `Without a network a portal cannot be asked`() async throws {
    try await withPortal { portal in
      let lines = ["search", "item \(Self.map)", "web-map \(Self.map)"]
      let text = await session(on: portal, isOffline: true).transcript(lines)
      #expect(text.matches(of: /\[noNetwork\]/).count == lines.count, "\(text)")
    }
  }

  @Test func `An unlisted title is not reported as unknown while no portal can be asked`()
    async throws
  {
    try await withPortal { portal in
      _ = await session(on: portal, answers: ["demo"]).transcript([
        "sign-in --user demo", "areas \(Self.map)", "download \"Casco Bay\"",
      ])
      let lines = ["download \"Casko Bay\""]
      let text = await session(on: portal, isOffline: true).transcript(lines)
      #expect(
        text.contains("the portal could not be asked") && text.contains("[noNetwork]"), "\(text)")
      #expect(text.contains("Did you mean \"Casco Bay\"?"), "\(text)")
    }
  }

  @Test(arguments: [
    "search", "search --type any --page 2", "item \(Self.map)", "web-map \(Self.map)",
    "web-map \(Self.map) --raw", "item not.an.id", "layer retry nothing",
    "identify -70.2079,43.6231",
  ])
  func `With JSON a line answers with one document`(_ line: String) async throws {
    try await withPortal { portal in
      let console = TranscriptConsole()
      let session = LiveSession(home: home, portal: portal.url, console: console)
      if line.hasPrefix("identify") { _ = await session.transcript(["web-map \(Self.map)"]) }
      let before = console.transcript.count
      let text = await session.transcript(["\(line) --json"]).dropFirst(before)
      let lines = text.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("[") }
      #expect(lines.count == 1, "\(text)")
      let document = try JSONValue(parsing: Data(lines.joined().utf8))
      #expect(document.object?.members.isEmpty == false)
    }
  }

  @Test func `A password of a layer's server shows nowhere`() async throws {
    try await withPortal { portal in
      let text = await session(on: portal, answers: ["moorings"]).transcript([
        "web-map \(Self.map)", "layer retry \"Harbor lights\" --user harbormaster --json",
      ])
      #expect(text.contains("[partlyDone]") && !text.contains("moorings"))
      let files = try FileManager.default.subpathsOfDirectory(
        atPath: temporaryDirectory.path(percentEncoded: false)
      ).filter { $0.hasPrefix("home/") }
      #expect(files.allSatisfy { !$0.contains("credentials") }, "\(files)")
    }
  }
}
