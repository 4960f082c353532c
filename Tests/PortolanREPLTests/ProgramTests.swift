import PortolanApp
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@MainActor
@Suite struct ProgramTests {
  private func run(_ words: [String], input: [String] = []) async -> (String, ExitCode) {
    let console = TranscriptConsole()
    let program = Program(
      Program.Surroundings(
        console: console,
        makeSession: { options in
          guard options.home != "/broken" else { throw Failure(.readOnlyHome, "No home.") }
          return Session(console: console, options: options, interpreter: Interpreter(.sample))
        },
        makeReader: { _ in LineList(input) }),
      commands: .sample)
    let status = await program.run(words)
    return (console.transcript, status)
  }

  @Test(arguments: [
    (["version"], "portolan 0.1.0\n", ExitCode.done),
    (["--version"], "portolan 0.1.0\n", .done),
    (["version", "--json"], "{\"name\":\"portolan\",\"version\":\"0.1.0\"}\n", .done),
    (["fail", "absent", "--quiet"], "! error: The table \"towns\" has no field \"x\".", .notFound),
    (["frob", "--json"], "{\"error\":{\"code\":\"usage\"", .wrongUsage),
    (["frob", "--", "--json"], "! error: There is no command", .wrongUsage),
    (["--home", "/broken", "version"], "! error: No home.\n", .failed),
    (["--home=/broken", "version", "--json"], "{\"error\":{\"code\":\"read-only-home\"", .failed),
    ([], "portolan 0.1.0\n! error: There is no command \"frob\".\n", .wrongUsage),
    (["--quiet"], "portolan 0.1.0\n", .wrongUsage),
  ])
  func `A command line ends with text and status`(
    words: [String], text: String, status: ExitCode
  ) async {
    let (transcript, actual) = await run(words, input: ["version", "frob"])
    #expect(transcript.hasPrefix(text))
    #expect(actual == status)
  }
}

private actor LineList: LineReader {
  nonisolated let isInteractive = false
  private var lines: ArraySlice<String>

  init(_ lines: [String]) { self.lines = lines[...] }

  func nextLine(prompt: String) -> LineEvent { lines.popFirst().map(LineEvent.line) ?? .end }
}
