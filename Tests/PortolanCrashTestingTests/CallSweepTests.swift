import Foundation
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import PortolanCrashTesting

/// Short runs of what CI runs for long.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct CallSweepTests {
  @Test(arguments: [0, 1, 2] as [UInt64])
  func `Homes are as before or as after, whatever failed`(_ seed: UInt64) async throws {
    var settings = CrashSettings(program: BuiltProgram.url, folder: temporaryDirectory)
    settings.padding = 64 << 10
    settings.seed = seed
    // One of the first calls by which something is written for good, of each of four acts.
    let report = try await CallSweep(settings, every: 1_000, workers: 1, tell: { _ in })
      .run([.fsync])
    #expect(report.isSound, "\(report.table)")
    #expect(report.calls.count == 4 && report.tried >= 8, "\(report.table)")
  }

  @Test func `Three seeds in a row have every act, and a run of every call has all`() {
    let thirds = (7...9).map { SweptAct.chosen(every: 23, seed: $0) }
    #expect(thirds.allSatisfy { $0.count == 4 })
    #expect(Set(thirds.joined()) == Set(SweptAct.allCases))
    #expect(SweptAct.chosen(every: 1, seed: 7) == SweptAct.allCases)
  }

  @Test func `Something of which nothing tells whether it was done is no test`() async throws {
    let start = HomeLayout(home: temporaryDirectory.appending(path: "start"))
    try start.prepare()
    _ = try await SQLiteMapStorage.open(at: start.catalogue)
    let order = ChildOrder(
      .empty, home: start.home, portal: start.home, webMap: "w", subject: "a")
    var trial = CallTrial(
      program: BuiltProgram.url, order: order, start: start.home, before: .absent, after: .absent,
      shape: nil, name: "nothing")
    await #expect(throws: CrashTestError.noDifference("nothing")) {
      try await trial.learn(in: HomeLayout(home: temporaryDirectory.appending(path: "tried")))
    }
    #expect(trial.states == nil)
  }
}

/// The differences between two homes.
@Suite struct HomeStateTests {
  private static func state(_ parts: [String: String]) -> HomeState {
    var state = HomeState()
    state.parts = parts
    return state
  }

  private let before = state(["a": "old", "b": "there"])
  private let after = state(["a": "new", "c": "there"])

  @Test func `Each part that differs is named`() {
    #expect(before.differences(from: before).isEmpty)
    #expect(
      after.differences(from: before) == [
        "a is new, not old", "b is not there, not there", "c is there, not absent",
      ])
  }

  @Test func `Some parts may be as before and others as after, and none otherwise`() {
    #expect(Self.state(["a": "new", "b": "there"]).isBetween(before, after))
    #expect(before.isBetween(before, after) && after.isBetween(before, after))
    #expect(!Self.state(["a": "half", "b": "there"]).isBetween(before, after))
    #expect(!Self.state(["b": "there"]).isBetween(before, after))
    #expect(!Self.state(["a": "old", "d": "there"]).isBetween(before, after))
  }
}
