internal import Foundation
internal import PortolanLibrary

/// Kills children while they work on a home, and looks at what they leave.
///
/// One home after the other sees maps come, change, go, come back and go for good. Before each
/// child there is one thing that each map may be; while a child is killed and started again, the
/// map that it works on may be as before or as after, whole, and all others as they were.
public struct CrashRun {
  let settings: CrashSettings
  let portal: CrashPortal
  let layout: HomeLayout
  var plan: KillPlan
  var report = CrashReport()
  /// What each map is, by its id.
  var fates: [String: MapFate] = [:]
  /// What the layers of each map show when it is whole, by its id.
  var whole: [String: [String: String]] = [:]
  private var version = 0
  private let tell: @Sendable (Int) -> Void

  /// Starts the portal and sees how maps are that nobody has disturbed.
  ///
  /// - Parameters:
  ///   - settings: What is to be done.
  ///   - tell: Told after each kill how many there have been.
  /// - Throws: An error if the portal does not start, or a file cannot be written.
  public init(_ settings: CrashSettings, tell: @escaping @Sendable (Int) -> Void) async throws {
    self.settings = settings
    self.tell = tell
    plan = KillPlan(seed: settings.seed)
    layout = HomeLayout(home: settings.folder.appending(path: "home"))
    portal = try await CrashPortal.start(settings)
    for area in portal.areas { fates[area.id] = .absent }
  }

