import Foundation

/// One way of doing a job, and how long it takes.
struct Contender: Sendable {
  /// The name in the table.
  let name: String
  /// Does the job some number of times and returns the microseconds of one.
  let measure: @Sendable () async throws -> Double

  /// A contender in this process, whose `work` does `count` operations.
  static func ours(
    _ name: String, count: Int, _ work: @escaping @Sendable () async throws -> Void
  ) -> Contender {
    Contender(name: name) {
      let clock = ContinuousClock()
      let start = clock.now
      try await work()
      return (clock.now - start) / .microseconds(1) / Double(count)
    }
  }

  /// A program that prints its own figure, found by the first group of `pattern`; or, as its last line, why
  /// it has none.
  static func command(
    _ name: String, _ line: String, _ pattern: sending Regex<(Substring, Substring)>
  ) -> Contender {
    nonisolated(unsafe) let pattern = pattern  // Never changed; regexes are not marked Sendable.
    return Contender(name: name) {
      let output = try run(line)
      guard let match = output.firstMatch(of: pattern),
        let figure = Double(match.1.filter { $0 != "," })
      else {
        // What it says instead is why.
        let reason = output.split(separator: "\n").last.map { String($0.suffix(200)) }
        throw BenchmarkError(reason ?? "printed nothing")
      }
      return figure
    }
  }

  private static func run(_ line: String) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
