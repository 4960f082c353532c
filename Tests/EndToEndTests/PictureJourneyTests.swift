import Foundation
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import DemoPortal
@testable import PortolanREPL

/// Pictures of what is on the list and of what is open, from the portal to the map without one.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct PictureJourneyTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func session(_ portal: ServedDemoPortal? = nil) -> LiveSession {
    LiveSession(
      home: home, portal: portal?.url, isOffline: portal == nil,
      environment: ["PORTOLAN_PASSWORD": "demo"], world: TestWorld())
  }

  /// The last document of a transcript, which has it in lines.
  private func document(_ transcript: String) throws -> JSONValue {
    let lines = transcript.split(separator: "\n")
    let start = try #require(lines.lastIndex { $0 == "{" })
    return try JSONValue(parsing: lines[start...].joined(separator: "\n"))
  }

  /// The rows of `maps` or `areas` by their titles.
  private func rows(_ transcript: String) throws -> [String: JSONValue] {
    let rows = try document(transcript)["maps"]?.array ?? []
    return Dictionary(rows.map { ($0["title"]?.string ?? "", $0) }) { first, _ in first }
  }

  private func isPicture(_ row: JSONValue?) -> Bool {
    row?["thumbnail"]?.string?.hasPrefix("data:image/png;base64,iVBOR") ?? false
  }

  @Test func `Areas have pictures before and after they are downloaded, also offline`() async throws
  {
    try await ServedDemoPortal.standard(folder: temporaryDirectory.appending(path: "portal")) {
      portal in
      let areas = await session(portal).transcript([
        "areas \(ServedDemoPortal.exploreMaine) --picture --json"
      ])
      let row = try rows(areas)["Casco Bay"]
      #expect(isPicture(row))
      _ = await session(portal).transcript(["download \"Casco Bay\" --wait"])
    }
    let maps = await session().transcript(["maps --picture --json"])
    let row = try rows(maps)["Casco Bay"]
    #expect(isPicture(row))
    let text = await session().transcript(["maps --picture"])
    let inked = text.split(separator: "\n").count {
      $0.count > 5 && $0.allSatisfy("@%#*+=-:. ".contains)
    }
    #expect(inked > 3, "\(text)")
    let plain = await session().transcript(["maps --json"])
    #expect(!plain.contains("thumbnail"))
  }

  @Test func `Bookmarks have pictures of their places`() async throws {
    let text = await session().transcript(["demo --sample --quiet", "bookmarks --picture --json"])
    let bookmarks = try document(text)["bookmarks"]?.array ?? []
    let pictures = bookmarks.compactMap { $0["picture"]?.string }
    #expect(pictures.count > 2 && Set(pictures).count == pictures.count, "each of another place")
  }
}
