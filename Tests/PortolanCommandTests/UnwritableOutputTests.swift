import Foundation
import PortolanTestSupport
import Testing

/// Standard output that takes nothing, as on a full disk.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct UnwritableOutputTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  @Test(arguments: [["version"], ["version", "--json"], ["help"], ["settings", "--json"]])
  func `A result that cannot be written is a failure`(words: [String]) async throws {
    let output = try await run(words)
    #expect(output.status == 1)
    #expect(output.notes.contains("The result could not be written to standard output."))
    #expect(output.notes.contains("No space left on device."))
  }

  @Test(arguments: [[], ["--json"]])
  func `A finished command whose result cannot be written says so once`(
    options: [String]
  ) async throws {
    let output = try await run(["settings", "set", "page-size", "57"] + options)
    #expect(output.status == 1)
    #expect(output.notes.contains("What the command was to do is done"))
    #expect(output.notes.matches(of: /error:/).count == 1)
    let process = PortolanProcess.make(["settings"], home: home)
    let stdout = Pipe()
    process.standardOutput = stdout
    try PortolanProcess.start(process)
    let shown = try await onOwnThread { try stdout.fileHandleForReading.readToEnd() } ?? Data()
    try await PortolanProcess.end(of: process)
    #expect(String(decoding: shown, as: UTF8.self).contains("57"))
  }

  @Test func `A failure that cannot be written as JSON goes to standard error`() async throws {
    let output = try await run(["inspect", "/nowhere.mmpk", "--json"])
    #expect(output.status == 6)
    #expect(output.notes.contains("/nowhere.mmpk"))
    #expect(output.notes.contains("could not be written"))
  }

  @Test func `Features that cannot be written are a failure`() async throws {
    let file = temporaryDirectory.appending(path: "points.geojson")
    try Data(#"{"type":"Point","coordinates":[1,2]}"#.utf8).write(to: file)
    let output = try await run([
      "features", file.path(percentEncoded: false), "--layer", "points",
    ])
    #expect(output.status == 1)
    #expect(output.notes.contains("could not be written"))
  }

  @Test func `A script stops with failure at the line whose result cannot be written`() async throws
  {
    let script = temporaryDirectory.appending(path: "script")
    try Data("# nothing\nversion\nfrob\n".utf8).write(to: script)
    let output = try await run(["run", script.path(percentEncoded: false)])
    #expect(output.status == 1)
    #expect(output.notes.contains("line 2: The result could not be written"))
    #expect(!output.notes.contains("frob"))
  }

  @Test func `Lines from a pipe end where their results cannot be written`() async throws {
    let output = try await run([], input: "version\nfrob\n")
    #expect(output.status == 1)
    #expect(!output.notes.contains("frob"))
  }

  @Test func `A closed standard output is never mistaken for a file`() async throws {
    let process = PortolanProcess.make(["version"], home: home)
    let program = try #require(process.executableURL?.path(percentEncoded: false))
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", #"exec "$0" "$@" >&-"#, program, "version"]
    let output = try await finish(process)
    #expect(output.status == 1)
    #expect(output.notes.contains("Bad file descriptor."))
  }

  private func run(
    _ words: [String], input: String = ""
  ) async throws -> (
    notes: String, status: Int32
  ) {
    let process = PortolanProcess.make(words, home: home)
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
    return try await finish(process, input: input)
  }

  private func finish(
    _ process: Process, input: String = ""
  ) async throws -> (
    notes: String, status: Int32
  ) {
    let (stdin, stderr) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardError = stderr
    try PortolanProcess.start(process)
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let notes = try await onOwnThread { try stderr.fileHandleForReading.readToEnd() } ?? Data()
    try await PortolanProcess.end(of: process)
    return (String(decoding: notes, as: UTF8.self), process.terminationStatus)
  }
}
