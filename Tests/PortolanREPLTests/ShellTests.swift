import Foundation
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanREPL

/// Lines that are there from the beginning.
private final class ScriptedReader: LineReader {
  let isInteractive: Bool
  private let events: Mutex<[LineEvent]>
  let prompts = Mutex<[String]>([])

  init(_ events: [LineEvent], isInteractive: Bool = false) {
    self.events = Mutex(events)
    self.isInteractive = isInteractive
  }

  func nextLine(prompt: String) async -> LineEvent {
    prompts.withLock { $0.append(prompt) }
    return events.withLock { $0.isEmpty ? .end : $0.removeFirst() }
  }
}

@MainActor
@Suite struct ShellTests {
  private func session(_ console: TranscriptConsole) -> Session {
    Session(console: console, options: GlobalOptions(), interpreter: Interpreter(.sample))
  }

  nonisolated static let endings: [([LineEvent], ExitCode)] = [
    ([], .done), ([.line("version")], .done), ([.line("fail absent")], .notFound),
    ([.line("fail absent"), .line("version")], .notFound),
    ([.line("frob"), .line("fail absent"), .line("version"), .line("quit")], .notFound),
    ([.line("fail absent"), .line(""), .line("# c"), .interrupted], .notFound),
    ([.line("frob"), .line("quit"), .line("version")], .wrongUsage),
  ]

  @Test(arguments: endings)
  func `Lines of a script end with the status of the last one that failed`(
    events: [LineEvent], status: ExitCode
  ) async {
    let shell = Shell(session: session(TranscriptConsole()), reader: ScriptedReader(events))
    #expect(await shell.run() == status)
  }

  @Test(arguments: [["version"], ["fail absent"], ["fail absent", "quit"], ["frob", "exit"]])
  func `A session at a prompt that is left has not failed, whatever its lines did`(
    lines: [String]
  ) async {
    let reader = ScriptedReader(lines.map { .line($0) }, isInteractive: true)
    #expect(await Shell(session: session(TranscriptConsole()), reader: reader).run() == .done)
  }

  @Test func `The prompt names the open map`() async {
    let reader = ScriptedReader([.line("version")], isInteractive: true)
    let console = TranscriptConsole(width: 80)
    let session = session(console)
    var snapshot = CompletionSource.Snapshot()
    snapshot.mapTitle = "Explore\u{1B}[31m Maine"
    session.completions.update(snapshot)
    _ = await Shell(session: session, reader: reader).run()
    #expect(reader.prompts.withLock(\.first) == "Explore [31m Maine> ")
    #expect(console.transcript.contains("Type \"help\""))
  }

  @Test(.timeLimit(.minutes(5))) func `Ctrl-C stops the command and not the session`() async {
    let interrupts = InterruptHandler()
    #expect(!interrupts.interrupt())
    let console = InterruptingConsole(interrupts)
    let session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(.sample))
    let reader = ScriptedReader([.line("wait"), .line("version")])
    let status = await Shell(session: session, reader: reader, interrupts: interrupts).run()
    #expect(status == .done)
    #expect(console.base.transcript == "waiting\n! error: Interrupted.\nportolan 0.1.0\n")
  }

  @Test func `A session ends with failure once its results cannot be written`() async {
    let console = FullConsole()
    let session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(.sample))
    let reader = ScriptedReader([.line("version"), .line("version"), .line("fail absent")])
    #expect(await Shell(session: session, reader: reader).run() == .failed)
    #expect(
      console.base.transcript == """
        portolan 0.1.0
        ! error: The result could not be written to standard output.
        !   No space left on device. What the command was to do is done; only its result is not shown.
        !   Free space on the disk, or send the output elsewhere.

        """)
  }

  @Test(.temporaryDirectory) func `Lines of a file are read one by one`() async throws {
    let file = temporaryDirectory.appending(path: "lines")
    let long = String(repeating: "ä", count: 5_000)
    try Data("one\n\n\(long)\nlast".utf8).write(to: file)
    let reader = PlainLineReader(try FileHandle(forReadingFrom: file))
    var lines: [LineEvent] = []
    for _ in 0..<6 { lines.append(await reader.nextLine(prompt: "> ")) }
    #expect(
      lines == [.line("one"), .line(""), .line(long), .line("last"), .end, .end])
  }

  @Test(.timeLimit(.minutes(5))) func `An input that is one endless line ends`() async throws {
    let reader = PlainLineReader(try #require(FileHandle(forReadingAtPath: "/dev/zero")))
    guard case .line(let line) = await reader.nextLine(prompt: "") else {
      Issue.record("no line")
      return
    }
    #expect(line.utf8.count < 2_000_000)
    #expect(await reader.nextLine(prompt: "") == .end)
  }

  @Test(arguments: ["/dev/null", "/"]) func `An input without lines ends`(path: String) async throws
  {
    let reader = PlainLineReader(try #require(FileHandle(forReadingAtPath: path)))
    #expect(await reader.nextLine(prompt: "") == .end)
  }
}

/// A console whose results go to a full disk from a line on.
private final class FullConsole: Console {
  let base = TranscriptConsole()
  let isTerminal = false
  let width: Int? = nil
  let usesColor = false

  func write(_ data: Data) throws(Failure) {
    guard !base.transcript.isEmpty else { return base.write(data) }
    throw .outputFailed(reason: "No space left on device")
  }

  func note(_ line: String) { base.note(line) }

  func showProgress(_ line: String?) { base.showProgress(line) }
}

/// A console on which a person presses Ctrl-C at the first line of output.
private final class InterruptingConsole: Console {
  let base = TranscriptConsole()
  let isTerminal = false
  let width: Int? = nil
  let usesColor = false
  private let interrupts: InterruptHandler

  init(_ interrupts: InterruptHandler) { self.interrupts = interrupts }

  func write(_ data: Data) {
    base.write(data)
    _ = interrupts.interrupt()
  }

  func note(_ line: String) { base.note(line) }

  func showProgress(_ line: String?) { base.showProgress(line) }
}
