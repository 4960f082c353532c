import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// The status, as one screen shows it.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct StatusModelTests {
  private nonisolated static let day = HomeLibrary.testDay
  private let monitor = SwitchableNetworkMonitor()

  /// A home whose library is open, or nothing was kept in yet.
  private struct Home: LibraryOpening {
    let library: HomeLibrary
    let exists: Bool

    func open(
      tell: @escaping @Sendable (HomeLockNotice) -> Void
    ) async throws(LibraryError) -> HomeLibrary { library }

    func damage() async -> CatalogueDamage? { nil }

    func rebuild() async throws(LibraryError) {}
  }

  private struct NoPortal: PortalConnecting, RedirectListening {
    func portal(at url: URL?) async throws(PortalError) -> Portal { throw .transport(.offline) }

    func open() async throws(PortalError) -> any RedirectListener {
      throw .signIn(.noRedirect(reason: "there is no port"))
    }
  }

  private final class NoSettings: SettingsFile {
    let place = "settings.json"

    func read() throws -> Data? { nil }

    func write(_ data: Data) throws {}

    @concurrent func exclusively(_ change: @Sendable () throws -> Void) async throws {
      try change()
    }
  }

  private func library() throws -> HomeLibrary {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let maps = MapLibrary(
      layout: layout, storage: InMemoryMapStorage(), now: { Self.day }, unsentEdits: { _ in 0 })
    return HomeLibrary(
      testing: maps, packages: FilePackageOpener(unpackingInto: temporaryDirectory),
      freeSpace: { _ in 5_000 })
  }

  private func app(_ library: HomeLibrary, exists: Bool = true) -> AppModel {
    AppModel(
      opener: FilePackageOpener(unpackingInto: temporaryDirectory),
      library: LibraryScreens(
        opener: Home(library: library, exists: exists), portals: NoPortal(), monitor: monitor))
  }

  /// A place for credentials that is another user's.
  private struct ForeignStore: CredentialStore {
    func accounts() async throws(CredentialStoreError) -> [PortalAccount] {
      throw .foreign(place: "/home/kim/credentials")
    }

    func update(
      _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
    ) async throws(CredentialStoreError) {
      throw .foreign(place: "/home/kim/credentials")
    }
  }

  private func account(
    store: any CredentialStore = InMemoryCredentialStore(),
    choosing portal: String? = "gis.example.org/portal"
  ) -> AccountScreens {
    let transport = StubTransport { _ throws(TransportError) in throw .offline }
    let prompts = AuthenticationPromptModel()
    let manager = AuthenticationManager(
      store: store, transport: transport, prompter: prompts,
      environment: IdentityEnvironment(now: { Self.day }))
    let portals = PortalConnector(
      manager: manager, transport: transport, chosen: portal,
      now: { Self.day })
    return AccountScreens(
      session: SessionModel(
        manager: manager, connector: portals, prompts: prompts,
        environment: .init(
          redirects: NoPortal(), monitor: monitor, now: { Self.day }, clientID: { "app" })),
      settings: SettingsModel(file: NoSettings(), environment: [:]),
      network: NetworkModel(monitor: monitor), portals: portals)
  }

  @Test func `Observers see the state after a check`() async throws {
    let library = try library()
    let staging = library.maps.layout.staging("job")
    try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true)
    let place = staging.appending(path: "map.mmpk")
    try Data("GOOD map".utf8).write(to: place)
    try await library.maps.install(
      place,
      as: StoredMap(
        id: try #require(MapID("town")), origin: .imported("map.mmpk"), form: .file, title: "Town",
        installed: Self.day, byteCount: 8))
    let app = app(library)
    await app.show(
      MapModel(map: try MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]]).map([])))
    let model = StatusModel(app: app, account: account())
    monitor.set(.offline(.notConnected))
    let states = try await Observed.states {
      model.state
    } until: {
      $0.mapCount == 1
    } while: {
      try await model.refresh()
    }
    #expect(states.first == StatusModel.State())
    let state = try #require(states.last)
    #expect(state.isOnline == false && state.user == nil && !state.isEmpty)
    #expect(state.usage?.freeByteCount == 5_000 && state.openTitle == app.map?.state.title)
    #expect(state.json["maps"] == 1 && state.json["online"] == false)
    #expect(state.json["freeBytes"] == 5_000 && state.json["signedIn"] == false)
  }

  @Test func `Credentials that cannot be read hide nothing else`() async throws {
    let foreign = account(store: ForeignStore(), choosing: nil)
    let model = StatusModel(app: app(try library()), account: foreign)
    try await model.refresh()
    let state = model.state
    #expect(state.accountProblem?.code == .credentialsUnavailable && state.user == nil)
    #expect(state.isOnline == true && state.usage?.freeByteCount == 5_000)
    #expect(state.json["problem"]?["code"] == "credentials-unavailable")
    #expect(state.json["signedIn"] == false)
  }

  @Test func `A home where nothing was kept stays without a library`() async throws {
    let app = app(try library(), exists: false)
    let model = StatusModel(app: app, account: nil)
    try await model.refresh()
    #expect(model.state == StatusModel.State() && model.state.isEmpty)
    #expect(app.library?.mapList == nil)
    #expect(model.state.json["online"] == .null && model.state.json["bytes"] == 0)
  }

  @Test func `Jobs that resume are distinguished from those that wait for a user`() throws {
    func job(_ state: JobState) -> Job {
      var job = Job(
        id: JobID(UUID()), kind: "area", subject: "a", title: "A", parameters: Data(),
        created: Self.day, position: 0)
      job.state = state
      return job
    }
    var state = StatusModel.State()
    state.jobs = [
      job(.running), job(.paused), job(.succeeded), job(.cancelled), job(.succeededInPart),
    ]
    #expect(state.openJobs.map(\.state) == [.running, .paused])
    #expect(state.unsettledJobs.map(\.state) == [.succeededInPart])
    #expect(!state.isEmpty)
  }
}
