import Foundation

/// A command that runs in a process of its own, as a person would start it, and what it takes.
struct MeasuredCommand: Sendable {
  /// The name in the table.
  let name: String
  private let line: String

  /// Describes a command.
  ///
  /// - Parameters:
  ///   - name: The name in the table.
  ///   - words: The program and its arguments.
  ///   - folder: Where it runs.
  ///   - count: How many things it does, for the time of one.
  init(_ name: String, _ words: [String], in folder: URL, count: Int) {
    self.name = name
    let list = words.map { "'\($0)'" }.joined(separator: ",")
    let script = """
      import os, resource, subprocess, time
      t = time.perf_counter()
      p = subprocess.Popen([\(list)], stdout=subprocess.DEVNULL)
      os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT)
      spent = time.perf_counter() - t
      io = dict(line.split(': ') for line in open(f'/proc/{p.pid}/io').read().splitlines())
      assert p.wait() == 0
      print(spent / \(count) * 1e6, 'us')
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 'MB')
      print(int(io['rchar']) / 1e6, 'read')
      """
    self.line =
      "cd '\(folder.path(percentEncoded: false))' && /usr/bin/python3 -c \"\(script)\""
  }

  /// The command `portolan` that was built beside this program.
  static var portolan: String {
    URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "portolan").path(percentEncoded: false)
  }

  /// It as one of a contest, by its time.
  var contender: Contender { .command(name, line, /([\d.]+) us/) }

  /// Runs it, and returns the most memory that it had, in megabytes.
  func memory() async throws -> Double {
    try await Contender.command(name, line, /([\d.]+) MB/).measure()
  }

  /// Runs it, and returns how many megabytes it read, from the disk or from what is cached of it.
  func bytesRead() async throws -> Double {
    try await Contender.command(name, line, /([\d.]+) read/).measure()
  }
}
