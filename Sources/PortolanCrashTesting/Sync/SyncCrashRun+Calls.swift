internal import Foundation
internal import PortolanLibrary
internal import PortolanPortal

extension SyncCrashRun {
  /// What a process ends with that has died by itself: an illegal instruction, a trap, an abort, an
  /// access to what is not there.
  private static let deaths: Set<Int32> = [4, 5, 6, 7, 8, 11]

  /// Makes each system call of a synchronization fail, or every so many, and looks at what that leaves.
  ///
  /// Before each, both sides edit, so that something is sent, something comes in, and something is to be
  /// decided on. What a child says must be true; afterwards, with nothing failing, the home and the
  /// service have the same, with every edit in it once.
  ///
  /// - Parameter stride: 1 for every call; 7 for each seventh.
  /// - Returns: The result.
  /// - Throws: An error if the portal or a child cannot be started.
  public mutating func runCalls(every stride: Int) async throws -> SyncCrashReport {
    try await runCalls(FailingCall.Kind.allCases, every: stride)
  }

  /// Makes calls of some kinds fail.
  mutating func runCalls(
    _ kinds: [FailingCall.Kind], every stride: Int
  ) async throws -> SyncCrashReport {
    let start = ContinuousClock.now
    let portal = try await CrashPortal.start(settings)
    do { try await tryCalls(kinds, every: max(stride, 1), portal) } catch {
      await portal.stop()
      throw error
    }
    await portal.stop()
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  private mutating func tryCalls(
    _ kinds: [FailingCall.Kind], every stride: Int, _ portal: CrashPortal
  ) async throws {
    guard let table = try await prepare(["first"], portal) else { return }
    for kind in kinds where report.isSound {
      try await edit(table, portal)
      let count = try await count(of: kind, portal)
      report.calls[kind.rawValue] = count
      for failure in FailingCall.Failure.allCases where failure.kinds.contains(kind) {
        let first = 1 + Int(settings.seed % UInt64(stride))
        for number in Swift.stride(from: first, through: count, by: stride) where report.isSound {
          try await edit(table, portal)
          try await attempt(
            FailingCall(kind: kind, failure: failure, number: number), table, portal)
        }
      }
    }
  }

  /// Both sides edit.
  private mutating func edit(_ table: ServiceFeatureTable, _ portal: CrashPortal) async throws {
    try await editThere(table, portal)
    try await finish(.share, 0, portal)
  }

  /// How many calls of a kind a synchronization has.
  private mutating func count(
    of kind: FailingCall.Kind, _ portal: CrashPortal
  ) async throws -> Int {
    let home = homes[0]
    let order = order(.sync, of: home, portal)
    let environment = FailingCall.environment(
      under: home.layout.home, report: callReport, kind)
    removeCallReport()
    let ending = try await ChildProcess(
      settings.program, order, killedAt: nil, environment: environment
    ).run()
    guard ending.status == 0, let count = FailingCallReport(callReport).count else {
      throw CrashTestError.jobEnded(ending.notes)
    }
    return count
  }

  private mutating func attempt(
    _ call: FailingCall, _ table: ServiceFeatureTable, _ portal: CrashPortal
  ) async throws {
    removeCallReport()
    let ending = try await child(.sync, 0, portal, killedAt: nil, failing: call)
    report.failedCalls += 1
    let failed = FailingCallReport(callReport).failed
    if failed == nil { report.notReached += 1 }
    let place = "\(call), \(failed ?? "not reached")"
    if let stuck = ending.stuckAt {
      note("\(place): the child does not come to its end: \(stuck)", .sync)
    } else if ending.wasKilled || Self.deaths.contains(ending.status) {
      note("\(place): the child died: \(ending.notes)", .sync)
    } else if ending.status == 0, ending.refusal == nil {
      let unsent = try await homes[0].look().unsentEdits
      if unsent > 0 { note("\(place): done by its word, but \(unsent) edits are left", .sync) }
    }
    try await compare(table, portal)
    if !report.isSound { note("that was after \(place): \(ending.status) \(ending.notes)", .sync) }
  }

  private func removeCallReport() {
    // The first time there is none.
    try? FileManager.default.removeItem(at: callReport)
  }
}
