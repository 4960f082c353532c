internal import Foundation
internal import PortolanLibrary

/// Makes the n-th system call of a child fail, for every n, and looks at what it leaves and at what it
/// said.
///
/// Each child begins with the same home. Afterwards the map that it worked on is as before or as
/// after, whole; a child that says that it has done it has done it, and one that says that it has
/// failed has not. Then the same is done once more with nothing failing, and comes to its end.
public struct CallSweep: Sendable {
  let settings: CrashSettings
  let homes: URL
  private let stride: Int
  private let workers: Int
  private let tell: @Sendable (String) -> Void
  private let portal: CrashPortal
  private let area: CrashPortal.Area

  /// Starts the portal.
  ///
  /// - Parameters:
  ///   - settings: The program, where homes go, and with which call to begin.
  ///   - stride: 1 for every call; 7 for each seventh.
  ///   - workers: How many children run side by side.
  ///   - tell: Called with what is being tried.
  /// - Throws: An error if the portal does not start.
  public init(
    _ settings: CrashSettings, every stride: Int, workers: Int,
    tell: @escaping @Sendable (String) -> Void
  ) async throws {
    self.settings = settings
    self.stride = stride
    self.workers = max(workers, 1)
    self.tell = tell
    portal = try await CrashPortal.start(settings)
    guard let area = portal.areas.first else { throw CrashTestError.noArea }
    self.area = area
    homes = settings.folder.appending(path: "homes", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: homes, withIntermediateDirectories: true)
  }

  /// Tries every call, or every so many.
  public func run() async throws -> CallSweepReport {
    var report = CallSweepReport()
    let empty = home("empty")
    try empty.prepare()
    _ = try await SQLiteMapStorage.open(at: empty.catalogue)
    _ = try await portal.publish(1, of: area)
    try await sweep(.download, from: empty, .absent, .stored(version: 1), nil, &report)
    let stored = home("stored")
    try HomeCopy.make(of: empty.home, at: stored.home)
    _ = try await finish(.download, in: stored)
    let place = stored.folder(.maps).appending(path: "\(area.id)/1")
    let shape = try await MapOpening(folder: stored.home).contents(of: place).shape
    try await sweep(
      .edit, from: stored, .stored(version: 1), .stored(version: 1), shape, &report)
    try await sweep(
      .delete, from: stored, .stored(version: 1), .deleted(version: 1), shape, &report)
    _ = try await portal.publish(2, of: area)
    try await sweep(
      .update, from: stored, .stored(version: 1), .stored(version: 2), shape, &report)
    await portal.stop()
    return report
  }

  private func home(_ name: String) -> HomeLayout {
    HomeLayout(home: homes.appending(path: name, directoryHint: .isDirectory))
  }

  private func order(_ act: CrashAct, in layout: HomeLayout) -> ChildOrder {
    ChildOrder(
      act, home: layout.home, portal: portal.url, webMap: portal.webMap, subject: area.id)
  }

  private func finish(_ act: CrashAct, in layout: HomeLayout) async throws -> ChildEnding {
    let ending = try await ChildProcess(
      settings.program, order(act, in: layout), killedAt: nil
    ).run()
    guard ending.status == 0, !ending.wasKilled, ending.refusal == nil else {
      throw CrashTestError.jobEnded(ending.notes)
    }
    return ending
  }

  // MARK: - Calls

  private func sweep(
    _ act: CrashAct, from start: HomeLayout, _ before: MapFate, _ after: MapFate,
    _ shape: MapShape?, _ report: inout CallSweepReport
  ) async throws {
    let trial = CallTrial(
      program: settings.program, order: order(act, in: start), start: start.home,
      before: before, after: after, shape: shape)
    for kind in FailingCall.Kind.allCases {
      let count = try await trial.count(of: kind, in: home("counted-\(act.rawValue)-\(kind)"))
      report.calls[act.rawValue, default: [:]][kind.rawValue] = count
      tell("\(act.rawValue): \(count) \(kind.rawValue)")
      var calls: [FailingCall] = []
      for failure in FailingCall.Failure.allCases where failure.kinds.contains(kind) {
        let first = 1 + Int(settings.seed % UInt64(stride))
        calls += Swift.stride(from: first, through: count, by: stride).map {
          FailingCall(kind: kind, failure: failure, number: $0)
        }
      }
      try await perform(calls, trial, &report)
    }
  }

  /// Tries some calls, several side by side.
  private func perform(
    _ calls: [FailingCall], _ trial: CallTrial, _ report: inout CallSweepReport
  ) async throws {
    try await withThrowingTaskGroup(of: CallSweepReport.self) { group in
      for worker in 0..<workers {
        group.addTask {
          var report = CallSweepReport()
          for index in Swift.stride(from: worker, to: calls.count, by: workers) {
            let result = try await trial.perform(calls[index], in: home("tried-\(worker)"))
            for fault in result.faults { tell(fault) }
            report.add(result)
          }
          return report
        }
      }
      for try await part in group { report.add(part) }
    }
  }
}
