internal import Foundation
internal import PortolanLibrary

/// Kills children while they work on a home, and looks at what they leave.
///
/// One map after the other comes, changes, is edited, goes, comes back and goes for good; another map
/// with edits stays as it is meanwhile. Before each child there is one thing that each map may be;
/// while a child is killed and started again, the map that it works on may be as before or as after,
/// whole, and all others as they were. Every edit that was applied stays.
struct CrashRun {
  let settings: CrashSettings
  let portal: CrashPortal
  let layout: HomeLayout
  var plan: KillPlan
  var report = CrashReport()
  /// What each map is, by its id.
  var fates: [String: MapFate] = [:]
  /// What each map is when it is whole, by its id.
  var whole: [String: MapShape] = [:]
  /// The edits that were made to each map, by its id.
  var edits: [String: EditLedger] = [:]
  /// The maps that no process works on.
  var untouched: [String: FileDates] = [:]
  /// What must be found of a package that is imported, while one is.
  var copied: ImportedCopy?
  /// What was read of maps so far.
  let known = KnownContents()
  private var version = 0
  let tell: @Sendable () -> Void

  /// Starts the portal.
  ///
  /// - Parameters:
  ///   - settings: What is to be done.
  ///   - tell: Called after each kill.
  /// - Throws: An error if the portal does not start, or a file cannot be written.
  init(_ settings: CrashSettings, tell: @escaping @Sendable () -> Void) async throws {
    self.settings = settings
    self.tell = tell
    plan = KillPlan(seed: settings.seed)
    layout = HomeLayout(home: settings.folder.appending(path: "home"))
    portal = try await CrashPortal.start(settings)
    for area in portal.areas { fates[area.id] = .absent }
  }

