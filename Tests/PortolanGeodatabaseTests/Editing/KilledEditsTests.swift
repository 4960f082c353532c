import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Whether a file is as before a group of edits or as after it, whenever its editor is killed.
@Suite(.temporaryDirectory) struct KilledEditsTests {
  private static let childVariable = "PORTOLAN_EDIT_CHILD"
  private static let child = ProcessInfo.processInfo.environment[childVariable]
  private static let ids: [Int64] = [3, 4, 9]

  @Test(.enabled(if: child == nil), arguments: ["DELETE", "WAL"])
  func `A file whose editor is killed is as before or as after`(mode: String) async throws {
    let url = temporaryDirectory.appending(path: "killed.geodatabase")
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    try Connection(at: url, access: .readWrite).execute("PRAGMA journal_mode = \(mode)")
    var numbers = SplitMix64(seed: 77)
    for _ in 0..<Self.roundCount {
      let told = try await edit(url, untilKilledAfter: Int.random(in: 0...25, using: &numbers))
      // A reader comes first, as when a map is opened: it recovers the file, and sees the edits.
      let reader = try Geodatabase.open(at: url)
      #expect(try await reader.count(in: "Huts", matching: .init()) == 3)
      #expect(try await reader.localChanges().changes.contains { $0.objectID == 9 } == (told > 0))
      let store = try ContractGeodatabase.edited(url)
      let huts = try await store.features(in: "Huts", matching: .init()).collect()
      let steps = Set(huts.map { $0.attributes["AREA"]?.number ?? 0 })
      try #require(steps.count == 1, "the huts are of different groups: \(steps)")
      let step = try #require(steps.first)
      #expect(step >= Double(told), "what was told as done is gone")
      // A row of another table, and an attachment, belong to each group.
      let visits = try await store.features(in: "Visits", matching: .init()).collect()
      #expect(visits.last?.attributes["TEXT"] == (step == 0 ? .text("old") : .text("\(Int(step))")))
      let names = try await store.attachments(of: 9, in: "Huts").map(\.name)
      #expect(names == (step == 0 ? [] : ["\(Int(step))"]))
      // A journal that was never begun in earnest stays until somebody needs one.
      _ = try await store.apply([
        .update(3, table: "Huts", attributes: ["NAME": .text("\(told)")])
      ])
      await store.close()
      #expect(try GeodatabaseAudit.findings(in: url) == [])
    }
  }

  private static let roundCount =
    ProcessInfo.processInfo.environment["PORTOLAN_KILL_COUNT"].flatMap { Int($0) } ?? 3

  /// Has another process edit a file, and kills it some time after it has told of a number of
  /// groups.
  ///
  /// - Returns: The last group that it told of.
  private func edit(_ url: URL, untilKilledAfter count: Int) async throws -> Int {
    let (told, isKilled) = try await onOwnThread { try Self.edit(url, killedAfter: count) }
    try #require(isKilled, "the editor ended by itself")
    return told
  }

  private static func edit(
    _ url: URL, killedAfter count: Int
  ) throws -> (told: Int, isKilled: Bool) {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--testing-library", "swift-testing", "--filter", "KilledEditsTests"]
    let pipe = Pipe()
    process.environment = ProcessInfo.processInfo.environment.merging([
      childVariable: url.path(percentEncoded: false)
    ]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = pipe
    try process.run()
    var (told, lines, rest) = (0, 0, "")
    while lines < max(1, count) {
      // As much as there is; waiting for more would give the editor time to finish.
      let data = pipe.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      rest += String(decoding: data, as: UTF8.self)
      let complete = rest.split(separator: "\n", omittingEmptySubsequences: false)
      for line in complete.dropLast() {
        guard let step = line.split(separator: ":").last, line.hasPrefix("done:") else { continue }
        (told, lines) = (Int(step) ?? told, lines + 1)
      }
      rest = String(complete.last ?? "")
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return (told, process.terminationReason == .uncaughtSignal)
  }

  /// The work of the other process.
  @Test(.enabled(if: child != nil))
  func `Editing continues until this process is killed`() async throws {
    let url = URL(filePath: try #require(Self.child))
    let store = try ContractGeodatabase.edited(url)
    let hut = try await store.features(in: "Huts", matching: .init()).collect().first
    let start = Int(hut?.attributes["AREA"]?.number ?? 0)
    for step in (start + 1)...(start + 5000) {
      let file = NewAttachment(
        name: "\(step)", contentType: "t", data: Data(repeating: 1, count: 20_000))
      var group = Self.ids.map {
        FeatureEdit.update(
          .objectID($0), table: "Huts", attributes: ["AREA": .double(Double(step))])
      }
      group.append(
        .add(NewFeature(attributes: ["TEXT": .text("\(step)")]), table: "Visits"))
      for old in try await store.attachments(of: 9, in: "Huts") {
        group.append(.deleteAttachment(old.id, table: "Huts"))
      }
      group.append(.addAttachment(file, to: 9, table: "Huts"))
      _ = try await store.apply(group)
      try FileHandle.standardError.write(contentsOf: Data("done:\(step)\n".utf8))
    }
  }
}
