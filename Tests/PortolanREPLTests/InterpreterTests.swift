import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@MainActor
@Suite struct InterpreterTests {
  @Test func `A session reads as recorded`() async throws {
    let lines = [
      "# a comment", "", "version", "version --json", "sample 'a b.txt' x y --at -68.2,44.3",
      "sample 'a b.txt' --json", "sample --limit 3", "sampel f", "sample f --lyer x", "fail stop",
      "fail absent", "fail damaged", "fail damaged --json", "fail plainly", "fail partly",
      "fail partly --quiet",
      "stream 3", "stream 3 --json", "stream 3 --fails", "stream 3 --fails --json",
      "version --offline", "--json", "show \"x --json", "quit",
    ]
    try expectSnapshot(await transcript(of: lines), named: "session.txt")
  }

  @Test func `Help reads as recorded`() async throws {
    let lines = ["help", "help sample", "help run", "run --help", "help run --json", "help frob"]
    try expectSnapshot(
      await transcript(of: lines, width: 72, usesColor: true), named: "help.txt")
  }

  @Test func `A large document arrives whole, either way`() async throws {
    for line in ["stream 200000", "stream 200000 --json"] {
      let console = TranscriptConsole()
      let session = Session(
        console: console, options: GlobalOptions(), interpreter: Interpreter(.sample))
      #expect(await session.interpreter.run(line, in: session).status == .done)
      let numbers = try JSONDecoder().decode([Int].self, from: Data(console.transcript.utf8))
      #expect(numbers.count == 200_001)
    }
  }

  @Test func `With JSON nothing of a document that fails midway is written`() async {
    let console = TranscriptConsole()
    let session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(.sample))
    let outcome = await session.interpreter.run("stream 200000 --fails --json", in: session)
    #expect(outcome.status == .failed)
    #expect(
      console.transcript
        == #"{"error":{"code":"out-of-memory","message":"It broke.","suggestion":null}}"# + "\n")
  }
}
