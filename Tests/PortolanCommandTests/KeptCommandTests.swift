import Foundation
import PortolanTestSupport
import Testing

/// What was set aside, at the command line.
@Suite(.temporaryDirectory, .timeLimit(.minutes(3))) struct KeptCommandTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func run(_ words: String...) async throws -> PortolanProcess.Output {
    try await PortolanProcess.run(["--offline"] + words, home: home)
  }

  @Test func `It is listed with its databases, and deleted after a question only`() async throws {
    #expect(try await run("kept").text == "Nothing was set aside.\n")
    let part = home.appending(path: "kept/area-1/1/p13/data.geodatabase")
    try FileManager.default.createDirectory(
      at: part.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(count: 5_000).write(to: part)

    let listed = try await run("kept")
    #expect(!listed.text.contains("deleted before"))
    #expect(listed.text.contains("area-1, 5 kB") && listed.text.contains(part.lastPathComponent))
    let json = try await run("kept", "--json")
    #expect(json.text.contains(#""name":"area-1""#) && json.text.contains(part.path), "\(json)")
    let refused = try await run("kept", "delete", "area-1")
    #expect(refused.status == 2 && FileManager.default.fileExists(atPath: part.path), "\(refused)")
    #expect(try await run("kept", "delete", "area-2", "--yes").status == 6)
    let deleted = try await run("kept", "delete", "area-1", "--yes")
    #expect(deleted.status == 0 && !FileManager.default.fileExists(atPath: part.path), "\(deleted)")
    #expect(try await run("kept").text == "Nothing was set aside.\n")
  }
}
