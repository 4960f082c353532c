import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanCrashTesting

/// A short run of what CI runs for long.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct RegionCrashTests {
  @Test func `Regions of processes that are killed are whole, exact and fetched once`()
    async throws
  {
    var settings = CrashSettings(program: BuiltProgram.url, folder: temporaryDirectory)
    settings.kills = 12
    var run = RegionCrashRun(settings) { _ in }
    let report = try await run.run()
    #expect(report.isSound && report.kills == 12, "\(report.table)")
  }

  @Test func `A child knows its command line`() {
    let words = ["region-child", "delete", "/c", "http://t/{z}/{x}/{y}", "first"]
    #expect(RegionChild(words)?.arguments == words)
    #expect(RegionChild(["region-child", "fly", "/c", "http://t", "first"]) == nil)
    #expect(RegionChild(["child", "delete", "/c", "http://t", "first"]) == nil)
  }
}
