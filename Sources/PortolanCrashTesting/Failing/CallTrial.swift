internal import Foundation
internal import PortolanLibrary

/// One act on one home, in which one call fails.
struct CallTrial: Sendable {
  let program: URL
  let order: ChildOrder
  /// The home that each child begins with.
  let start: URL
  let before: MapFate
  let after: MapFate
  /// What the map is when it is whole, if that is known.
  let shape: MapShape?

  /// How many calls of a kind there are when none fails.
  func count(of kind: FailingCall.Kind, in layout: HomeLayout) async throws -> Int {
    try HomeCopy.make(of: start, at: layout.home)
    let file = reportFile(of: layout)
    let ending = try await child(
      in: layout,
      FailingCall.environment(under: layout.home, report: file, kind)
    ).run()
    guard ending.status == 0, ending.refusal == nil, let count = FailingCallReport(file).count
    else { throw CrashTestError.jobEnded(ending.notes) }
    return count
  }

  /// Makes one call fail.
  func perform(_ call: FailingCall, in layout: HomeLayout) async throws -> CallSweepReport {
    try HomeCopy.make(of: start, at: layout.home)
    let file = reportFile(of: layout)
    try? FileManager.default.removeItem(at: file)  // The first time there is none.
    let ending = try await child(
      in: layout, call.environment(under: layout.home, report: file)
    ).run()
    var report = CallSweepReport()
    report.tried = 1
    guard let failed = FailingCallReport(file).failed else {
      report.notReached = 1
      return report
    }
    let name = failed.replacing(layout.home.path(percentEncoded: false), with: "")
    report.faults = try await faults(in: layout, ending).map {
      "\(order.act.rawValue), \(call), \(name): \($0)"
    }
    return report
  }

  /// Beside the home, so that it is no part of it.
  private func reportFile(of layout: HomeLayout) -> URL {
    layout.home.deletingLastPathComponent()
      .appending(path: "\(layout.home.lastPathComponent).report")
  }

  private func child(in layout: HomeLayout, _ environment: [String: String]) -> ChildProcess {
    var order = order
    order.home = layout.home
    return ChildProcess(program, order, killedAt: nil, environment: environment)
  }

  // MARK: - Looking

  private func faults(in layout: HomeLayout, _ ending: ChildEnding) async throws -> [String] {
    if let place = ending.stuckAt { return ["the child does not come to its end: \(place)"] }
    var ledger = EditLedger()
    ledger.add(ending)
    var faults = ending.wasKilled ? ["the child died"] : []
    // Before anyone repairs it, and afterwards.
    faults += try await look(layout, [before, after], ledger)
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    try await inspection(layout, [], ledger).library(storage).recover()
    faults += try await look(layout, [before, after], ledger).map { "recovered: \($0)" }
    if !isVague(ending) {
      let said = ending.status == 0 && ending.refusal == nil ? after : before
      faults += try await look(layout, [said], ledger).map { "said \(saying(ending)), but \($0)" }
    }
    return faults + (try await again(layout, ledger)).map { "once more: \($0)" }
  }

  private func again(_ layout: HomeLayout, _ ledger: EditLedger) async throws -> [String] {
    var ledger = ledger
    if let marks = try await inspection(layout, [before, after], ledger).look().marks[id] {
      ledger.settle(marks)
    }
    var order = order
    order.home = layout.home
    order.firstEdit = ledger.next
    let ending = try await ChildProcess(program, order, killedAt: nil).run()
    guard ending.status == 0, ending.refusal == nil else { return [saying(ending)] }
    ledger.add(ending)
    return try await look(layout, [after], ledger)
  }

  private var id: String { order.subject }

  private func saying(_ ending: ChildEnding) -> String {
    ending.refusal.map { "refused: \($0.rawValue)" } ?? "\(ending.status) \(ending.notes)"
  }

  /// Whether the child says that it is not over, or that it does not know what became of it.
  private func isVague(_ ending: ChildEnding) -> Bool {
    ["ended as waiting", "the disk did not confirm it", "could not be recorded"]
      .contains { ending.notes.contains($0) }
  }

  private func look(
    _ layout: HomeLayout, _ fates: Set<MapFate>, _ ledger: EditLedger
  ) async throws -> [String] {
    try await inspection(layout, fates, ledger).look().faults
  }

  private func inspection(
    _ layout: HomeLayout, _ fates: Set<MapFate>, _ ledger: EditLedger
  ) -> HomeInspection {
    HomeInspection(
      layout: layout, allowed: [id: fates], whole: shape.map { [id: $0] } ?? [:],
      edits: [id: ledger])
  }
}
