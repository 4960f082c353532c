import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanCrashTesting

/// A short run of what CI runs for long.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct CrashRunTests {
  @Test func `Nothing is lost by processes that are killed`() async throws {
    var settings = CrashSettings(program: BuiltProgram.url, folder: temporaryDirectory)
    settings.kills = 15
    let report = try await CrashRuns(settings, homes: 1) { _ in }.run()
    // The amount that the connection held when a child died says nothing on a machine that runs
    // tests.
    let faults = report.faults.filter { !$0.contains("came twice") }
    #expect(faults.isEmpty && report.kills == 15, "\(report.table)")
  }

  @Test func `A child does only what makes sense`() {
    #expect(CrashChild(["child", "fly", "/h", "http://p", "w", "s", "0", "0"]) == nil)
    #expect(CrashChild(["child", "delete"]) == nil)
    #expect(CrashChild(["--kills=1"]) == nil)
    #expect(CrashChild(["child", "delete", "/h", "http://p", "w", "s"]) == nil)
    #expect(CrashChild(["child", "delete", "/h", "http://p", "w", "s", "0", "0"]) != nil)
  }

  @Test func `A report names the phases in which no process was killed`() {
    var report = CrashReport()
    report.kills = 300
    for act in CrashAct.withoutServices { report.killsByPhase[act.rawValue] = ["recover": 10] }
    report.judge()
    #expect(report.faults.contains("no child was killed at download"))
    #expect(!report.faults.contains("no child was killed at recover"))
    #expect(report.table.contains("300 kills"))
  }
}
