import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The reports on an edit that a failing disk may have taken or not.
@Suite(.temporaryDirectory) struct UnconfirmedEditTests {
  private static let childVariable = "PORTOLAN_UNCONFIRMED_EDIT"
  private static let child = ProcessInfo.processInfo.environment[childVariable]

  @Test(.enabled(if: child == nil), .timeLimit(.minutes(5)))
  func `An edit reported as failed is absent, unless the report says that it may be there`()
    async throws
  {
    var said: Set<String> = []
    for number in 1...20 {
      let folder = temporaryDirectory.appending(path: "\(number)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let url = folder.appending(path: "file.geodatabase")
      try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
      let outcome = try await edit(url, failing: number)
      said.insert(outcome)
      let reader = try Geodatabase.open(at: url)
      let isThere = try await reader.localChanges().changes.contains { $0.objectID == 4 }
      switch outcome {
      case "done": #expect(isThere, "sync \(number)")
      case "unconfirmed": break
      default: #expect(!isThere, "sync \(number): \(outcome)")
      }
      #expect(try await reader.count(in: "Huts", matching: .init()) == 3)
      let findings = try GeodatabaseAudit.findings(in: url)
      // The process ends while the file gets its own mode back. A journal without the number that it
      // begins with was not on the disk yet, so that nothing was changed: SQLite goes over it. One that
      // was only just made is empty.
      if findings == ["-journal is left"] {
        let journal = URL(filePath: url.path(percentEncoded: false) + "-journal")
        let start = try Array(Data(contentsOf: journal).prefix(8))
        #expect(start.allSatisfy { $0 == 0 }, "sync \(number): \(start)")
      } else {
        #expect(findings == [], "sync \(number), \(outcome)")
      }
    }
    #expect(said.isSuperset(of: ["done", "unconfirmed"]), "\(said)")
  }

  /// Has another process edit a file, one of whose syncs fails.
  ///
  /// - Returns: What it says of the edit.
  private func edit(_ url: URL, failing number: Int) async throws -> String {
    let output = try await onOwnThread { try Self.output(ofEditing: url, failing: number) }
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("edit:") })
    return String(line.dropFirst("edit:".count))
  }

  private static func output(ofEditing url: URL, failing number: Int) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--testing-library", "swift-testing", "--filter", "UnconfirmedEditTests"]
    process.environment = ProcessInfo.processInfo.environment.merging([
      childVariable: url.path(percentEncoded: false),
      "FAILING_CALLS_UNDER": url.deletingLastPathComponent().path,
      "FAILING_CALLS_KINDS": "fsync", "FAILING_CALLS_NTH": "\(number)",
    ]) { $1 }
    let pipe = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  /// The work of the other process.
  @Test(.enabled(if: child != nil))
  func `An edit reports how it ended`() async throws {
    let url = URL(filePath: try #require(Self.child))
    let outcome: String
    do {
      let store = try ContractGeodatabase.edited(url)
      _ = try await store.apply([
        .update(4, table: "Huts", attributes: ["AREA": .double(12)])
      ])
      outcome = "done"
    } catch FeatureEditError.unconfirmed {
      outcome = "unconfirmed"
    } catch {
      outcome = "\(error)".replacing("\n", with: " ")
    }
    try FileHandle.standardError.write(contentsOf: Data("edit:\(outcome)\n".utf8))
  }
}
