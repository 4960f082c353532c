internal import Foundation
internal import PortolanLibrary

/// Makes the n-th system call of a child fail, for every n, and looks at what it leaves and at what it
/// said.
///
/// Each child begins with the same home. Afterwards the map that it worked on is as before or as
/// after, whole; so are the other maps, their versions and edits, what was set aside, and packages beside the
/// home. A child that says that it has done it has done it, and one that says that it has
/// failed has not. Then the same is done once more with nothing failing, and comes to its end.
public struct CallSweep: Sendable {
  let settings: CrashSettings
  private let folder: URL
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
    folder = settings.folder.appending(path: "homes", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Tries every call of every act, or every so many calls of a third of them.
  public func run() async throws -> CallSweepReport { try await run(FailingCall.Kind.allCases) }

  /// Tries calls of some kinds.
  func run(_ kinds: [FailingCall.Kind]) async throws -> CallSweepReport {
    var report = CallSweepReport()
    let acts = SweptAct.chosen(every: stride, seed: settings.seed)
    tell("seed \(settings.seed): \(acts.map(\.rawValue).joined(separator: ", "))")
    var homes = CallSweepHomes(folder: folder, id: area.id)
    _ = try await portal.publish(1, of: area)
    try await homes.makeFirst(finish)
    // The geodatabase stays, so that the edits in it are taken over.
    _ = try await portal.renewPackage(of: area)
    try await homes.makeUpdated(finish)
    for act in acts where act != .update { try await sweep(act, kinds, homes, &report) }
    if acts.contains(.update) {
      _ = try await portal.publish(2, of: area)
      try await sweep(.update, kinds, homes, &report)
    }
    await portal.stop()
    return report
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
    _ act: SweptAct, _ kinds: [FailingCall.Kind], _ homes: CallSweepHomes,
    _ report: inout CallSweepReport
  ) async throws {
    var trial = trial(of: act, homes)
    if !act.appliesEdits { try await trial.learn(in: homes["undisturbed"]) }
    for kind in kinds {
      let count = try await trial.count(of: kind, in: homes["counted"])
      report.calls[act.rawValue, default: [:]][kind.rawValue] = count
      tell("\(act.rawValue): \(count) \(kind.rawValue)")
      var calls: [FailingCall] = []
      for failure in FailingCall.Failure.allCases where failure.kinds.contains(kind) {
        let first = 1 + Int(settings.seed % UInt64(stride))
        calls += Swift.stride(from: first, through: count, by: stride).map {
          FailingCall(kind: kind, failure: failure, number: $0)
        }
      }
      try await perform(calls, trial, homes, &report)
    }
  }

  private func trial(of act: SweptAct, _ homes: CallSweepHomes) -> CallTrial {
    let start = homes.start(of: act)
    var order = order(act.act, in: start)
    // The update, which is the second version.
    if act == .rollBack { order.version = 2 }
    let (before, after): (MapFate, MapFate) =
      switch act {
      case .download: (.absent, .stored(version: 1))
      case .delete: (.stored(version: 1), .deleted(version: 1))
      case .update: (.stored(version: 1), .stored(version: 2))
      default: (.stored(version: 1), .stored(version: 1))
      }
    var trial = CallTrial(
      program: settings.program, order: order, start: start.home, before: before, after: after,
      shape: act == .download ? nil : homes.shape, name: act.rawValue)
    trial.edits = homes.edits(before: act)
    trial.kept = [.repair, .restoreKept].contains(act) ? CallSweepHomes.kept : []
    trial.isGradual = act.isGradual
    return trial
  }

  /// Tries some calls, several side by side.
  private func perform(
    _ calls: [FailingCall], _ trial: CallTrial, _ homes: CallSweepHomes,
    _ report: inout CallSweepReport
  ) async throws {
    try await withThrowingTaskGroup(of: CallSweepReport.self) { group in
      for worker in 0..<workers {
        group.addTask {
          var report = CallSweepReport()
          for index in Swift.stride(from: worker, to: calls.count, by: workers) {
            let result = try await trial.perform(calls[index], in: homes["tried-\(worker)"])
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
