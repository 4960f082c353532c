import Foundation

/// The locations of the data and the rivals: a copy of the bench with its data made.
struct BenchmarkBed: Sendable {
  /// The folder with the rivals' programs.
  let folder: URL
  /// How many times each contender runs, after one run to warm up.
  let rounds: Int
  /// A part of the names of those that take part; all do if there is none.
  let only: String?

  /// Reads `--bed=DIR` (default `/tmp/bench/bed`), `--rounds=N` (default 5) and `--only=TEXT`,
  /// which leaves out whose name does not contain the text, for profiling one.
  ///
  /// - Throws: ``BenchmarkError`` for any other option, before everything is measured by mistake.
  init(arguments: [String]) throws {
    let options = ["--bed=", "--rounds=", "--only=", "--devices=", "--url=", "--out=", "--json"]
    if let unknown = arguments.first(where: { argument in
      argument.hasPrefix("-") && !options.contains { argument.hasPrefix($0) }
    }) {
      throw BenchmarkError(
        "There is no option \(unknown). Usage: benchmarks [NAME ...] [--bed=DIR] [--rounds=N] [--only=TEXT]"
      )
    }
    folder = URL(
      filePath: arguments.value(of: "--bed=") ?? "/tmp/bench/bed", directoryHint: .isDirectory)
    only = arguments.value(of: "--only=")
    rounds = arguments.value(of: "--rounds=").flatMap { Int($0) } ?? 5
  }

  /// A file of the bench's data.
  func data(_ path: String) -> URL {
    folder.appending(path: "../data").appending(path: path).standardizedFileURL
  }

  /// A rival that is a C program of the bench, printing its own figure.
  func floor(_ name: String, _ command: String) -> Contender {
    .command(name, "cd \(folder.path(percentEncoded: false)) && ./\(command)", /([\d.]+) us/)
  }

  /// A rival that is one row of a Python script of the bench.
  func peer(_ name: String, script: String, row: String) -> Contender {
    .command(
      name,
      """
      cd \(folder.path(percentEncoded: false)) && \
      ONLY=\(quoted(row)) ROUNDS=1 ../venv/bin/python \(script) | grep -F \(quoted("| \(row) |"))
      """, /\| ([\d,.]+) \(/)
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
