internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanLibrary
internal import PortolanPortal
internal import PortolanTransport

/// Kills processes while they take an area offline into two homes, edit it, synchronize it, update it,
/// roll it back and decide on conflicts, with others who edit the service; from time to time all are brought to rest and compared:
/// both homes and the service have the same then, and no edit is lost or doubled.
public struct SyncCrashRun: Sendable {
  /// An area with enough of the features that everyone edits.
  private static let area = "Casco Bay"
  /// How many things are done between two comparisons.
  private static let actsPerRound = 8
  /// How often both homes are synchronized at most until they are at rest.
  private static let mostTurns = 12

  let settings: CrashSettings
  private let tell: @Sendable (Int) -> Void
  private var plan: KillPlan
  var report = SyncCrashReport()
  private(set) var homes: [SyncedHome] = []
  /// What others have written at the service.
  private var written: Set<String> = []
  /// How many geodatabases the portal has got for the area.
  private var published = 0

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - settings: What is to be done.
  ///   - tell: Called after each kill with how many there have been.
  public init(
    _ settings: CrashSettings, tell: @escaping @Sendable (Int) -> Void
  ) {
    self.settings = settings
    self.tell = tell
    plan = KillPlan(seed: settings.seed)
    report.seed = settings.seed
  }

  /// Kills as often as wanted, or until something must not be so.
  ///
  /// - Throws: An error if the portal or a child cannot be started.
  public mutating func run() async throws -> SyncCrashReport {
    let start = ContinuousClock.now
    let portal = try await CrashPortal.start(settings)
    do { try await run(portal) } catch {
      await portal.stop()
      throw error
    }
    await portal.stop()
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  private mutating func run(_ portal: CrashPortal) async throws {
    guard let table = try await prepare(["first", "second"], portal) else { return }
    while report.kills < settings.kills, report.isSound {
      for _ in 0..<Self.actsPerRound where report.isSound {
        try await act(table, portal)
      }
      try await compare(table, portal)
    }
    if report.isSound { report.noteWhatIsMissing() }
  }

  /// Takes the area offline into homes, and registers the copies.
  ///
  /// - Returns: What everyone edits at the service; `nil` if something must not be so.
  mutating func prepare(
    _ names: [String], _ portal: CrashPortal
  ) async throws -> ServiceFeatureTable? {
    let area = try Self.area(of: portal)
    for name in names {
      let layout = HomeLayout(home: settings.folder.appending(path: name))
      try layout.prepare()
      homes.append(SyncedHome(layout: layout, map: area.id))
    }
    for index in homes.indices { try await perform(.take, index, portal) }
    // The first synchronization registers the copies.
    for index in homes.indices where report.isSound { try await perform(.sync, index, portal) }
    guard report.isSound else { return nil }
    let service = FeatureService(url: try await homes[0].service(), client: portal.client)
    let table = try await sharedTable(of: service)
    let before = try await SyncedContents.read(table)
    written.formUnion(before.names.values)
    return table
  }

  private func sharedTable(of service: FeatureService) async throws -> ServiceFeatureTable {
    let layers = try await service.info().layers
    guard let layer = layers.first(where: { $0.name == SharedEdits.table }) else {
      throw CrashTestError.noArea
    }
    return try await service.table(layer.id)
  }

  /// Does something in a home, or at the service.
  private mutating func act(_ table: ServiceFeatureTable, _ portal: CrashPortal) async throws {
    let index = plan.number(in: 0...1)
    switch try await overdue(index) {
    case .renew: return try await renew(index, portal)
    case let act?: return try await perform(act, index, portal)
    case nil: break
    }
    switch plan.number(in: 0...13) {
    case 0...3: try await perform(.share, index, portal)
    case 4...7: try await perform(.sync, index, portal)
    case 8: try await perform(.decide, index, portal)
    case 9...10: try await renew(index, portal)
    case 11...12 where try await homes[index].hasEarlierVersion():
      try await perform(.rollBack, index, portal)
    case 11...12: break
    default: try await editThere(table, portal)
    }
  }

  /// What a long run has not come to by chance when half of it is over: it is done on purpose then.
  private func overdue(_ index: Int) async throws -> CrashAct? {
    guard settings.kills >= SyncCrashReport.kindsAreDue, report.kills * 2 >= settings.kills else {
      return nil
    }
    guard report.updates > 0 else { return .renew }
    let isPossible = try await homes[index].hasEarlierVersion()
    return report.rollbacks == 0 && isPossible ? .rollBack : nil
  }

  /// Takes a newer version of the area offline: one with the same geodatabase, which goes along with its
  /// edits, or with another one.
  private mutating func renew(_ index: Int, _ portal: CrashPortal) async throws {
    let area = try Self.area(of: portal)
    if plan.number(in: 0...2) == 0 {
      published += 1
      _ = try await portal.publish(published, of: area)
    } else {
      _ = try await portal.renewPackage(of: area)
    }
    try await perform(.renew, index, portal)
  }

  private static func area(of portal: CrashPortal) throws -> CrashPortal.Area {
    guard let area = portal.areas.first(where: { $0.title == area }) else {
      throw CrashTestError.noArea
    }
    return area
  }

  /// Others give a feature another name at the service.
  mutating func editThere(
    _ table: ServiceFeatureTable, _ portal: CrashPortal
  ) async throws {
    let name = "others-\(report.acts)"
    let ids = try await table.objectIDs().sorted()
    let id = ids[plan.number(in: 0...min(7, ids.count - 1))]
    written.insert(name)
    _ = try await portal.client.json(
      table.url.appending(path: "applyEdits"),
      ["updates": "[{\"attributes\": {\"OBJECTID\": \(id), \"NAME\": \"\(name)\"}}]"],
      method: .post)
    report.acts += 1
  }

  // MARK: - Children

  /// Has children do something in a home until one comes to its end.
  private mutating func perform(
    _ act: CrashAct, _ index: Int, _ portal: CrashPortal
  ) async throws {
    var wanted = plan.number(in: 0...act.mostKills)
    let version = try await homes[index].version()
    while report.isSound {
      let isDisturbed = wanted > 0 && report.kills < settings.kills
      wanted -= 1
      let call = isDisturbed && plan.number(in: 0...3) == 0 ? failure(of: act) : nil
      let moment = isDisturbed && call == nil ? plan.moment(for: act) : nil
      let ending = try await child(
        act, index, portal, on: version, killedAt: moment, failing: call)
      if let place = ending.stuckAt {
        note("the child does not come to its end at \(ending.phase.rawValue): \(place)", act)
      } else if ending.wasKilled {
        report.kills += 1
        report.killsByAct[act.rawValue, default: 0] += 1
        tell(report.kills)
      } else if call != nil, ending.status != 0 {
        report.failedCalls += 1
      } else if ending.refusal == .edits, [.renew, .rollBack].contains(act) {
        // Another geodatabase does not take over the edits that were not sent.
        break
      } else if ending.status != 0 || ending.refusal != nil {
        note("the child failed: \(ending.refusal?.rawValue ?? "") \(ending.notes)", act)
      } else {
        if act == .renew { report.updates += 1 }
        if act == .rollBack { report.rollbacks += 1 }
        break
      }
    }
    report.acts += 1
  }

  /// What is reported of the child in which a call fails.
  var callReport: URL { settings.folder.appending(path: "failing-call") }

  /// A call that is made to fail, most often one that a child comes to.
  private mutating func failure(of act: CrashAct) -> FailingCall {
    let failures = FailingCall.Failure.allCases
    let failure = failures[plan.number(in: 0...failures.count - 1)]
    let kinds = FailingCall.Kind.allCases.filter(failure.kinds.contains)
    let kind = kinds[plan.number(in: 0...kinds.count - 1)]
    return FailingCall(
      kind: kind, failure: failure, number: plan.number(in: 1...(act == .take ? 400 : 100)))
  }

  mutating func child(
    _ act: CrashAct, _ index: Int, _ portal: CrashPortal, on version: Int = 0,
    killedAt moment: KillMoment?, failing call: FailingCall? = nil
  ) async throws -> ChildEnding {
    var order = order(act, of: homes[index], portal)
    order.version = version
    var environment: [String: String] = [:]
    if let call {
      environment = call.environment(under: homes[index].layout.home, report: callReport)
    }
    let ending = try await ChildProcess(
      settings.program, order, killedAt: moment, environment: environment
    ).run()
    if call == nil { plan.learn(ending, of: act) }
    homes[index].add(ending)
    return ending
  }

  /// What a child is asked to do in a home.
  func order(_ act: CrashAct, of home: SyncedHome, _ portal: CrashPortal) -> ChildOrder {
    var order = ChildOrder(
      act, home: home.layout.home, portal: portal.url, webMap: portal.webMap, subject: home.map)
    order.firstEdit = home.next
    return order
  }

  mutating func note(_ fault: String, _ act: CrashAct) {
    report.faults.append(
      "seed \(settings.seed), kill \(report.kills), \(act.rawValue): \(fault)")
  }

  // MARK: - Comparing

  /// Brings both homes to rest, and looks whether all have the same, with every edit in it once.
  mutating func compare(
    _ table: ServiceFeatureTable, _ portal: CrashPortal
  ) async throws {
    guard report.isSound, try await bringToRest(portal) else { return }
    report.comparisons += 1
    let there = try await SyncedContents.read(table)
    for home in homes {
      let here = try await home.look().contents
      // The service has features of other places as well.
      if let difference = here.difference(from: there.only(here.names.keys)) {
        note("\(home.editor.home) and the service differ: \(difference)", .sync)
      }
      judge(home, here, there)
    }
    let first = try await homes[0].look().contents
    for home in homes.dropFirst() {
      let other = try await home.look().contents
      if let difference = first.difference(from: other) {
        note("the homes differ: \(difference)", .sync)
      }
    }
    report.edits = homes.map(\.done.count).reduce(0, +)
  }

  /// Synchronizes and decides, undisturbed, until nothing is left to be sent or decided on.
  private mutating func bringToRest(_ portal: CrashPortal) async throws -> Bool {
    for _ in 0..<Self.mostTurns {
      var isAtRest = true
      for index in homes.indices {
        // What one home sends now, the other one has only after the next turn.
        let before = try await homes[index].look()
        try await finish(.sync, index, portal)
        let found = try await homes[index].look()
        report.conflicts += found.issues
        isAtRest =
          isAtRest && before.edits == 0 && before.contents == found.contents && found.issues == 0
        if found.issues > 0 { try await finish(.decide, index, portal) }
        guard report.isSound else { return false }
      }
      if isAtRest { return true }
    }
    note("the homes do not come to rest", .sync)
    return false
  }

  mutating func finish(
    _ act: CrashAct, _ index: Int, _ portal: CrashPortal
  ) async throws {
    let ending = try await child(act, index, portal, killedAt: nil)
    guard ending.status != 0 || ending.wasKilled || ending.refusal != nil else { return }
    note("undisturbed, the child failed: \(ending.notes)", act)
  }

  /// Looks for what a home has done: nothing of it may be lost or there twice.
  private mutating func judge(
    _ home: SyncedHome, _ here: SyncedContents, _ there: SyncedContents
  ) {
    for number in home.begun.sorted() {
      let mark = home.editor.mark(number)
      let added = there.count(of: "added-\(mark)")
      let least = home.done.contains(number) ? 1 : 0
      if added < least || added > 1 { note("\"added-\(mark)\" is there \(added) times", .sync) }
      let files = there.count(ofFile: "\(mark).txt")
      let isAttached = number % 6 == 0 || number % 6 == 3
      if isAttached, added == 1, files != 1 { note("\(mark).txt is there \(files) times", .sync) }
    }
    let known = Set(homes.flatMap { home in home.begun.map(home.editor.mark) })
    let invented = here.names.values.first { name in
      !written.contains(name) && !known.contains(name) && !name.hasPrefix("added-")
    }
    if let invented { note("no edit wrote \"\(invented)\"", .sync) }
  }
}
