internal import Foundation
internal import PortolanLibrary

// One thing that is done to a map, however often the child that does it is killed.
extension CrashRun {
  /// Has children do something until one comes to its end.
  ///
  /// - Parameters:
  ///   - act: What they do.
  ///   - area: The area.
  ///   - fate: What the map is afterwards.
  ///   - other: What else it may be, where what was stopped may have been done by then.
  ///   - ledger: What is to be fetched.
  ///   - number: The number of the version that is rolled back.
  ///   - refusal: Why it must be refused.
  /// - Returns: What was fetched.
  /// - Throws: An error if a home cannot be copied or opened.
  @discardableResult
  mutating func act(
    _ act: CrashAct, on area: CrashPortal.Area, becoming fate: MapFate, or other: MapFate? = nil,
    _ ledger: TransferLedger = TransferLedger(needed: [:]), number: Int = 0,
    refusal: ChildRefusal? = nil
  ) async throws -> TransferLedger {
    guard report.isSound else { return ledger }
    var ledger = ledger
    let ends: Set<MapFate> = [fate, other ?? fate]
    var meanwhile = ends.union([fates[area.id] ?? .absent])
    if act == .rebuild { meanwhile.insert(.absent) }
    var wanted = plan.number(in: 1...act.mostKills)
    while report.isSound {
      let isKilled = wanted > 0 && report.kills < settings.kills
      wanted -= 1
      let mark = portal.transfers.count
      let present = StagedPackages.bytes(in: layout)
      // No other process runs beside the last one, which must come to its end.
      let companions = isKilled ? companions(of: act, on: area) : []
      let ending = try await child(act, area, number, isKilled ? plan.moment(for: act) : nil)
      edits[area.id, default: EditLedger()].add(ending)
      for companion in companions { try await end(companion, area) }
      ledger.add(Array(portal.transfers[mark...]), present: present)
      if isOver(ending, act, refusal, isDisturbed: isKilled) { break }
      try await inspect(meanwhile, of: area, act)
    }
    guard report.isSound else { return ledger }
    if act == .bringIn { copied?.counts = 1...1 }
    let found = try await inspect(ends, of: area, act, isEnd: true)
    fates[area.id] = found ?? fate
    report.acts += 1
    return ledger
  }

  /// Whether a child has done what it was to do.
  private mutating func isOver(
    _ ending: ChildEnding, _ act: CrashAct, _ refusal: ChildRefusal?, isDisturbed: Bool
  ) -> Bool {
    if let place = ending.stuckAt {
      note("the child does not come to its end at \(ending.phase.rawValue): \(place)", act)
    } else if ending.wasKilled {
      count(ending, act)
    } else if ending.status != 0 {
      note("the child failed: \(ending.notes)", act)
    } else if ending.refusal == refusal {
      return true
    } else if !isDisturbed {
      note("the child was refused: \(ending.refusal?.rawValue ?? "not at all")", act)
    }
    return false
  }

  private mutating func count(_ ending: ChildEnding, _ act: CrashAct) {
    report.kills += 1
    report.killsByPhase[act.rawValue, default: [:]][ending.phase.rawValue, default: 0] += 1
    if let step = ending.step, ending.phase == .store {
      report.killsByStep[step, default: 0] += 1
    }
    tell()
  }

  // MARK: - Children

  func order(_ act: CrashAct, _ area: CrashPortal.Area) -> ChildOrder {
    var order = ChildOrder(
      act, home: layout.home, portal: portal.url, webMap: portal.webMap, subject: area.id)
    order.firstEdit = edits[area.id]?.next ?? 0
    return order
  }

  private mutating func child(
    _ act: CrashAct, _ area: CrashPortal.Area, _ number: Int, _ moment: KillMoment?
  ) async throws -> ChildEnding {
    var order = order(act, area)
    order.version = act.stopsJob ? plan.number(in: 0...20) : number
    let ending = try await ChildProcess(settings.program, order, killedAt: moment).run()
    plan.learn(ending, of: act)
    return ending
  }

  /// Starts what works on the map beside a child: a reader, and an editor where there are edits anyway.
  private mutating func companions(of act: CrashAct, on area: CrashPortal.Area) -> [Companion] {
    let (reads, edits) = (plan.number(in: 0...4) == 0, plan.number(in: 0...4) == 0)
    guard case .stored = fates[area.id] ?? .absent else {
      // Another process that takes over what the killed one leaves.
      return reads && act == .download ? [companion(.download, area)] : []
    }
    let mayRead = reads && act.allowsReader
    let mayEdit = edits && act.allowsEditor && self.edits[area.id]?.isEmpty == false
    return (mayRead ? [companion(.read, area)] : []) + (mayEdit ? [companion(.edit, area)] : [])
  }

  private func companion(_ act: CrashAct, _ area: CrashPortal.Area) -> Companion {
    Companion(ChildProcess(settings.program, order(act, area), killedAt: nil), act)
  }

  private mutating func end(_ companion: Companion, _ area: CrashPortal.Area) async throws {
    let ending = try await companion.end()
    edits[area.id, default: EditLedger()].add(ending)
    report.companions += 1
    if !ending.wasKilled, ending.status != 0 {
      note("beside it a child failed: \(ending.notes)", companion.act)
    }
  }

  // MARK: - Looking

  /// What looks at a home.
  func inspection(
    _ exceptions: [String: Set<MapFate>], of layout: HomeLayout
  ) -> HomeInspection {
    HomeInspection(
      layout: layout, allowed: fates.mapValues { [$0] }.merging(exceptions) { $1 }, whole: whole,
      edits: edits, untouched: untouched, known: known, copy: copied)
  }

  /// Looks at a copy, so that the next child finds everything as it was left; every other time also
  /// once it is repaired.
  ///
  /// - Returns: What the map is.
  @discardableResult
  private mutating func inspect(
    _ allowed: Set<MapFate>, of area: CrashPortal.Area, _ act: CrashAct, isEnd: Bool = false
  ) async throws -> MapFate? {
    report.inspections += 1
    let copy = HomeLayout(home: settings.folder.appending(path: "copy"))
    try HomeCopy.make(of: layout.home, at: copy.home)
    var exceptions = [area.id: allowed]
    if act == .rebuild {
      // A process may have died while it made the catalogue, and others before all maps are on the list.
      _ = try await CatalogueRepair(copy).rebuild()
      if !isEnd { exceptions.merge(fates.mapValues { [$0, .absent] }) { known, _ in known } }
    }
    let result = try await inspection(exceptions, of: copy).look()
    for fault in result.faults { note(fault, act) }
    // Edits that were begun are there or not from now on.
    if let marks = result.marks[area.id] { edits[area.id]?.settle(marks) }
    if act == .export { try await inspectPackage(of: area, isDone: isEnd) }
    guard report.isSound, plan.number(in: 0...1) == 0 else { return result.fates[area.id] }
    let inspection = inspection(exceptions, of: copy)
    for fault in try await inspection.repair() { note(fault, act) }
    for fault in try await inspection.look().faults { note("after repairing: \(fault)", act) }
    return result.fates[area.id]
  }

  private mutating func inspectPackage(of area: CrashPortal.Area, isDone: Bool) async throws {
    let package = ExportedPackage(
      file: ExportedPackage.place(of: area.id, beside: layout.home),
      layers: whole[area.id]?.layers ?? [:])
    for fault in try await package.faults(isDone: isDone) { note(fault, .export) }
  }
}
