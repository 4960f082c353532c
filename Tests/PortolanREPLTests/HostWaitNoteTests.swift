import Foundation
import PortolanJSON
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanREPL

/// The notes to people at a terminal that a command waits for a host.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct HostWaitNoteTests {
  /// A command that asks a host once.
  private struct AskingCommand: Command {
    static let declaration = CommandDeclaration("ask", summary: "Ask.", topic: .shell)

    let transport: any HTTPTransport

    init(parsing arguments: Arguments) throws(UsageError) {
      throw UsageError("It is never typed.")
    }

    init(_ transport: any HTTPTransport) { self.transport = transport }

    func run(in session: Session) async throws -> CommandResult {
      let url = try #require(URL(string: "https://gis.example.org/0"))
      let status = try await transport.send(HTTPRequest(url)).status
      return CommandResult(text: TextDocument("\(status)"), json: [:])
    }
  }

  @Test func `A command says which host it waits for, and how long`() async throws {
    let clock = ManualClock()
    let isAsked = Atomic<Bool>(false)
    let stub = StubTransport { request in
      let status = isAsked.exchange(true, ordering: .relaxed) ? 200 : 429
      return .data(Data(), status: status, headers: ["Retry-After": "12"], to: request)
    }
    let transport = RetryingTransport(stub, clock: clock, now: { clock.date }, chance: { 1 })
    let console = TranscriptConsole()
    let session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(.sample))
    let work = Task { await session.interpreter.run(AskingCommand(transport), in: session) }
    await clock.sleepers(1)
    // The note is written by a task of its own, on this actor.
    while !console.transcript.contains("Waiting for gis.example.org, 12 s.") { await Task.yield() }
    await clock.wake(after: .seconds(12))
    #expect(await work.value.status == .done)
    #expect(console.transcript.contains("200"))
  }

  @Test func `A command says which host does not answer, once`() async throws {
    let clock = ManualClock()
    let asked = Atomic<Int>(0)
    let stub = StubTransport { request in
      let count = asked.add(1, ordering: .relaxed).newValue
      return .data(Data(), status: count > 3 ? 200 : 503, to: request)
    }
    let transport = RetryingTransport(stub, clock: clock, now: { clock.date }, chance: { 1 })
    let console = TranscriptConsole()
    let session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(.sample))
    let work = Task { await session.interpreter.run(AskingCommand(transport), in: session) }
    for pause in [0.5, 1] { await clock.wake(after: .seconds(pause)) }
    // The note is written by a task of its own, on this actor.
    while !console.transcript.contains("Waiting for gis.example.org, which is asked again.") {
      await Task.yield()
    }
    await clock.wake(after: .seconds(2))
    #expect(await work.value.status == .done)
    #expect(console.transcript.components(separatedBy: "Waiting").count == 2)
  }
}