  /// Kills as often as told, or until something must not be so.
  public mutating func run() async throws -> CrashReport {
    let start = ContinuousClock.now
    try layout.prepare()
    for area in portal.areas { try await learn(area) }
    while report.kills < settings.kills, report.isSound {
      for area in portal.areas where report.kills < settings.kills && report.isSound {
        try await live(through: area)
      }
    }
    await portal.stop()
    report.judge()
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  /// Takes an area offline in a home of its own, undisturbed.
  private mutating func learn(_ area: CrashPortal.Area) async throws {
    let home = HomeLayout(home: settings.folder.appending(path: "undisturbed-\(area.id)"))
    version += 1
    _ = try await portal.publish(version, of: area)
    let order = ChildOrder(
      .download, home: home.home, portal: portal.url, webMap: portal.webMap, subject: area.id)
    let ending = try await ChildProcess(settings.program, order, killedAt: nil).run()
    guard ending.status == 0 else { throw CrashTestError.jobEnded(ending.notes) }
    let contents = try await MapOpening(folder: home.home)
      .contents(of: home.folder(.maps).appending(path: "\(area.id)/1"))
    guard contents.version == version,
      contents.layers.values.contains(where: { $0.hasSuffix("tiles") })
    else { throw CrashTestError.noArea }
    whole[area.id] = contents.layers
    try FileManager.default.removeItem(at: home.home)
  }

  /// All that happens to a map.
  private mutating func live(through area: CrashPortal.Area) async throws {
    let first = version + 1
    await portal.setRanges(report.acts % 3 != 2)
    try await fetch(.download, area, reusing: [])
    await portal.setRanges(true)
    try await fetch(.update, area, reusing: Set(area.others.keys))
    try await act(.delete, on: area, becoming: .deleted(version: first + 1))
    try await act(.undo, on: area, becoming: .stored(version: first + 1))
    try await act(.delete, on: area, becoming: .deleted(version: first + 1))
    try await act(.empty, on: area, becoming: .absent)
    try DamagedHome(layout: layout).damage()
    try await act(.repair, on: area, becoming: .absent)
    guard report.isSound else { return }
    for fault in try await inspection([:]).repair() { note(fault, .repair) }
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    try await DamagedHome(layout: layout).clear(inspection([:]).library(storage))
  }

  private mutating func fetch(
    _ act: CrashAct, _ area: CrashPortal.Area, reusing packages: Set<String>
  ) async throws {
    version += 1
    var needed = area.others.filter { !packages.contains($0.key) }
    needed[area.geodatabase] = try await portal.publish(version, of: area)
    let kills = report.kills
    let hasRanges = report.acts % 3 != 2 || act == .update
    let ledger = try await self.act(
      act, on: area, becoming: .stored(version: version), TransferLedger(needed: needed))
    judge(ledger, kills: report.kills - kills, hasRanges: hasRanges, act)
  }

  private mutating func judge(
    _ ledger: TransferLedger, kills: Int, hasRanges: Bool, _ act: CrashAct
  ) {
    guard hasRanges else {
      report.filesBegunAnew += ledger.filesBegunAnew
      report.killsWithoutRanges += kills
      if ledger.filesBegunAnew > kills {
        note("\(ledger.filesBegunAnew) files were begun anew after \(kills) kills", act)
      }
      return
    }
    report.bytesNeeded += ledger.whole
    report.bytesFetchedTwice += ledger.fetchedTwice
    report.bytesLostUnderWay += ledger.lostUnderWay
    report.bytesAtStake += ledger.whole * kills
    let loss = Double(ledger.fetchedTwice) / Double(max(ledger.whole, 1)) / Double(max(kills, 1))
    report.largestLoss = max(report.largestLoss, loss)
    if loss > 0.01 {
      note("\(ledger.fetchedTwice) of \(ledger.whole) bytes came twice after \(kills) kills", act)
    }
  }

  // MARK: - One act

  @discardableResult
  private mutating func act(
    _ act: CrashAct, on area: CrashPortal.Area, becoming fate: MapFate,
    _ ledger: TransferLedger = TransferLedger(needed: [:])
  ) async throws -> TransferLedger {
    guard report.isSound else { return ledger }
    var ledger = ledger
    let before = fates[area.id] ?? .absent
    var wanted = plan.number(in: 1...5)
    while report.isSound {
      let isKilled = wanted > 0 && report.kills < settings.kills
      wanted -= 1
      let mark = portal.transfers.count
      let present = StagedPackages.bytes(in: layout)
      let ending = try await child(act, area, isKilled ? plan.moment(for: act) : nil)
      ledger.add(Array(portal.transfers[mark...]), present: present)
      guard ending.wasKilled else {
        if ending.status != 0 { note("the child failed: \(ending.notes)", act) }
        break
      }
      count(ending, act)
      try await inspect([before, fate], of: area, act)
    }
    guard report.isSound else { return ledger }
    fates[area.id] = fate
    try await inspect([fate], of: area, act)
    report.acts += 1
    return ledger
  }

  private mutating func child(
    _ act: CrashAct, _ area: CrashPortal.Area, _ moment: KillMoment?
  ) async throws -> ChildEnding {
    let order = ChildOrder(
      act, home: layout.home, portal: portal.url, webMap: portal.webMap, subject: area.id)
    let ending = try await ChildProcess(settings.program, order, killedAt: moment).run()
    plan.learn(ending, of: act)
    return ending
  }

  private mutating func count(_ ending: ChildEnding, _ act: CrashAct) {
    report.kills += 1
    report.killsByPhase[act.rawValue, default: [:]][ending.phase.rawValue, default: 0] += 1
    if let step = ending.step, ending.phase == .store {
      report.killsByStep[step, default: 0] += 1
    }
    tell(report.kills)
  }

  // MARK: - Looking

  private func inspection(_ exceptions: [String: Set<MapFate>]) -> HomeInspection {
    HomeInspection(
      layout: layout, allowed: fates.mapValues { [$0] }.merging(exceptions) { $1 }, whole: whole)
  }

  private mutating func inspect(
    _ allowed: Set<MapFate>, of area: CrashPortal.Area, _ act: CrashAct
  ) async throws {
    report.inspections += 1
    let inspection = inspection([area.id: allowed])
    for fault in try await inspection.faults() { note(fault, act) }
    // Every other time the next child finds all as it was left.
    guard report.isSound, act != .repair, plan.number(in: 0...1) == 0 else { return }
    for fault in try await inspection.repair() { note(fault, act) }
    for fault in try await inspection.faults() { note("after repairing: \(fault)", act) }
  }

  private mutating func note(_ fault: String, _ act: CrashAct) {
    report.faults.append("kill \(report.kills), \(act.rawValue): \(fault)")
  }
}
