import Foundation
import PortolanApp
import PortolanComposition
import PortolanRendering
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// Commands on the maps of a home, which needs no portal.
@MainActor
@Suite(.temporaryDirectory) struct LibraryCommandTests {
  private func path(_ name: String) -> String {
    temporaryDirectory.appending(path: name).path(percentEncoded: false)
  }

  /// Runs lines in a session without a network and returns what each of them wrote.
  private func run(_ lines: [String], answers: [String] = []) async -> [String] {
    let home = HomeFolder(option: path("home"), environment: [:])
    let account = LiveAccount(home: home, environment: [:], portal: nil, isOffline: true)
    let console = TranscriptConsole(answers: answers)
    let session = Session(
      console: console, options: GlobalOptions(),
      app: LiveApp(home: home, timeZone: .gmt, drawing: PictureDrawing()).model(for: account))
    var written: [String] = []
    var length = 0
    for line in lines {
      let outcome = await session.interpreter.run(line, in: session)
      if outcome.status != .done { console.write("[\(outcome.status)]") }
      written.append(String(console.transcript.dropFirst(length)))
      length = console.transcript.count
    }
    await session.app.close()
    return written
  }

  @Test func `Where nobody can be asked, a watched folder is listed, and nothing is declined`()
    async throws
  {
    let folder = temporaryDirectory.appending(path: "incoming")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("a package".utf8).write(to: folder.appending(path: "town.mmpk"))
    let line = "import --watch '\(folder.path(percentEncoded: false))'"
    for answer in await run([line, line]) {
      #expect(answer.contains("\"town.mmpk\", 9 bytes"))
      #expect(answer.contains("--yes") && answer.contains("\"import FILE\""))
      #expect(answer.hasSuffix("[wrongUsage]\n"))
    }
  }

  @Test func `Areas cannot be asked for without a network`() async {
    let answers = await run(["areas"])
    #expect(answers[0].contains("There is no network") && !answers[0].contains("The owner"))
    #expect(answers[0].hasSuffix("[noNetwork]\n"))
  }
}
