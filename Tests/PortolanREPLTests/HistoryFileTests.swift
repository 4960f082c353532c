import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// The lines that were typed at several prompts.
@Suite(.temporaryDirectory) struct HistoryFileTests {
  private var file: URL { temporaryDirectory.appending(path: "history") }

  /// The lines in the file, oldest first, below the one that says what it is.
  private func lines() throws -> [String] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map(String.init)
  }

  @Test func `Of two prompts each keeps what was typed at the other`() throws {
    let prompts = (0..<2).map { _ in HistoryFile(url: file, length: 10) }
    prompts[0].add("maps")
    prompts[1].add("jobs")
    prompts[0].add("storage")
    #expect(try lines() == ["maps", "jobs", "storage"])
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `The oldest lines go`() throws {
    let prompt = HistoryFile(url: file, length: 2)
    for line in ["maps", "jobs", "storage"] { prompt.add(line) }
    #expect(try lines() == ["jobs", "storage"])
  }

  @Test func `What is no history is not replaced by one, and an empty file is`() throws {
    try Data("notes".utf8).write(to: file)
    HistoryFile(url: file, length: 10).add("maps")
    #expect(try Data(contentsOf: file) == Data("notes".utf8))
    try Data().write(to: file)
    HistoryFile(url: file, length: 10).add("maps")
    #expect(try lines() == ["maps"])
  }
}
