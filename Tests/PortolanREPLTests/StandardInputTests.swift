import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@MainActor
@Suite(.temporaryDirectory) struct StandardInputTests {
  private func run(
    _ line: String, input: String, isPrompt: Bool = false, commands: CommandTable = .sample
  ) async -> String {
    let console = TranscriptConsole()
    var session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(commands))
    session.keepsMap = isPrompt
    session.readInput = { Data(input.utf8.prefix($0 + 1)) }
    _ = await session.interpreter.run(line, in: session)
    return console.transcript
  }

  @Test func `A script is read from standard input`() async {
    let text = await run("run -", input: "# a comment\nversion\n\nversion --json\n")
    #expect(text.hasPrefix("portolan ") && text.contains("\"name\":\"portolan\""))
  }

  @Test func `Too much of it is refused`() async {
    let text = await run("run -", input: String(repeating: "#", count: (16 << 20) + 1))
    #expect(text.contains("more than 16.8 MB"))
  }

  @Test func `Where lines come from standard input, it is no file`() async {
    #expect(await run("run -", input: "version", isPrompt: true).contains("is no file here"))
  }

  @Test(arguments: ["convert - out.csv", "convert in.geojson -"])
  func `Files that are read in parts or named for their format are no streams`(
    _ line: String
  ) async {
    let answer = await run(line, input: "{}", commands: .standard)
    #expect(answer.contains("needs files"), "\(answer)")
  }

  @Test func `A stream is read up to one byte more than the limit, and no further than a piece`()
    throws
  {
    let file = temporaryDirectory.appending(path: "input")
    try Data(count: 200_000).write(to: file)
    #expect(
      try Session.bytes(of: FileHandle(forReadingFrom: file), upTo: 1_000_000).count == 200_000)
    let cut = try Session.bytes(of: FileHandle(forReadingFrom: file), upTo: 100_000)
    #expect(cut.count > 100_000 && cut.count < 200_000)
  }
}
