import Foundation
import Glibc
import PortolanFeatures
import PortolanGeodatabase
import PortolanImages
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import PortolanPortal
import PortolanRendering
import PortolanSQLite
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import DemoPortal
@testable import PortolanApp

/// The map list over the demo portal, whose faults it must survive.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct MapListModelTests {
  private nonisolated static let day = HomeLibrary.testDay

  /// Everything that the list stands on.
  private struct Stage {
    let demo: DemoPortal
    let portal: Portal
    let webMap: String
    let library: HomeLibrary
    let monitor: SwitchableNetworkMonitor
    let model: MapListModel
  }

  /// A portal that is always the same.
  private struct OnePortal: PortalConnecting {
    let portal: Portal

    func portal(at url: URL?) async throws(PortalError) -> Portal { portal }
  }

  private func stage(
    _ storage: any MapStorage = InMemoryMapStorage()
  ) async throws -> Stage {
    let demo = try await DemoPortal.standard(
      state: DemoState(seed: 1, folder: temporaryDirectory.appending(path: "portal")))
    let root = try #require(URL(string: "http://demo.portolan.example"))
    let portal = Portal(
      url: root,
      client: RESTClient(
        transport: InProcessTransport(demo), authenticator: AnonymousAuthenticator()))
    let found = try await portal.findItems(.init(query: "\"Explore Maine\"", kinds: [.webMap]))
    let webMap = try #require(found.results.first)
    let library = try await library(portal, storage)
    let monitor = SwitchableNetworkMonitor()
    let model = MapListModel(
      library: library, portals: OnePortal(portal: portal), monitor: monitor)
    return Stage(
      demo: demo, portal: portal, webMap: webMap.id.text, library: library, monitor: monitor,
      model: model)
  }

  private func library(
    _ portal: Portal, _ storage: any MapStorage, clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> HomeLibrary {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let maps = MapLibrary(
      layout: layout, storage: storage, now: { Self.day }, clock: clock,
      unsentEdits: { try await UnsentEdits.count(in: $0) })
    return HomeLibrary(
      testing: maps, packages: FilePackageOpener(unpackingInto: temporaryDirectory),
      connect: { _ in portal }, drawing: PictureDrawing())
  }

  private func area(_ model: MapListModel, _ state: MapListItem.State) throws -> MapListItem {
    try #require(model.state.items.first { $0.state == state })
  }

  @Test func `A web map lists its areas with sizes and thumbnails`() async throws {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    let items = stage.model.state.items
    #expect(items.first?.state == .online && items.first?.id == stage.webMap)
    let states = Set(items.dropFirst().map(\.state))
    #expect(states == [.available, .packaging, .packagingFailed])
    let ready = try area(stage.model, .available)
    #expect(ready.byteCount.map { $0 > 1000 } ?? false)
    let picture = try await stage.model.thumbnail(of: stage.webMap)
    #expect(picture != nil)
    #expect(stage.model.state.banner == nil)
  }

  @Test func `Observers see a row go from available to stored and back, and its job end`()
    async throws
  {
    let stage = try await stage()
    let model = stage.model
    let rows = try await Observed.states {
      model.state.items
    } until: {
      !$0.isEmpty
    } while: {
      try await model.add(webMap: stage.webMap)
    }
    #expect(rows.first == [])
    let id = try area(model, .available).id
    let jobs = JobListModel(queue: stage.library.queue, journal: stage.library.storage)
    let states = try await Observed.states {
      model.state.items.first { $0.id == id }?.state
    } until: {
      if case .stored? = $0 { true } else { false }
    } while: {
      let (job, _) = try await model.download(id)
      let listed = try await Observed.states {
        jobs.jobs
      } until: {
        $0.first?.state == .succeeded
      } while: {
        _ = await jobs.work(until: [job.id]) { _ in }
      }
      #expect(listed.first == [])
      try await model.load()
    }
    #expect(states.first == .available)
    let storage = StorageModel(library: stage.library)
    let usage = try await Observed.states {
      storage.usage
    } until: {
      $0 != nil
    } while: {
      try await storage.measure()
    }
    #expect(usage.first == .some(nil) && usage.last??.maps.map(\.id) == [id])
    let sync = SyncModel(library: stage.library, portals: NoPortal())
    let conflicts = try await Observed.states {
      sync.state
    } until: {
      $0.map != nil
    } while: {
      try await sync.loadConflicts(of: id)
    }
    #expect(conflicts.last?.map == id && conflicts.last?.conflicts == [])
    let refused = try await Observed.states {
      sync.state.problem?.kind
    } until: {
      $0 != nil
    } while: {
      await #expect(throws: Problem.self) { try await sync.resolve(7, as: .mine) }
    }
    #expect(refused == [nil, .absence])
    let gone = try await Observed.states {
      model.state.items.first { $0.id == id }?.state
    } until: {
      $0 == .available
    } while: {
      try await model.delete(id)
    }
    #expect(gone.last == .available)
  }

  @Test func `Observers see what can be taken offline, and that a portal is asked`() async throws {
    let stage = try await stage()
    let model = OfflineMapModel(
      library: stage.library, portals: OnePortal(portal: stage.portal))
    let request = OfflineMapModel.Request(
      webMap: stage.webMap, area: try #require(OfflineMapArea(degrees: "-69,44,-68,45")))
    let states = try await Observed.states {
      model.state
    } until: {
      !$0.isAsking && $0.capabilities != nil
    } while: {
      _ = try await model.loadCapabilities(of: request)
    }
    #expect(states.first?.isAsking == false && states.last?.capabilities?.layers.isEmpty == false)
    let failing = try await Observed.states {
      model.state.problem
    } until: {
      $0 != nil
    } while: {
      var nowhere = request
      nowhere.webMap = "none"
      let missing = nowhere
      await #expect(throws: Problem.self) { try await model.loadEstimate(of: missing) }
    }
    #expect(failing.first == .some(nil))
  }

  @Test func `A portal that fails is a banner, and every row stays`() async throws {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    let before = stage.model.state.items
    _ = await stage.demo.state.add(
      DemoFault(.status(500, retryAfter: nil), path: "*/relatedItems*"))
    await stage.model.refresh()
    #expect(stage.model.state.items == before)
    #expect(stage.model.state.banner != nil)
    #expect(!stage.model.state.isRefreshing)
  }

  @Test func `Without a network the list says so and shows what is here`() async throws {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    stage.monitor.set(.offline(.notConnected))
    await stage.model.refresh()
    #expect(stage.model.state.items.isEmpty)
    #expect(stage.model.state.banner?.kind == .network)
    stage.monitor.set(.online(isMetered: nil))
    await stage.model.refresh()
    #expect(stage.model.state.items.count > 3)
  }

  @Test func `A web map that was browsed stays on the list without a network`() async throws {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    let documents = DocumentCacheFolder(
      folder: temporaryDirectory.appending(path: "documents"), now: { Self.day })
    let model = MapListModel(
      library: stage.library, portals: OnePortal(portal: stage.portal), monitor: stage.monitor,
      documents: documents)
    stage.monitor.set(.offline(.notConnected))
    try await model.load()
    #expect(model.state.items.isEmpty)
    await WebMapModel(portal: stage.portal, documents: documents).load(stage.webMap)
    await model.refresh()
    #expect(model.state.items.map(\.id) == [stage.webMap])
    #expect(model.state.items.first?.canOpen == true)
  }

  @Test func `Asking twice for an area makes one job, and a refresh keeps its row`() async throws {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    let ready = try area(stage.model, .available)
    let first = try await stage.model.download(ready.id)
    try await stage.model.load()
    let second = try await stage.model.download(ready.id)
    #expect(first.isNew && !second.isNew && first.job.id == second.job.id)
    await stage.model.refresh()
    let row = try stage.model.item(named: ready.id)
    #expect(row.transfer?.job == first.job.id && row.canCancel)
  }

  @Test func `The beginning of an id is enough to name a map`() async throws {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    let ready = try area(stage.model, .available)
    for name in [
      String(ready.id.prefix(8)), ready.id.prefix(6).uppercased(), ready.id.prefix(8) + "…",
    ] {
      #expect(try stage.model.item(named: name).id == ready.id)
      #expect(try stage.model.downloadID(named: name) == ready.id)
    }
    #expect(throws: Problem.self) { try stage.model.item(named: String(ready.id.prefix(3))) }
    let areas = try await stage.model.areas(of: String(stage.webMap.prefix(8)))
    #expect(areas.contains { $0.id == ready.id })
  }

  @Test func `The title of a web map names it without case, and one that is near is suggested`()
    async throws
  {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    let title = try #require(stage.model.state.items.first { $0.kind == .webMap }).title
    let areas = try await stage.model.areas(of: title.uppercased())
    #expect(!areas.isEmpty && areas.allSatisfy { $0.webMap == stage.webMap })
    let problem = await #expect(throws: Problem.self) {
      _ = try await stage.model.areas(of: title + "x")
    }
    #expect(problem?.suggestion == "Did you mean \"\(title)\"? Give its id.")
  }

  @Test func `Without a network it is unknown whether a web map has areas`() async throws {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    stage.monitor.set(.offline(.notConnected))
    let names = [nil, stage.webMap]
    for name in names {
      let problem = await #expect(throws: Problem.self) {
        _ = try await stage.model.areas(of: name)
      }
      #expect(problem?.kind == .network)
    }
  }

  @Test func `Word beginnings name a map, but only whole titles where no question can be asked`()
    async throws
  {
    let stage = try await stage()
    let map = try await stored(stage)
    let model = stage.model
    let part = String(map.title.prefix(3)).lowercased()
    #expect(try model.storedItem(named: part).id == map.id)
    #expect(try model.storedItem(named: map.title.uppercased(), exactly: true).id == map.id)
    #expect(try model.storedItem(named: map.id, exactly: true).id == map.id)
    #expect(throws: Problem.self) { try model.storedItem(named: part, exactly: true) }
    // The middle of a word names nothing.
    #expect(throws: Problem.self) {
      try model.storedItem(named: String(map.title.dropFirst().prefix(3)))
    }
  }

  @Test func `A map that is taken offline gets a title of its own`() async throws {
    let stage = try await stage()
    let map = try await stored(stage)
    let model = OfflineMapModel(library: stage.library, portals: OnePortal(portal: stage.portal))
    var options = OfflineMapOptions()
    options.title = map.title
    let area = try #require(OfflineMapArea(degrees: "-69,44,-68,45"))
    let taken = OfflineMapModel.Request(webMap: stage.webMap, area: area, options: options)
    let problem = await #expect(throws: Problem.self) { try await model.takeOffline(taken) }
    #expect(problem?.code == .alreadyExists)
    #expect(problem?.suggestion?.contains("\"\(map.title) (2)\"") == true)
  }

  @Test func `A map that is on its way keeps its title to itself`() async throws {
    let stage = try await stage()
    let model = OfflineMapModel(library: stage.library, portals: OnePortal(portal: stage.portal))
    var options = OfflineMapOptions()
    options.title = "Island"
    let area = try #require(OfflineMapArea(degrees: "-69,44,-68,45"))
    let request = OfflineMapModel.Request(webMap: stage.webMap, area: area, options: options)
    let (job, isNew) = try await model.takeOffline(request)
    #expect(isNew && job.title == "Island" && !job.state.isFinal)
    let problem = await #expect(throws: Problem.self) { try await model.takeOffline(request) }
    #expect(problem?.code == .alreadyExists && problem?.actions.contains(.init(.listJobs)) == true)
    #expect(problem?.suggestion?.contains("\"Island (2)\"") == true)
    let unnamed = OfflineMapModel.Request(webMap: stage.webMap, area: area)
    let title = try await model.takeOffline(unnamed).job.title
    #expect(try await model.takeOffline(unnamed).job.title == title + " (2)")
  }

  @Test(arguments: [true, false])
  func `A title that another process takes meanwhile is taken`(
    _ isChosen: Bool
  ) async throws {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let stage = try await stage(SQLiteMapStorage.open(at: layout.catalogue))
    let (looks, look) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let other = try await library(
      stage.portal, SQLiteMapStorage.open(at: layout.catalogue),
      clock: CountingClock { _ in look.yield() })
    let model = OfflineMapModel(library: other, portals: OnePortal(portal: stage.portal))
    let area = try #require(OfflineMapArea(degrees: "-69,44,-68,45"))
    var options = OfflineMapOptions()
    if isChosen { options.title = "Island" }
    let request = OfflineMapModel.Request(webMap: stage.webMap, area: area, options: options)
    let title = isChosen ? "Island" : try await model.takeOffline(request).job.title + " (2)"
    // One process has looked which titles are free, and takes one; the other looks meanwhile.
    let turn = try await stage.library.maps.holdTitles()
    let answer = Task {
      defer { look.yield() }
      return try await model.takeOffline(request).job.title
    }
    for await _ in looks { break }
    let taken = try await stage.library.queue.submit(
      kind: "on-demand-map", subject: "other", title: title, parameters: Data())
    #expect(taken.isNew)
    turn.release()
    if isChosen {
      let problem = await #expect(throws: Problem.self) { try await answer.value }
      #expect(
        problem?.code == .alreadyExists && problem?.actions.contains(.init(.listJobs)) == true)
    } else {
      #expect(try await answer.value.hasSuffix(" (3)"))
    }
  }

  @Test func `An item that cannot be downloaded says why`() async throws {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    for state in [MapListItem.State.online, .packaging, .packagingFailed] {
      let item = try area(stage.model, state)
      let problem = await #expect(throws: Problem.self) {
        try await stage.model.download(item.id)
      }
      #expect(problem?.message.contains(item.title) == true && problem?.suggestion != nil)
    }
  }

  /// An area that is on this device.
  private func stored(_ stage: Stage) async throws -> MapListItem {
    try await stage.model.add(webMap: stage.webMap)
    let ready = try area(stage.model, .available)
    try await download(ready.id, stage)
    return ready
  }

  private func download(_ id: String, _ stage: Stage) async throws {
    let job = try await stage.model.download(id).job
    let jobs = JobListModel(queue: stage.library.queue, journal: stage.library.storage)
    let done = await jobs.work(until: [job.id]) { _ in }
    #expect(done.first?.state == .succeeded, "\(done)")
    try await stage.model.load()
  }

  @Test func `A newer version is reported, fetched beside the current one, and rolled back`()
    async throws
  {
    let stage = try await stage()
    let map = try await stored(stage)
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.current])
    try await stage.demo.state.touch(map.id)
    let update = try #require(try await stage.model.checkUpdates().first)
    #expect(update.freshness == .available)
    #expect(try #require(update.storedModified) < (try #require(update.portalModified)))
    try await download(map.id, stage)
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.current])
    let restored = try await stage.model.rollBack(map.id)
    #expect(restored == RestoredMap(id: map.id, title: map.title, origin: .update))
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.available])
    let again = try await stage.model.rollBack(map.id)
    #expect(again.origin == .rollback)
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.current])
  }

  @Test func `A rollback that edits prevent suggests what is possible if no service accepts them`()
    async throws
  {
    let stage = try await stage()
    let map = try await stored(stage)
    try await stage.demo.state.touch(map.id)
    try await download(map.id, stage)
    try await edit(stage.library.maps.open(try #require(MapID(map.id))).url)
    let refusal = await #expect(throws: Problem.self) { try await stage.model.rollBack(map.id) }
    let problem = try #require(refusal)
    #expect(problem.code == .unsentEdits)
    #expect(problem.actions == [NextAction(.exportMap, map.title)])
    #expect(
      problem.suggestion
        == "No service takes them. Export the map to keep them. Then undo them, and try again. "
        + "Until then the version in use stays.")
  }

  @Test func `Edits of an earlier version are not said to be in the file that is exported`()
    async throws
  {
    let stage = try await stage()
    let map = try await stored(stage)
    try await stage.demo.state.touch(map.id)
    try await download(map.id, stage)
    let library = stage.library.maps
    let id = try #require(MapID(map.id))
    let earlier = try #require(try await library.earlierVersions(of: id).first)
    // By another program.
    try await edit(library.layout.place(of: earlier.map))
    let problem = try #require(
      await #expect(throws: Problem.self) { try await stage.model.delete(map.id) })
    #expect(problem.code == .unsentEdits)
    #expect(problem.actions.map(\.kind) == [.rollBack, .discardEdits])
    #expect(problem.suggestion?.hasPrefix("They are in an earlier version of the map.") == true)
    let file = temporaryDirectory.appending(path: "out.mmpk")
    #expect(try await stage.model.export(map.id, to: file).unsentEdits == 0)
    try await stage.model.rollBack(map.id)
    #expect(try await stage.model.export(map.id, to: file, replacing: true).unsentEdits == 1)
  }

  @Test func `Portals' statements about packages are known to the next run`() async throws {
    let stage = try await stage()
    let id = try #require(MapID("package"))
    try await stage.library.storage.save(
      StoredMap(
        id: id, origin: .portalItem(stage.webMap), form: .file, title: "Package",
        installed: Self.day, sourceModified: Date(timeIntervalSince1970: 0), byteCount: 1))
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.available])
    let next = MapListModel(
      library: stage.library, portals: OnePortal(portal: stage.portal),
      monitor: SwitchableNetworkMonitor())
    try await next.load()
    let row = try #require(next.state.items.first { $0.id == id.text })
    #expect(row.copy?.hasUpdate == true)
  }

  @Test func `Portals' statements about packages are known to the end if they cannot be written`()
    async throws
  {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let stage = try await stage(SQLiteMapStorage.open(at: layout.catalogue))
    let id = try #require(MapID("package"))
    try await stage.library.storage.save(
      StoredMap(
        id: id, origin: .portalItem(stage.webMap), form: .file, title: "Package",
        installed: Self.day, sourceModified: Date(timeIntervalSince1970: 0), byteCount: 1))
    try Connection(at: layout.catalogue, access: .edit).execute(
      "CREATE TRIGGER full BEFORE INSERT ON package_date BEGIN SELECT RAISE(FAIL, 'full'); END")
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.available])
    try await stage.model.load()
    #expect(try await stage.library.storage.packageDates() == [:])
    let row = try #require(stage.model.state.items.first { $0.id == id.text })
    #expect(row.copy?.hasUpdate == true)
  }

  @Test func `A package found by a search says where it is on this device`() async throws {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    let id = try area(stage.model, .available).id
    func word(_ modified: Date? = nil, kind: String? = nil) -> String? {
      let row = PortalBrowserModel.Row(
        id: id, title: "", kind: kind ?? PortalBrowserModel.packageTypes[0], modified: modified)
      return PortalItemPresence.states(of: [row], among: stage.model.state.items)[id]?.word
    }
    #expect(word() == "absent" && word(kind: "Web Map") == nil)
    _ = try await stage.model.download(id)
    try await stage.model.load()
    #expect(word() == "downloading")
    try await download(id, stage)
    let modified = try #require(stage.model.state.items.first { $0.id == id }?.modified)
    #expect(word() == "stored" && word(modified) == "stored")
    #expect(word(modified.addingTimeInterval(1)) == "update-available")
  }

  @Test func `Newer versions are requested together, and what has none says so`() async throws {
    let stage = try await stage()
    let map = try await stored(stage)
    #expect(try await stage.model.startUpdates().map(\.outcome) == [.current])
    try await stage.demo.state.touch(map.id)
    let started = try await stage.model.startUpdates()
    #expect(started.map(\.outcome) == [.started] && started.first?.message == nil)
    #expect(await stage.library.queue.jobs.count { !$0.state.isFinal } == 1)
    stage.monitor.set(.offline(.notConnected))
    let offline = try await stage.model.startUpdates()
    #expect(offline.map(\.outcome) == [.failed] && offline.first?.message != nil)
  }

  /// Removes a feature from a stored map.
  private func edit(_ place: URL) async throws {
    let paths = try #require(
      FileManager.default.enumerator(atPath: place.path(percentEncoded: false))
    ).compactMap { $0 as? String }
    let file = try #require(paths.first { $0.hasSuffix(".geodatabase") })
    let store = try EditableGeodatabase.open(
      at: place.appending(path: file), now: { Self.day }, makeID: { UUID() })
    let table = try #require(try await store.schemas().first?.name)
    let feature = try #require(
      try await store.features(in: table, matching: QueryParameters(limit: 1)).collect().first)
    _ = try await store.apply([.delete(.objectID(feature.objectID), table: table)])
    await store.close()
  }

  @Test func `An update waits until the map is no longer edited, and takes its edits along`()
    async throws
  {
    let stage = try await stage()
    let map = try await stored(stage)
    let lease = try await stage.library.maps.open(try #require(MapID(map.id)))
    try await stage.library.maps.beginEditing(lease)
    try await edit(lease.url)
    try await stage.demo.state.touch(map.id)
    _ = try await stage.model.startUpdates()
    let jobs = JobListModel(queue: stage.library.queue, journal: stage.library.storage)
    await jobs.load()
    let update = try #require(jobs.jobs.first { !$0.state.isFinal })
    let waiting = await jobs.work(until: [update.id]) { _ in }
    guard case .waiting(.editing(map.title, _))? = waiting.first?.state else {
      Issue.record("\(waiting)")
      return
    }
    lease.endEditing()
    await stage.library.queue.conditionsHaveChanged(.editing)
    #expect(await jobs.work(until: [update.id]) { _ in }.first?.state == .succeeded)
    #expect(try await stage.model.unsentEdits(of: [map.id]) == [map.id: 1])
    let log = try await jobs.log(of: update.id).messages.map(\.text)
    #expect(log.contains("An edit that was not sent yet is part of it."))
  }

  @Test func `Without an answer newer versions are unknown, and the map stays`() async throws {
    let stage = try await stage()
    let map = try await stored(stage)
    stage.monitor.set(.offline(.notConnected))
    let update = try #require(try await stage.model.checkUpdates().first)
    guard case .unknown(let problem) = update.freshness else {
      Issue.record("\(update)")
      return
    }
    #expect(problem.kind == .network)
    #expect(try stage.model.item(named: map.id).canOpenOffline)
  }

  @Test func `An area that its portal removed is reported as such, and stays`() async throws {
    let stage = try await stage()
    let map = try await stored(stage)
    await stage.demo.state.removeItem(map.id)
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.withdrawn])
    #expect(try await stage.model.startUpdates().map(\.outcome) == [.withdrawn])
    #expect(try stage.model.item(named: map.id).canOpenOffline)
  }

  @Test func `An area whose web map was taken off the list is asked for all the same`()
    async throws
  {
    let stage = try await stage()
    let map = try await stored(stage)
    try await stage.model.remove(webMap: stage.webMap)
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.current])
    try await stage.demo.state.touch(map.id)
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.available])
    await stage.demo.state.removeItem(map.id)
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.withdrawn])
  }

  @Test func `A web map that cannot be asked for leaves what is known of others`() async throws {
    let stage = try await stage()
    _ = try await stored(stage)
    let found = try await stage.portal.findItems(.init(kinds: [.webMap]))
    let other = try #require(found.results.first { $0.id.text != stage.webMap })
    try await stage.model.add(webMap: other.id.text)
    await stage.demo.state.removeItem(other.id.text)
    #expect(try await stage.model.checkUpdates().map(\.freshness) == [.current])
    #expect(stage.model.state.banner != nil)
  }

  @Test func `Only the maps that are named are asked for`() async throws {
    let stage = try await stage()
    let map = try await stored(stage)
    #expect(try await stage.model.checkUpdates(of: []).isEmpty)
    #expect(try await stage.model.checkUpdates(of: [map.id]).map(\.id) == [map.id])
  }

  @Test func `No advice suggests sending edits that no service accepts`() async throws {
    let stage = try await stage()
    let map = try await stored(stage)
    try await edit(stage.library.maps.open(try #require(MapID(map.id))).url)
    // The list tells of them, and so does what takes space.
    await stage.model.readContents()
    #expect(try stage.model.item(named: map.id).copy?.unsentEdits == 1)
    let usage = StorageModel(library: stage.library)
    try await usage.measure()
    #expect(usage.usage?.maps.map(\.unsentEdits) == [1])
    let problem = try #require(
      await #expect(throws: Problem.self) { try await stage.model.delete(map.id) })
    #expect(problem.code == .unsentEdits)
    #expect(problem.actions.map(\.kind) == [.exportMap, .discardEdits])
    #expect(problem.suggestion?.contains("Export") == true)
    #expect(try await stage.model.deletion(of: map.id, discardingEdits: true).unsentEdits == 1)
    try await stage.model.delete(map.id, discardingEdits: true)
    // A user who empties the trash is told of them once more.
    let storage = StorageModel(library: stage.library)
    try await storage.measure()
    #expect(storage.usage?.maps.map(\.unsentEdits) == [1])
  }

  @Test func `What only reading every file finds is repaired after a deep audit`() async throws {
    let stage = try await stage()
    let map = try await stored(stage)
    let place = try await stage.library.maps.open(try #require(MapID(map.id))).url
    let paths = try #require(
      FileManager.default.enumerator(atPath: place.path(percentEncoded: false))
    ).compactMap { $0 as? String }
    let file = place.appending(path: try #require(paths.first { $0.hasSuffix(".mmap") }))
    let path = file.path(percentEncoded: false)
    // A disk that gives back something else: size and date are as they were.
    var status = stat()
    let isRead = unsafe stat(path, &status) == 0
    var data = try Data(contentsOf: file)
    let title = try #require(data.range(of: Data(#""title":""#.utf8)))
    data[title.upperBound] ^= 0x20
    try data.write(to: file)
    let times = [status.st_atim, status.st_mtim]
    let isDated = unsafe utimensat(AT_FDCWD, path, times, 0) == 0
    try #require(isRead && isDated)
    let storage = StorageModel(library: stage.library)
    try await storage.audit()
    #expect(storage.findings == [])
    try await storage.audit(.deep)
    #expect(storage.findings?.count == 1)
    let repair = try await storage.repair()
    #expect(repair.failures.isEmpty && repair.left.isEmpty)
    #expect(try await stage.library.maps.deletedMaps().map(\.id.text) == [map.id])
  }

  @Test func `A downloaded area takes its row, is deleted and taken back`() async throws {
    let stage = try await stage()
    try await stage.model.add(webMap: stage.webMap)
    let ready = try area(stage.model, .available)
    let job = try await stage.model.download(ready.id).job
    let jobs = JobListModel(queue: stage.library.queue, journal: stage.library.storage)
    var fractions: [Double] = []
    try await stage.model.load()
    let following = Task { await stage.model.follow() }
    let done = await jobs.work(until: [job.id]) { fractions += [$0.progress.fraction ?? 0] }
    following.cancel()
    await following.value
    #expect(done.first?.state == .succeeded, "\(done)")
    #expect(fractions == fractions.sorted() && fractions.last == 1)
    try await stage.model.load()
    let titles = stage.model.state.items.map(\.id)
    let row = try stage.model.item(named: ready.id)
    #expect(row.canOpenOffline && titles.count { $0 == ready.id } == 1)

    try await stage.library.storage.setThumbnail(nil, of: ready.id)
    let drawn = try #require(try await stage.model.thumbnail(of: ready.id), "of what is stored")
    #expect(try PixelImage(decoding: drawn).width == 200)
    #expect(try await stage.library.storage.thumbnail(of: ready.id) == drawn)

    let deletion = try await stage.model.deletion(of: ready.id)
    #expect(deletion.byteCount >= (row.byteCount ?? .max), "what it takes on the disk")
    try await stage.model.delete(ready.id)
    #expect(try stage.model.item(named: ready.id).state == .available)
    let restored = try await stage.model.undoDeletion()
    #expect(restored == RestoredMap(id: ready.id, title: ready.title, origin: .trash))
    #expect(try stage.model.item(named: ready.id).canOpenOffline)
    await #expect(throws: Problem.self) { try await stage.model.undoDeletion() }
  }
}
