import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanCrashTesting

/// A short run of what CI runs for long.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SyncCrashTests {
  @Test func `Two homes and their service are equal, whichever process was killed`() async throws {
    var settings = CrashSettings(program: BuiltProgram.url, folder: temporaryDirectory)
    settings.kills = 10
    var run = SyncCrashRun(settings) { _ in }
    let report = try await run.run()
    #expect(report.isSound && report.kills == 10 && report.comparisons > 0, "\(report.table)")
  }

  @Test func `A home and its service are equal, whatever failed while they were synchronized`()
    async throws
  {
    let settings = CrashSettings(program: BuiltProgram.url, folder: temporaryDirectory)
    var run = SyncCrashRun(settings) { _ in }
    let report = try await run.runCalls([.fsync], every: 1_000)
    #expect(report.isSound && report.failedCalls == 2 && report.notReached == 0, "\(report.table)")
  }

  @Test func `A long run in which nothing was updated or rolled back is no proof`() {
    var report = SyncCrashReport()
    report.kills = 49
    report.noteWhatIsMissing()
    #expect(report.isSound)
    report.kills = 50
    report.updates = 3
    report.noteWhatIsMissing()
    #expect(report.faults.count == 1 && !report.isSound, "\(report.faults)")
    #expect(report.table.contains("3 updates stored, 0 rolled back"), "\(report.table)")
    report.faults = []
    report.rollbacks = 1
    report.noteWhatIsMissing()
    #expect(report.isSound)
  }

  @Test func `Contents differ by a feature, a name and a file`() {
    var first = SyncedContents()
    first.names = ["A": "one", "B": "two"]
    first.files = ["A": ["a.txt": 3]]
    var second = first
    #expect(first.difference(from: second) == nil)
    second.names["B"] = nil
    #expect(first.difference(from: second) == "B is two, not absent")
    #expect(first.only(["A"]).difference(from: second) == nil)
    second.files["A"] = ["a.txt": 4]
    #expect(first.only(["A"]).difference(from: second)?.hasPrefix("A has the files") == true)
  }
}
