import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// The tour that README begins with.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TourTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  /// Without the room on this disk, and without the picture, whose letters depend on fonts.
  private func masked(_ transcript: String) -> String {
    transcript.replacing(/(Free: +)[0-9.]+ [kMGT]?B/) { "\($0.1)…" }
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { $0.wholeMatch(of: /[@%#*+=\-:. ]+/) == nil }
      .joined(separator: "\n")
  }

  @Test func `The tour takes a map offline and reads as recorded`() async throws {
    let console = TranscriptConsole(width: 100, usesColor: false)
    let transcript = await LiveSession(home: home, console: console).transcript(["demo"])
    #expect(console.transcript.contains("~ "), "downloads show how far they are")
    let picture = transcript.split(separator: "\n").filter {
      $0.wholeMatch(of: /[@%#*+=\-:. ]+/) != nil
    }
    #expect(picture.count > 10, "the tour ends with a picture")
    try expectSnapshot(masked(transcript), named: "demo.txt")
    #expect(!FileManager.default.fileExists(atPath: home.path(percentEncoded: false)))
  }

  @Test(arguments: [("y", true), ("n", false)])
  func `A person is asked before a map is deleted`(answer: String, deletes: Bool) async throws {
    let console = TranscriptConsole(width: 100, usesColor: false, answers: [answer])
    let transcript = await LiveSession(home: home, console: console).transcript(["demo"])
    #expect(transcript.contains("Delete \"Acadia\" from this device?"))
    #expect(transcript.contains("\"Acadia\" was restored.") == deletes)
    #expect(transcript.contains("Everything is in order."))
  }

  @Test func `The tour is one document with JSON`() async throws {
    let transcript = await LiveSession(home: home).transcript(["demo --json"])
    let lines = transcript.split(separator: "\n").filter { !$0.hasPrefix("! ") }
    let document = lines.dropFirst().joined()
    let value = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any]
    #expect((value?["steps"] as? [Any])?.count ?? 0 > 10)
  }
}
