public import Foundation

/// The `portolan` command that was built beside the tests.
public enum PortolanProcess {
  /// The output of a finished process.
  public struct Output: Sendable {
    /// Standard output.
    public var text: String
    /// Standard error.
    public var notes: String
    /// The exit status.
    public var status: Int32
  }

  /// A process that is ready to run with a home folder of its own.
  public static func make(_ words: [String], home: URL) -> Process {
    let process = Process()
    process.executableURL = folder.appending(path: "portolan")
    process.arguments = words
    process.environment = [
      "PORTOLAN_HOME": home.path(percentEncoded: false), "TERM": "xterm", "HOME": "/nonexistent",
      "PATH": "/usr/bin:/bin",
    ]
    return process
  }

  /// Starts a process that is killed if it is not done after some minutes, so that no test hangs.
  public static func start(_ process: Process) throws {
    try process.run()
    // Its pipes go with the test.
    DispatchQueue.global().asyncAfter(deadline: .now() + 150) { [weak process] in
      if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
  }

  /// Runs the command to its end.
  public static func run(
    _ words: [String], input: String = "", home: URL
  ) async throws -> Output {
    try await run(make(words, home: home), input: input)
  }

  /// Runs a process to its end.
  ///
  /// Its input is written while both of its outputs are read: one that has more to say than a pipe
  /// holds, on either, would otherwise never end.
  public static func run(_ process: Process, input: String = "") async throws -> Output {
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stderr
    try start(process)
    async let text = onOwnThread { try stdout.fileHandleForReading.readToEnd() ?? Data() }
    async let notes = onOwnThread { try stderr.fileHandleForReading.readToEnd() ?? Data() }
    try await onOwnThread {
      try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try stdin.fileHandleForWriting.close()
    }
    let (said, noted) = try await (text, notes)
    try await end(of: process)
    return Output(
      text: String(decoding: said, as: UTF8.self), notes: String(decoding: noted, as: UTF8.self),
      status: process.terminationStatus)
  }

  /// Waits until a process is over.
  public static func end(of process: Process) async throws {
    try await onOwnThread { process.waitUntilExit() }
  }

  /// The folder of built programs: beside the test bundle.
  private static var folder: URL {
    let program = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    let folder = program.deletingLastPathComponent()
    return folder.pathExtension == "xctest" ? folder.deletingLastPathComponent() : folder
  }
}
