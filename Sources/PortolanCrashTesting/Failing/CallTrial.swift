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
  /// What is done, as it is reported.
  var name: String
  /// The edits in the map before.
  var edits = EditLedger()
  /// What may be set aside meanwhile, by name.
  var kept: Set<String> = []
  /// What the home is before and after; `nil` where only the reports of the child tell what is in between.
  var states: (before: HomeState, after: HomeState)?
  /// Whether some of it may be done where it fails.
  var isGradual = false

  /// Finds out what the home is before and after, undisturbed.
  ///
  /// - Throws: ``CrashTestError/noDifference(_:)`` where that is the same, so that nothing would tell.
  mutating func learn(in layout: HomeLayout) async throws {
    _ = try begin(in: layout)
    let before = try await state(of: layout)
    let ending = try await child(in: layout, [:]).run()
    guard ending.status == 0, ending.refusal == nil else {
      throw CrashTestError.jobEnded(ending.notes)
    }
    let after = try await state(of: layout)
    guard before != after else { throw CrashTestError.noDifference(name) }
    states = (before, after)
  }

  /// How many calls of a kind there are when none fails.
  func count(of kind: FailingCall.Kind, in layout: HomeLayout) async throws -> Int {
    let file = try begin(in: layout)
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
    let file = try begin(in: layout)
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
    // A folder whose lock cannot be asked for counts as in use, and stays for the next repair.
    let mayLeaveParts = isGradual && call.kind == .lock
    report.faults = try await faults(in: layout, ending, mayLeaveParts).map {
      "\(self.name), \(call), \(name): \($0)"
    }
    return report
  }

  /// Copies the home that the child begins with, and the packages beside it.
  ///
  /// - Returns: Where the calls of the child are reported; nothing is there yet.
  private func begin(in layout: HomeLayout) throws -> URL {
    try HomeCopy.make(of: start, at: layout.home)
    let (file, packages) = (
      reportFile(of: layout), ExportedPackage.folder(beside: layout.home)
    )
    for old in [file, packages] {
      try? FileManager.default.removeItem(at: old)  // The first time there is none.
    }
    let source = ExportedPackage.folder(beside: start)
    if FileManager.default.fileExists(atPath: source.path(percentEncoded: false)) {
      try HomeCopy.make(of: source, at: packages)
    }
    return file
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

  private func faults(
    in layout: HomeLayout, _ ending: ChildEnding, _ mayLeaveParts: Bool
  ) async throws -> [String] {
    if let place = ending.stuckAt { return ["the child does not come to its end: \(place)"] }
    var ledger = edits
    ledger.add(ending)
    var faults = ending.wasKilled ? ["the child died"] : []
    // Before anyone repairs it, and afterwards.
    faults += try await look(layout, [before, after], ledger)
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    try await inspection(layout, [], ledger).library(storage).recover()
    faults += try await look(layout, [before, after], ledger).map { "recovered: \($0)" }
    if !isVague(ending), !mayLeaveParts {
      let said = ending.status == 0 && ending.refusal == nil ? after : before
      faults += try await look(layout, [said], ledger).map { "said \(saying(ending)), but \($0)" }
    }
    faults += try await stateFaults(layout, ending, mayLeaveParts) + outsideFaults(layout)
    return faults + (try await again(layout, ledger)).map { "once more: \($0)" }
  }

  /// What must not be so of the home once what was interrupted is finished.
  private func stateFaults(
    _ layout: HomeLayout, _ ending: ChildEnding, _ mayLeaveParts: Bool
  ) async throws -> [String] {
    guard let states else { return try await countFaults(layout) }
    let state = try await state(of: layout)
    let isKnown =
      isGradual
      ? state.isBetween(states.before, states.after)
      : state == states.before || state == states.after
    guard isKnown else {
      let (before, after) = (
        state.differences(from: states.before), state.differences(from: states.after)
      )
      return ["it is neither as before (\(before)) nor as after (\(after))"]
    }
    let isDone = ending.status == 0 && ending.refusal == nil
    guard !isVague(ending), !mayLeaveParts, isDone || !isGradual else { return [] }
    return state.differences(from: isDone ? states.after : states.before)
      .map { "said \(saying(ending)), but \($0)" }
  }

  /// The edits of the map in hand as they are counted for people are those that are in it.
  private func countFaults(_ layout: HomeLayout) async throws -> [String] {
    let inspection = inspection(layout, [before, after], edits)
    let marks = try await inspection.look().marks[id]?.reduce(0) { $0 + $1.unsent }
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    guard let map = MapID(id), let marks else { return [] }
    let count = try await inspection.library(storage).unsentEdits(of: map)
    guard count != marks else { return [] }
    return ["\(count.map { "\($0)" } ?? "unknown") edits are counted, not \(marks)"]
  }

  /// A package that is imported is only read, and others are not touched.
  private func outsideFaults(_ layout: HomeLayout) -> [String] {
    guard order.act != .export else { return [] }
    let (now, before) = (
      FileDates(of: ExportedPackage.folder(beside: layout.home)),
      FileDates(of: ExportedPackage.folder(beside: start))
    )
    return now == before ? [] : ["what is beside the home was written to"]
  }

  private func state(of layout: HomeLayout) async throws -> HomeState {
    let inspection = inspection(layout, [before, after], edits)
    let library = inspection.library(try await SQLiteMapStorage.open(at: layout.catalogue))
    return try await HomeStateReader(
      layout: layout, library: library, audit: inspection.audit(library)
    ).state()
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
    let faults = try await look(layout, [after], ledger)
    guard let states else { return faults + (try await countFaults(layout)) }
    return try await faults + state(of: layout).differences(from: states.after)
      + leftovers(layout)
  }

  /// What a process that failed may leave beside a package, and the next one has to remove; and what a repair leaves.
  private func leftovers(_ layout: HomeLayout) async throws -> [String] {
    let folder = ExportedPackage.folder(beside: layout.home)
    // Beside most homes there is no such folder.
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    let left = (names ?? []).filter { $0.hasPrefix(".portolan-export-") }.map {
      "\($0) is beside the package still"
    }
    return try await left + inspection(layout, [after], edits).repair()
  }

  private var id: String { order.subject }

  private func saying(_ ending: ChildEnding) -> String {
    ending.refusal.map { "refused: \($0.rawValue)" } ?? "\(ending.status) \(ending.notes)"
  }

  /// Whether the child says that it is not over, or that it does not know what became of it.
  private func isVague(_ ending: ChildEnding) -> Bool {
    if ["ended as waiting", "the disk did not confirm it", "could not be recorded"]
      .contains(where: { ending.notes.contains($0) })
    {
      return true
    }
    // What has its place by then is recorded once there is space; what was stored and could not be read for a
    // moment is called incomplete.
    return [.bringIn, .replace, .putBack].contains(order.act)
      && ["The disk is full", "a package of which is missing"]
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
      edits: [id: ledger], kept: kept)
  }
}
