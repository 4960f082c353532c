import Foundation
import Observation
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import PortolanPortal
import PortolanRendering
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp
@testable import PortolanComposition

/// The promises of the ExploreArcGIS sample, by its own list: four use cases, and its behaviour.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ExploreArcGISTests {
  private let world = TestWorld()

  /// The app as it is started on the home of the test.
  ///
  /// - Parameters:
  ///   - portal: The portal in use, unless another address is.
  ///   - address: The address of another one.
  /// - Returns: The app, and who uses it.
  private func start(
    on portal: ServedDemoPortal, using address: String? = nil
  ) -> (app: AppModel, account: LiveAccount) {
    let home = temporaryDirectory.appending(path: "home").path(percentEncoded: false)
    let folder = HomeFolder(option: home, environment: [:])
    let account = LiveAccount(
      home: folder, environment: [:], portal: address ?? portal.url.absoluteString,
      surroundings: world.surroundings(home: folder, environment: [:]))
    return (
      LiveApp(home: folder, timeZone: .gmt, drawing: PictureDrawing()).model(for: account), account
    )
  }

  private func withPortal(_ body: (ServedDemoPortal) async throws -> Void) async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal"), body)
  }

  /// The list with *Explore Maine* and its areas.
  private func list(_ account: LiveAccount) async throws -> MapListModel {
    let maps = try await account.library.maps()
    try await maps.add(webMap: ServedDemoPortal.exploreMaine)
    return maps
  }

  /// Downloads an area to its end.
  private func download(_ title: String, _ maps: MapListModel, _ account: LiveAccount) async throws
  {
    let id = try maps.item(named: title).id
    let job = try await maps.download(id).job
    let ended = await (try account.library.jobs()).work(until: [job.id]) { _ in }
    #expect(ended.map(\.state) == [.succeeded])
    try await maps.load()
  }

  // MARK: - The four use cases

  @Test func `Use case 1, the web map and its areas are listed with title, snippet and picture`()
    async throws
  {
    try await withPortal { portal in
      let maps = try await list(start(on: portal).account)
      let items = maps.state.items
      #expect(items.first?.title == "Explore Maine" && items.first?.kind == .webMap)
      #expect(items.dropFirst().map(\.kind) == Array(repeating: .area, count: 5))
      for item in items {
        #expect(item.summary?.isEmpty == false)
        #expect(try await maps.thumbnail(of: item.id) != nil)
      }
    }
  }

  @Test func `Use case 2, the web map is opened while there is a network`() async throws {
    try await withPortal { portal in
      let (_, account) = start(on: portal)
      let model = try await account.portal.webMap(of: nil)
      await model.load(ServedDemoPortal.exploreMaine)
      #expect(!(try await model.open()).tableOfContents.state.flattened.isEmpty)
      world.network.set(.offline(.asked))
      // A map that was browsed opens as it was, and says so; one that was not needs a network.
      await model.load(ServedDemoPortal.exploreMaine)
      guard case .loaded(let contents) = model.state else {
        Issue.record("\(model.state)")
        return
      }
      #expect(contents.keptSince != nil)
      await model.load(ServedDemoPortal.lighthouses)
      guard case .failed(let problem) = model.state else {
        Issue.record("\(model.state)")
        return
      }
      #expect(problem.kind == .network)
    }
  }

  @Test func `A listed web map opens at its own portal, whichever is in use`() async throws {
    try await withPortal { portal in
      _ = try await list(start(on: portal).account)
      let (app, account) = start(on: portal, using: "http://127.0.0.1:1/none")
      let maps = try await account.library.maps()
      try await maps.load()
      let row = try maps.item(named: ServedDemoPortal.exploreMaine)
      #expect(row.portal == portal.url)
      #expect(try await app.open(row)?.layers.isEmpty == false)
      #expect(app.map?.state.title == "Explore Maine")
      let offline = try await account.library.offlineMaps()
      let whole = OfflineMapModel.Request(webMap: row.id, area: .world)
      #expect(try await offline.loadCapabilities(of: whole).layers.isEmpty == false)
      // An area that is not here is neither, and the map stays open.
      let area = try maps.item(named: "Casco Bay")
      let problem = await #expect(throws: Problem.self) { try await app.open(area) }
      #expect(problem?.actions == [NextAction(.download, area.id)])
      #expect(app.map?.state.title == "Explore Maine")
    }
  }

  @Test func `Use case 3, an area is downloaded and then opened`() async throws {
    try await withPortal { portal in
      let (app, account) = start(on: portal)
      let maps = try await list(account)
      try await download("Casco Bay", maps, account)
      try await app.openStored(maps.item(named: "Casco Bay").id)
      #expect(app.map?.state.title == "Casco Bay")
      #expect(app.map?.legend.state.sections.isEmpty == false)
    }
  }

  @Test func `Work that was stopped is started again, as when an app returns to the foreground`()
    async throws
  {
    try await withPortal { portal in
      let (_, account) = start(on: portal)
      let maps = try await list(account)
      let job = try await maps.download(maps.item(named: "Casco Bay").id).job.id
      let first = Task { await account.library.run() }
      for await items in Observations({ maps.state.items }) {
        let item = items.first { $0.title == "Casco Bay" }
        if item?.transfer?.state == .running || item?.copy != nil { break }
      }
      first.cancel()
      await first.value
      let second = Task { await account.library.run() }
      for await items in Observations({ maps.state.items }) {
        guard let item = items.first(where: { $0.title == "Casco Bay" }), item.copy != nil else {
          continue
        }
        break
      }
      second.cancel()
      await second.value
      #expect(try await account.library.jobs().jobs.map(\.id) == [job])
    }
  }

  @Test func `Use case 4, a downloaded area is opened with no network`() async throws {
    try await withPortal { portal in
      let (_, account) = start(on: portal)
      try await download("Casco Bay", list(account), account)
    }
    world.network.set(.offline(.asked))
    try await withPortal { portal in
      let (app, account) = start(on: portal)
      let maps = try await account.library.maps()
      try await maps.load()
      #expect(maps.state.items.map(\.title) == ["Casco Bay"])
      try await app.openStored(maps.item(named: "Casco Bay").id)
      await app.map?.identify.identify(longitude: -70.2079, latitude: 43.6231)
      #expect(app.map?.popups.state.pages.isEmpty == false)
    }
  }

  // MARK: - How it behaves

  @Test func `The list follows the network`() async throws {
    try await withPortal { portal in
      let (_, account) = start(on: portal)
      let maps = try await list(account)
      try await download("Casco Bay", maps, account)
      world.network.set(.offline(.notConnected))
      try await maps.load()
      #expect(maps.state.items.map(\.title) == ["Casco Bay"])
      #expect(maps.state.banner?.kind == .network)
      world.network.set(.online(isMetered: nil))
      try await maps.load()
      #expect(maps.state.items.count == 6 && maps.state.banner == nil)
    }
  }

  @Test func `Refreshing keeps a download that is under way, and its row`() async throws {
    try await withPortal { portal in
      let maps = try await list(start(on: portal).account)
      let before = maps.state.items.map(\.id)
      let item = try maps.item(named: "Acadia")
      let job = try await maps.download(item.id).job
      await maps.refresh()
      #expect(maps.state.items.map(\.id) == before)
      #expect(try maps.item(named: "Acadia").transfer?.job == job.id)
      #expect(try await !maps.download(item.id).isNew)
    }
  }

  @Test func `Deleting reports what it frees before it is done`() async throws {
    try await withPortal { portal in
      let (_, account) = start(on: portal)
      let maps = try await list(account)
      try await download("Katahdin", maps, account)
      let item = try maps.item(named: "Katahdin")
      let deletion = try await maps.deletion(of: item.id)
      #expect(deletion.title == "Katahdin" && deletion.byteCount > 1_000_000)
      #expect(try maps.item(named: "Katahdin").canOpenOffline)
      try await maps.delete(item.id)
      #expect(try maps.item(named: "Katahdin").state == .available)
    }
  }

  @Test func `Progress is reported during a download, and never decreases`() async throws {
    try await withPortal { portal in
      let (_, account) = start(on: portal)
      let maps = try await list(account)
      let job = try await maps.download(try maps.item(named: "Casco Bay").id).job
      var told: [JobProgress] = []
      _ = await (try account.library.jobs()).work(until: [job.id]) { told.append($0.progress) }
      #expect(told.map(\.bytes) == told.map(\.bytes).sorted())
      #expect(told.last?.fraction == 1 && told.dropLast().allSatisfy { $0.fraction ?? 0 <= 1 })
    }
  }

  @Test func `A downloaded area takes the row of the one that was not`() async throws {
    try await withPortal { portal in
      let (_, account) = start(on: portal)
      let maps = try await list(account)
      let before = maps.state.items.map(\.id)
      try await download("Casco Bay", maps, account)
      #expect(maps.state.items.map(\.id) == before)
      #expect(try maps.item(named: "Casco Bay").canOpenOffline)
    }
  }

  @Test func `What the list needs is handed to it, behind protocols`() async throws {
    /// A portal that nobody can reach.
    struct NoPortal: PortalConnecting {
      func portal(at url: URL?) async throws(PortalError) -> Portal {
        throw .notAPortal("nowhere.example")
      }
    }
    let storage = InMemoryMapStorage()
    let id = try #require(MapID("a1"))
    await storage.save(
      StoredMap(
        id: id, origin: .imported("a1"), form: .folder, title: "Kept", installed: .distantPast,
        byteCount: 7))
    let network = SwitchableNetworkMonitor(.offline(.notConnected))
    let model = MapListModel(
      library: library(over: storage, NoPortal()), portals: NoPortal(), monitor: network)
    try await model.load()
    #expect(model.state.items.map(\.title) == ["Kept"])
    #expect(model.state.banner?.kind == .network)
    network.set(.online(isMetered: nil))
    await model.refresh()
    #expect(model.state.items.map(\.title) == ["Kept"] && model.state.banner == nil)
  }

  /// A library in memory, that no portal and no clock has anything to do with.
  private func library(
    over storage: InMemoryMapStorage, _ portals: any PortalConnecting
  ) -> HomeLibrary {
    let maps = MapLibrary(
      layout: HomeLayout(home: temporaryDirectory), storage: storage, now: { .distantPast },
      unsentEdits: { try await UnsentEdits.count(in: $0) })
    let clock = ManualClock()
    let offline = OfflineEnvironment(
      library: maps,
      connect: { url throws(PortalError) in try await portals.portal(at: url) },
      check: { $0.lastPathComponent },
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: clock,
        now: { .distantPast }, chance: { 0 }, makeID: { UUID() }))
    let queue = JobQueue(
      journal: storage, runner: OfflineJobRunner(offline),
      environment: JobEnvironment(
        clock: clock, now: { .distantPast }, makeID: { JobID(UUID()) }))
    return HomeLibrary(
      offline: offline, queue: queue,
      audit: LibraryAudit(
        maps, check: { $0.lastPathComponent }, now: { .distantPast }, makeID: { MapID(UUID()) }),
      packages: FilePackageOpener(unpackingInto: temporaryDirectory))
  }
}
