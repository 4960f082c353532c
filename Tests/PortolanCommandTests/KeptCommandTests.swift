import Foundation
import PortolanTestSupport
import Testing

/// The maps that were set aside, at the command line.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct KeptCommandTests {
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

  /// Leaves a database among what was set aside.
  private func keep(_ name: String) throws {
    let part = home.appending(path: "kept/\(name)/1/p13/data.geodatabase")
    try FileManager.default.createDirectory(
      at: part.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(count: 5_000).write(to: part)
  }

  @Test func `It is named by its id or the beginning of it, unless that can mean several`()
    async throws
  {
    for name in ["harbour-1", "harbour-deleted-1", "hill-1"] { try keep(name) }
    for name in ["harbour", "harb"] {
      let several = try await run("kept", "delete", name)
      #expect(several.status != 0)
      #expect(several.notes.contains("harbour-1, harbour-deleted-1"), "\(several)")
    }
    // If nobody is asked, a beginning might mean something else than what goes for good.
    let beginning = try await run("kept", "delete", "harbour-d", "--yes")
    #expect(beginning.status == 6, "\(beginning)")
    #expect(try await run("kept").text.contains("harbour-deleted-1"))
    #expect(try await run("kept", "delete", "harbour-deleted-1", "--yes").status == 0)
    #expect(try await run("kept", "delete", "harbour", "--yes").status == 0)
    let listed = try await run("kept")
    #expect(listed.text.contains("hill-1") && !listed.text.contains("harbour"), "\(listed)")
  }

  @Test func `A deleted map that was downloaded again is reported among what was set aside`()
    async throws
  {
    try keep("harbour-deleted-1")
    let undone = try await run("undo", "harbour")
    #expect(undone.status == 6, "\(undone)")
    #expect(undone.notes.contains("is on the list of what was set aside"), "\(undone)")
    #expect(undone.notes.contains("\"harbour-deleted-1\""), "\(undone)")
    #expect(undone.notes.contains("\"kept\" lists"), "\(undone)")
  }
}
