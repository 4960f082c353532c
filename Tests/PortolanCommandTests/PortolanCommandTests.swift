import Foundation
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct PortolanCommandTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  @Test func `One command prints its result and leaves no trace`() async throws {
    let output = try await PortolanProcess.run(["version"], home: home)
    #expect(output.text.hasPrefix("portolan "))
    #expect(output.notes.isEmpty)
    #expect(output.status == 0)
    #expect(!FileManager.default.fileExists(atPath: home.path(percentEncoded: false)))
  }

  @Test(arguments: [
    (["frob"], 2), (["version", "--frob"], 2), (["run", "/nowhere"], 6), (["--help"], 0),
  ])
  func `The exit status reflects the outcome of the command`(
    words: [String], status: Int
  ) async throws {
    let output = try await PortolanProcess.run(words, home: home)
    #expect(output.status == Int32(status))
    #expect(output.notes.isEmpty == (status == 0))
    let json = try await PortolanProcess.run(words + ["--json"], home: home)
    #expect(json.status == Int32(status))
    #expect(json.notes.isEmpty)
    #expect(try JSONSerialization.jsonObject(with: Data(json.text.utf8)) is [String: Any])
  }

  @Test func `Lines from a pipe are run without a prompt`() async throws {
    let output = try await PortolanProcess.run(
      [], input: "version\n# note\nfrob\nversion", home: home)
    #expect(output.text.split(separator: "\n").count == 2)
    #expect(output.notes.hasPrefix("error: There is no command \"frob\"."))
    #expect(output.status == 2)
    #expect(try await PortolanProcess.run([], home: home).status == 0)
  }

  @Test func `A reader that stops early ends the command quietly`() async throws {
    let process = PortolanProcess.make(["help"], home: home)
    let (stdout, stderr) = (Pipe(), Pipe())
    try stdout.fileHandleForReading.close()
    process.standardOutput = stdout
    process.standardError = stderr
    try PortolanProcess.start(process)
    try stdout.fileHandleForWriting.close()
    let notes = try await onOwnThread { try stderr.fileHandleForReading.readToEnd() }
    try await PortolanProcess.end(of: process)
    #expect(process.terminationReason == .exit)
    #expect(notes?.isEmpty != false)
  }

  @Test func `A password is hidden before it is asked for`() async throws {
    let terminal = try PseudoTerminal()
    let process = PortolanProcess.make(
      ["sign-in", "--user", "kim", "--portal", "http://127.0.0.1:9"], home: home)
    process.standardInput = terminal.program
    process.standardOutput = terminal.program
    process.standardError = terminal.program
    try PortolanProcess.start(process)
    _ = try #require(try await terminal.wait(for: "Password"))
    var settings = termios()
    let code = tcgetattr(terminal.program.fileDescriptor, &settings)
    #expect(code == 0)
    #expect(settings.c_lflag & tcflag_t(ECHO) == 0)
    process.interrupt()
    try await PortolanProcess.end(of: process)
    #expect(process.terminationStatus == 130)
  }

  @Test func `At a terminal lines are edited, completed and remembered`() async throws {
    let terminal = try PseudoTerminal()
    let process = PortolanProcess.make([], home: home)
    process.standardInput = terminal.program
    process.standardOutput = terminal.program
    process.standardError = terminal.program
    try PortolanProcess.start(process)
    _ = try #require(try await terminal.wait(for: "portolan> "))
    terminal.type("vers\t")
    _ = try #require(try await terminal.wait(for: "ion "))
    terminal.type("\r")
    _ = try #require(try await terminal.wait(for: "portolan 0."))
    _ = try #require(try await terminal.wait(for: "portolan> "))
    terminal.type("dropped\u{3}")
    _ = try #require(try await terminal.wait(for: "^C"))
    _ = try #require(try await terminal.wait(for: "portolan> "))
    terminal.type("\u{10}\r")  // the line before
    _ = try #require(try await terminal.wait(for: "portolan 0."))
    _ = try #require(try await terminal.wait(for: "portolan> "))
    terminal.type("help quti\u{2}\u{14}\r")  // Ctrl-B moves back, Ctrl-T swaps
    _ = try #require(try await terminal.wait(for: "Leave."))
    _ = try #require(try await terminal.wait(for: "portolan> "))
    terminal.type("\u{4}")
    try await PortolanProcess.end(of: process)
    #expect(process.terminationStatus == 0)
    let history = home.appending(path: "history")
    #expect(try String(contentsOf: history, encoding: .utf8).contains("version"))
    let attributes = try FileManager.default.attributesOfItem(
      atPath: history.path(percentEncoded: false))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }
}
