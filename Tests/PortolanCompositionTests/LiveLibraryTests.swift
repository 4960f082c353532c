import Foundation
import PortolanApp
import PortolanGeodatabase
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanSQLite
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanComposition

/// The parts of the library in a home folder, as processes that share it find it.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct LiveLibraryTests {
  /// Counts who asks for a portal, and gives nobody one.
  private final class NoPortals: PortalConnecting {
    let asked = Mutex(0)

    func portal(at url: URL?) async throws(PortalError) -> Portal {
      asked.withLock { $0 += 1 }
      throw .invalidID("nobody")
    }
  }

  /// Gives the screens a library that is open already.
  private struct OpenedLibrary: LibraryOpening {
    let library: HomeLibrary
    let exists = true

    func open(
      tell: @escaping @Sendable (HomeLockNotice) -> Void
    ) async throws(LibraryError) -> HomeLibrary { library }

    func damage() async -> CatalogueDamage? { nil }

    func rebuild() async throws(LibraryError) {}
  }

  private let portals = NoPortals()

  private var home: HomeFolder {
    HomeFolder(option: temporaryDirectory.appending(path: "home").path, environment: [:])
  }

  private func library() -> LiveLibrary {
    LiveLibrary(
      home: home, portals: portals, surroundings: AppSurroundings(home: home, environment: [:]))
  }

  @Test(arguments: [HomeLayout.Folder.maps, .packages])
  func `Maps without a catalogue are a home whose catalogue is lost`(
    _ folder: HomeLayout.Folder
  ) async throws {
    #expect(!library().exists)
    let layout = HomeLayout(home: home.url)
    try layout.prepare()
    #expect(!library().exists)
    try FileManager.default.createDirectory(
      at: layout.folder(folder).appending(path: "a"), withIntermediateDirectories: true)
    #expect(library().exists)
    #expect(try await library().open { _ in }.storage.mayLackMaps())
  }

  @MainActor @Test(.needsMounting)
  func `An empty home that can only be read answers that there is nothing`() async throws {
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { url in
      try FileManager.default.createDirectory(
        at: url.appending(path: "home"), withIntermediateDirectories: false)
    }
    let home = HomeFolder(option: medium.url.appending(path: "home").path, environment: [:])
    let library = LiveLibrary(
      home: home, portals: portals, surroundings: AppSurroundings(home: home, environment: [:]))
    let screens = LibraryScreens(
      opener: library, portals: portals, monitor: FixedNetworkMonitor(.offline(.asked)))
    let list = try await screens.maps()
    try await list.load()
    #expect(list.state.items.isEmpty)
    _ = try await screens.jobs()
    let storage = try await screens.storage()
    try await storage.measure()
    #expect(try await storage.audit(.deep).findings.isEmpty)
    try await storage.listKept()
    #expect(storage.kept == [])
    let opened = try await library.open { _ in }
    #expect(opened.readOnlyReason?.contains("can only be read") == true)
    let job = Job(
      id: try #require(JobID("a")), kind: "a", subject: "b", title: "c", parameters: Data(),
      created: .distantPast, position: 0)
    await #expect(throws: JobError.self) { try await opened.storage.add(job) }
    #expect(medium.url.isFileURL, "it is mounted all the time")
  }

  @MainActor @Test(.needsMounting)
  func `A home that can only be read and has lost its catalogue is not taken for empty`()
    async throws
  {
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { url in
      for folder in ["maps/a", "kept/b-1"] {
        try FileManager.default.createDirectory(
          at: url.appending(path: "one/\(folder)"), withIntermediateDirectories: true)
      }
      try FileManager.default.createDirectory(
        at: url.appending(path: "two/kept/b-1"), withIntermediateDirectories: true)
    }
    for name in ["one", "two", "none"] {
      let home = HomeFolder(option: medium.url.appending(path: name).path, environment: [:])
      let library = LiveLibrary(
        home: home, portals: portals, surroundings: AppSurroundings(home: home, environment: [:]))
      await #expect(throws: LibraryError.self, "\(name)") { try await library.open { _ in } }
    }
    #expect(medium.url.isFileURL, "it is mounted all the time")
  }

  @MainActor @Test
  func `Maps are listed that a process left unlisted when it died, and looked for once`()
    async throws
  {
    let layout = HomeLayout(home: home.url)
    try layout.prepare()
    let folder = layout.folder(.maps).appending(path: "a")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(#"{"title": "Found", "type": "Mobile Map Package", "maps": []}"#.utf8)
      .write(to: folder.appending(path: "package.info"))
    // The process dies that has made the catalogue anew.
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    #expect(try await storage.storedMaps().isEmpty)
    #expect(try await storage.mayLackMaps())
    let screens = LibraryScreens(
      opener: library(), portals: portals, monitor: FixedNetworkMonitor(.offline(.asked)))
    let list = try await screens.maps()
    try await list.load()
    #expect(list.state.items.map(\.title) == ["Found"])
    #expect(try await !storage.mayLackMaps())
  }

  @MainActor @Test
  func `An open library lists what the catalogue that was rebuilt lacks`() async throws {
    let layout = HomeLayout(home: home.url)
    let screens = LibraryScreens(
      opener: library(), portals: portals, monitor: FixedNetworkMonitor(.offline(.asked)))
    let list = try await screens.maps()
    let folder = layout.folder(.maps).appending(path: "a")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(#"{"title": "Found", "type": "Mobile Map Package", "maps": []}"#.utf8)
      .write(to: folder.appending(path: "package.info"))
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("DROP TABLE job")
    }
    try await screens.rebuildCatalogue()
    try await list.load()
    #expect(list.state.items.map(\.title) == ["Found"])
    #expect(try await !SQLiteMapStorage.open(at: layout.catalogue).mayLackMaps())
  }

  @MainActor @Test
  func `What can be taken offline is asked of a portal also where the catalogue is damaged`()
    async throws
  {
    let layout = HomeLayout(home: home.url)
    try layout.prepare()
    let rubbish = Data("This was a catalogue once, and it is a text now.".utf8)
    try rubbish.write(to: layout.catalogue)
    let screens = LibraryScreens(
      opener: library(), portals: portals, monitor: FixedNetworkMonitor(.online(isMetered: nil)))
    await #expect(throws: Problem.self) { try await screens.offlineMaps() }
    let model = try await screens.offlineQuestions()
    let request = OfflineMapModel.Request(
      webMap: "41281c51f9de45edaf1c8ed44bb10e30", area: .world)
    await #expect(throws: Problem.self) { try await model.loadCapabilities(of: request) }
    #expect(portals.asked.withLock(\.self) == 1)
    let none = OfflineMapModel.Request(webMap: "-", area: .world)
    await #expect(throws: Problem.self) { try await model.loadCapabilities(of: none) }
    #expect(portals.asked.withLock(\.self) == 1)
    #expect(try Data(contentsOf: layout.catalogue) == rubbish)
  }

  @MainActor @Test(.needsMounting)
  func `In a home that can only be read the jobs are there as they were written`() async throws {
    let written = HomeLayout(home: home.url)
    try written.prepare()
    let job = Job(
      id: try #require(JobID("a")), kind: "a", subject: "b", title: "c", parameters: Data(),
      created: .distantPast, position: 0)
    do { _ = try await SQLiteMapStorage.open(at: written.catalogue).add(job) }
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { url in
      try FileManager.default.copyItem(at: written.home, to: url.appending(path: "home"))
    }
    let readable = HomeFolder(
      option: medium.url.appending(path: "home").path(percentEncoded: false), environment: [:])
    let opened = try await LiveLibrary(
      home: readable, portals: portals,
      surroundings: AppSurroundings(home: readable, environment: [:])
    ).open { _ in }
    #expect(opened.readOnlyReason != nil)
    let screens = LibraryScreens(
      opener: OpenedLibrary(library: opened), portals: portals,
      monitor: FixedNetworkMonitor(.offline(.asked)))
    _ = try await screens.maps()
    #expect(await opened.queue.jobs.map(\.id) == [job.id])
    #expect(medium.url.lastPathComponent == "medium", "it is mounted all the time")
  }

  @Test func `Of several processes one delivers the pending messages to servers`() async throws {
    let opened = try await library().open { _ in }
    let address = try #require(URL(string: "https://portal.example/cancel"))
    let message = OutboxMessage(
      id: try #require(OutboxMessage.ID("a")), purpose: "Cancel a.", portal: address,
      address: address, fields: [:], created: Date())
    try await opened.storage.post(message)
    let claims = FileJobClaims(url: HomeLayout(home: home.url).claims)
    var claim = try claims.claim(try #require(JobID("outbox")))
    #expect(claim != nil)
    await opened.queue.deliverMessages(within: .seconds(10))
    #expect(portals.asked.withLock { $0 } == 0)
    claim = nil
    await opened.queue.deliverMessages(within: .seconds(10))
    #expect(portals.asked.withLock { $0 } == 1)
    #expect(try await opened.storage.outgoingMessages().map(\.attempts) == [1])
  }

  @Test func `Settings that cannot be read are not taken for none`() throws {
    let file = HomeSettingsFile(home: home)
    #expect(try file.read() == nil)
    try file.write(Data("{}".utf8))
    #expect(try file.read() == Data("{}".utf8))
    let url = URL(filePath: file.place)
    try FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    #expect(throws: (any Error).self) { try file.read() }
  }

  @Test func `A removed version's copy is unregistered at its service if it belongs to this home`()
    async throws
  {
    let opened = try await library().open { _ in }
    let layout = HomeLayout(home: home.url)
    let id = try #require(MapID("a"))
    let replicas = [UUID(), UUID()]
    let homes = [try await opened.maps.identity(of: id), "another home"]
    func install(_ job: String, copies: Bool) async throws {
      let folder = layout.staging(job)
      try FileManager.default.createDirectory(
        at: folder.appending(path: "p13"), withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: folder.appending(path: "package.info"))
      for (replica, home) in zip(replicas, homes) where copies {
        let file = folder.appending(path: "p13/\(replica).geodatabase")
        try await Self.writeCopy(replica, of: home, to: file)
      }
      try await opened.maps.install(
        folder,
        as: StoredMap(
          id: id, origin: .onDemandArea(webMap: "w"), form: .folder, title: "Casco",
          portal: URL(string: "https://portal.example"), installed: Date(), byteCount: 1))
    }
    try await install("first", copies: true)
    try await install("second", copies: false)
    #expect(try await opened.storage.outgoingMessages().isEmpty)
    try await opened.maps.reclaimSpace()
    #expect(
      try await opened.storage.outgoingMessages().map { $0.fields["replicaID"] }
        == [replicas[0].uuidString.lowercased()])
  }

  /// A copy that was registered for a home.
  private static func writeCopy(_ replica: UUID, of home: String, to url: URL) async throws {
    let definition = GeodatabaseDefinition(
      name: "Casco", capabilities: "Query,Sync", tables: [],
      syncReplica: SyncReplica(
        name: "portolan_casco", replicaID: replica,
        serviceURL: "https://portal.example/Casco/FeatureServer", owner: "me", created: Date(),
        layers: [SyncReplica.Layer(layerID: 0, serverGeneration: 1)]))
    try GeodatabaseWriter(at: url, definition, now: Date()) { UUID() }.finish()
    let store = try EditableGeodatabase.open(at: url, now: { Date() }, makeID: { UUID() })
    try await store.setHome(home)
    await store.close()
  }
}
