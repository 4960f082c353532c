import Foundation
import Testing

/// The tables of Docs name tests that are there, and one for each scenario.
@Suite struct PromiseTests {
  /// A row of the table.
  struct Row: CustomTestStringConvertible, Sendable {
    let scenario: String
    let suite: String
    let test: String

    var testDescription: String { "\(scenario) \(test)" }

    /// Reads `| A1 | what happened | Suite | `test` |`; other lines are none.
    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, cells[3].hasPrefix("`"), cells[3].hasSuffix("`") else { return nil }
      (scenario, suite, test) = (cells[0], cells[2], String(cells[3].dropFirst().dropLast()))
    }
  }

  private static let project = Sources.root.deletingLastPathComponent()

  private static let rows: [Row] = {
    // A document that is not there has no rows, which the last test reports.
    ["Docs/PROMISE.md", "Docs/PICTURES.md", "Docs/INTERFACES.md"].flatMap { document in
      let text = try? String(contentsOf: project.appending(path: document), encoding: .utf8)
      return (text ?? "").split(separator: "\n").compactMap(Row.init)
    }
  }()

  /// A file of tests.
  private struct TestFile {
    /// The names of its suites and of its tests.
    var suites: Set<Substring> = []
    var tests: Set<Substring> = []

    init(_ text: String) {
      for line in text.split(separator: "\n") {
        if let start = line.firstRange(of: "func `")?.upperBound {
          tests.insert(line[start...].prefix { $0 != "`" })
        } else if let start = line.firstRange(of: "struct ")?.upperBound {
          suites.insert(line[start...].prefix { $0 != " " && $0 != ":" })
        }
      }
    }
  }

  /// The files of tests, read once.
  private static let files = Result {
    try ["Tests", "Sources/PortolanFeatureContracts"].flatMap { folder -> [TestFile] in
      let urls = FileManager.default.enumerator(
        at: project.appending(path: folder), includingPropertiesForKeys: nil)
      return try (urls?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
        .map { TestFile(try String(contentsOf: $0, encoding: .utf8)) }
    }
  }

  @Test func `Every test that the promise names is there`() throws {
    let files = try Self.files.get()
    for row in Self.rows {
      let isThere = files.contains {
        $0.tests.contains(row.test[...]) && $0.suites.contains(row.suite[...])
      }
      #expect(isThere, "\(row.suite): \(row.test)")
    }
  }

  @Test func `Every scenario names its test`() {
    let scenarios =
      (1...24).map { "A\($0)" } + (1...11).map { "B\($0)" } + (1...7).map { "E\($0)" }
      + [1, 3, 4, 5, 6, 7, 8, 9, 10].map { "F1.\($0)" }
      + (1...9).map { "C\($0)" } + (1...17).map { "H\($0)" } + ["G", "I"]
    let named = Set(Self.rows.map(\.scenario))
    for scenario in scenarios { #expect(named.contains(scenario), "\(scenario) has no test") }
  }

  @Test func `CI builds packages that depend on products, and runs them`() throws {
    let script = try String(
      contentsOf: Self.project.appending(path: ".ci/run"), encoding: .utf8)
    #expect(script.contains("\n.ci/examples\n"))
    for example in ["WhatIsHere", "TakeOffline"] {
      let manifest = Self.project.appending(path: "Docs/Examples/\(example)/Package.swift")
      let text = try String(contentsOf: manifest, encoding: .utf8)
      #expect(text.contains(".package(name: \"portolan\", path: \"../../..\")"))
    }
  }

  @Test func `CI builds for release and takes the tour from that build`() throws {
    let script = try String(
      contentsOf: Self.project.appending(path: ".ci/run"), encoding: .utf8)
    #expect(
      script.contains(
        "\nswift build -c release $PORTOLAN_BUILD_OPTIONS\n.build/release/portolan demo"))
  }
}