  /// Kills as often as wanted, or until something must not be so.
  mutating func run() async throws -> CrashReport {
    let start = ContinuousClock.now
    try layout.prepare()
    var areas = portal.areas
    areas.rotate(by: Int(settings.seed % UInt64(areas.count)))
    if areas.count > 1 { try await leaveAlone(areas.removeLast()) }
    while report.kills < settings.kills, report.isSound {
      for area in areas where report.kills < settings.kills && report.isSound {
        try await learn(area)
        try await live(through: area)
      }
    }
    await portal.stop()
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  // MARK: - Undisturbed

  /// Takes an area offline in a home of its own, undisturbed.
  private mutating func learn(_ area: CrashPortal.Area) async throws {
    guard whole[area.id] == nil else { return }
    let home = HomeLayout(home: settings.folder.appending(path: "undisturbed-\(area.id)"))
    try await fetchUndisturbed(area, into: home)
    whole[area.id] = try await contents(of: area, in: home).shape
    try FileManager.default.removeItem(at: home.home)
  }

  /// Stores a map with edits on which no child works.
  private mutating func leaveAlone(_ area: CrashPortal.Area) async throws {
    try await fetchUndisturbed(area, into: layout)
    whole[area.id] = try await contents(of: area, in: layout).shape
    fates[area.id] = .stored(version: version)
    edits[area.id, default: EditLedger()].add(try await finish(order(.edit, area)))
    untouched[area.id] = FileDates(of: area.id, in: layout)
  }

  private mutating func fetchUndisturbed(
    _ area: CrashPortal.Area, into home: HomeLayout
  ) async throws {
    version += 1
    _ = try await portal.publish(version, of: area)
    var order = order(.download, area)
    order.home = home.home
    _ = try await finish(order)
  }

  private func finish(_ order: ChildOrder) async throws -> ChildEnding {
    let ending = try await ChildProcess(settings.program, order, killedAt: nil).run()
    guard ending.status == 0, !ending.wasKilled, ending.refusal == nil else {
      throw CrashTestError.jobEnded(ending.notes)
    }
    return ending
  }

  private func contents(
    of area: CrashPortal.Area, in home: HomeLayout
  ) async throws -> MapContents {
    let contents = try await MapOpening(folder: home.home)
      .contents(of: home.folder(.maps).appending(path: "\(area.id)/1"))
    guard contents.version == version, !contents.marks.isEmpty,
      contents.layers.values.contains(where: { $0.hasSuffix("tiles") })
    else { throw CrashTestError.noArea }
    return contents
  }

  // MARK: - The life of a map

  /// All that happens to a map: with edits, then without.
  private mutating func live(through area: CrashPortal.Area) async throws {
    try await live(withEditsIn: area)
    guard report.isSound else { return }
    try await giveUp(area)
    await portal.setRanges(report.acts % 3 != 2)
    _ = try await fetch(.download, area, packages: area.others)
    await portal.setRanges(true)
    try await giveUp(area)
    guard case .stored(let first) = fates[area.id] ?? .absent else { return }
    let second = try await fetch(plan.number(in: 0...1) == 0 ? .update : .pause, area)
    try await rollBack(area, from: second, to: first)
    try await loseCatalogue(withMap: area)
    try await rollBack(area, from: first, to: second)
    try await act(.delete, on: area, becoming: .deleted(version: second))
    try await act(.undo, on: area, becoming: .stored(version: second))
    try await act(.delete, on: area, becoming: .deleted(version: second))
    try await act(.empty, on: area, becoming: .absent)
    try await act(.forget, on: area, becoming: .absent)
  }

  /// Edits that were not sent are carried over, or keep the map from being replaced and deleted.
  private mutating func live(withEditsIn area: CrashPortal.Area) async throws {
    let first = try await fetch(.download, area, packages: area.others)
    try await act(.edit, on: area, becoming: .stored(version: first))
    try await loseCatalogue(withMap: area)
    try await carryEdits(of: area, in: first)
    try await rollBackEdits(of: area, in: first)
    try await carryEdits(of: area, in: first)
    try await act(.edit, on: area, becoming: .stored(version: first))
    try await copy(area, in: first)
    _ = try await fetch(.update, area, number: plan.number(in: 0...1), refusal: .edits)
    try await act(.delete, on: area, becoming: .stored(version: first), refusal: .edits)
    try await repair(besides: area, in: first)
    try await act(.discard, on: area, becoming: .deleted(version: first))
    try await act(.undo, on: area, becoming: .stored(version: first))
    try await act(.edit, on: area, becoming: .stored(version: first))
    try await act(.discard, on: area, becoming: .deleted(version: first))
    try await act(.empty, on: area, becoming: .absent)
    edits[area.id] = EditLedger()
  }

  /// Updates a map of which the portal has a new package, but no new geodatabase.
  private mutating func carryEdits(of area: CrashPortal.Area, in version: Int) async throws {
    guard report.isSound else { return }
    let package = try await portal.renewPackage(of: area)
    if plan.number(in: 0...1) == 0 {
      try await act(.cancel, on: area, becoming: .stored(version: version))
    }
    try await act(
      plan.number(in: 0...1) == 0 ? .update : .pause, on: area,
      becoming: .stored(version: version),
      TransferLedger(needed: [package.id: package.byteCount]))
    try await expectVersionBefore(version, of: area)
  }

  private mutating func repair(besides area: CrashPortal.Area, in version: Int) async throws {
    guard report.isSound else { return }
    try DamagedHome(layout: layout).damage()
    try await act(.repair, on: area, becoming: .stored(version: version))
    guard report.isSound else { return }
    let inspection = inspection([:], of: layout)
    for fault in try await inspection.repair() { note(fault, .repair) }
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    try await DamagedHome(layout: layout).clear(inspection.library(storage))
  }

  /// Puts a new version of an area on the portal; answers the bytes of its geodatabase.
  mutating func publishNext(
    of area: CrashPortal.Area
  ) async throws -> (version: Int, byteCount: Int) {
    version += 1
    return (version, try await portal.publish(version, of: area))
  }

  private mutating func rollBack(
    _ area: CrashPortal.Area, from version: Int, to earlier: Int
  ) async throws {
    guard report.isSound else { return }
    try await expectVersionBefore(earlier, of: area)
    let number = try await inspection([:], of: layout).versionNumber(of: area.id)
    try await act(
      .rollBack, on: area, becoming: .stored(version: earlier), number: number ?? 0)
  }

  /// An update leaves the previous version, which can be restored.
  private mutating func expectVersionBefore(
    _ version: Int, of area: CrashPortal.Area
  ) async throws {
    guard report.isSound else { return }
    let before = try await inspection([:], of: layout).versionBefore(of: area.id)
    guard before?.version != version else { return }
    note(
      "the version before holds \(before?.version.description ?? "nothing"), not \(version)",
      .update)
  }

  /// Takes a new version offline.
  ///
  /// - Returns: The version.
  private mutating func fetch(
    _ act: CrashAct, _ area: CrashPortal.Area, packages: [String: Int] = [:], number: Int = 0,
    refusal: ChildRefusal? = nil
  ) async throws -> Int {
    guard report.isSound else { return version }
    let (version, byteCount) = try await publishNext(of: area)
    var needed = packages
    needed[area.geodatabase] = byteCount
    let (kills, companions) = (report.kills, report.companions)
    let hasRanges = report.acts % 3 != 2 || act != .download
    let before = fates[area.id] ?? .absent
    let ledger = try await self.act(
      act, on: area, becoming: refusal == nil ? .stored(version: version) : before,
      TransferLedger(needed: needed), number: number, refusal: refusal)
    // After a pause the portal is asked once more by the same child.
    guard refusal == nil, act != .pause else { return version }
    let count = report.kills - kills + report.companions - companions
    judge(ledger, kills: count, hasRanges: hasRanges, act)
    return version
  }

  private mutating func judge(
    _ ledger: TransferLedger, kills: Int, hasRanges: Bool, _ act: CrashAct
  ) {
    guard hasRanges else {
      report.filesBegunAnew += ledger.filesBegunAnew
      report.killsWithoutRanges += kills
      if ledger.filesBegunAnew > kills {
        note("\(ledger.filesBegunAnew) files were started over after \(kills) kills", act)
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

  mutating func note(_ fault: String, _ act: CrashAct) {
    report.faults.append(
      "seed \(settings.seed), kill \(report.kills), \(act.rawValue): \(fault)")
  }
}

extension Array {
  /// Puts the first elements behind the others.
  fileprivate mutating func rotate(by count: Int) {
    self = Array(self[count...] + self[..<count])
  }
}
