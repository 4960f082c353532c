import DemoPortal
import Foundation
import PortolanGeodatabase
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Homes that somebody copies, with maps in them that a service knows.
@Suite(.temporaryDirectory) struct CopiedHomeTests {
  /// A copy as it lies in a home that is copied.
  private func twin(of copy: SyncCopy) throws -> SyncCopy {
    let file = temporaryDirectory.appending(path: "twin/\(copy.file.lastPathComponent)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: copy.file, to: file)
    return SyncCopy(file: file, bed: copy.bed)
  }

  @Test(arguments: [true, false])
  func `Each of two copied homes gets what the other one sends`(
    _ registersCopies: Bool
  )
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let first = try await bed.copy("first")
    _ = try await first.sync(home: "one")
    // An edit that both copies will have, and send.
    let shared = try await first.add("Before")
    let second = try twin(of: first)
    if !registersCopies {
      // As a service that does not take one copy for another answers.
      await bed.state.add(
        DemoFault(
          .failure(.badRequest("no copies of copies")), path: "*/createReplica", count: 1))
    }
    let added = (try await first.add("Of the first"), try await second.add("Of the second"))
    var results = [try await first.sync(home: "one"), try await second.sync(home: "two")]
    #expect(results.map(\.isRegisteredForCopy) == [false, true])
    results = [try await first.sync(home: "one"), try await second.sync(home: "two")]
    #expect(results.allSatisfy { !$0.isRegisteredForCopy && $0.issues.isEmpty })
    let values = try await bed.values()
    #expect(try await first.values() == values)
    #expect(try await second.values() == values)
    for (id, name) in [(shared, "Before"), (added.0, "Of the first"), (added.1, "Of the second")] {
      #expect(values[id.uppercased()] == name)
    }
    #expect(values.values.filter { $0 == "Before" }.count == 1)
    #expect(try await ReplicaTask(service: bed.service).replicas().count == 2)
  }

  @Test func `A copied home that deletes its map leaves the registration to the other one`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let first = try await bed.copy("portolan_first")
    _ = try await first.sync(home: "one")
    let second = try twin(of: first)
    let folder = second.file.deletingLastPathComponent()
    #expect(try await messages(of: folder, in: "two").isEmpty)
    #expect(try await messages(of: folder, in: "one").count == 1)
    _ = try await second.sync(home: "two")
    #expect(try await messages(of: folder, in: "two").count == 1)
  }

  @Test func `A copy notes in which home it was made before it is synchronized`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(try await bed.bed.parameters())
    let home = try await bed.bed.library.identity(of: made.lease.map.id)
    let files = try OfflineMapSyncTask.geodatabases(in: made.url)
    #expect(!files.isEmpty)
    for path in files {
      let state = try await OfflineMapSyncTask.using(
        made.url.appending(path: path), bed.bed.environment.surroundings
      ) { try await $0.syncState() }
      #expect(state?.home == home)
    }
    #expect(try await UnsentEdits.count(in: made.url) == 0)
  }

  @Test func `A home that was copied while a map was made is not that of the replica`() async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let parameters = try await bed.bed.parameters()
    let order = try OfflineJobOrder(
      GenerateOfflineMapJobParameters(parameters: parameters), title: "Casco")
    let journal = OfflineJobBed.Journal()
    let fault = await bed.bed.state.add(
      DemoFault(
        .failure(DemoFailure(code: 503, "Service unavailable.", details: [])),
        path: "*/replicafilescache/*"))
    await #expect(throws: JobInterruption.self) { try await bed.run(order, journal) }
    await bed.bed.state.removeFaults(fault)
    // The replica was requested in the home that this one is a copy of.
    let data = try #require(await journal.checkpoint)
    var checkpoint = try JSONDecoder().decode(OnDemandCheckpoint.self, from: data)
    #expect(!checkpoint.serverJobs.isEmpty)
    for part in checkpoint.serverJobs.keys { checkpoint.serverJobs[part]?.home = "another" }
    await journal.keep(try JSONEncoder().encode(checkpoint))
    _ = try await bed.run(order, journal)
    // Its first synchronization registers one for this home.
    let id = try #require(MapID(parameters.mapID))
    #expect(try await homes(of: id, in: bed) == ["another/\(id.text)"])
  }

  @Test func `A replica that a copied home has requested is its own, wherever the job began`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let folder = bed.bed.library.layout.staging(OfflineJobBed.jobName)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The job began in the home that this one is a copy of.
    try Data("another".utf8).write(to: folder.appending(path: ".portolan-home"))
    let made = try await bed.make(try await bed.bed.parameters())
    let id = made.lease.map.id
    // It is unregistered with the map, instead of being left behind.
    #expect(try await homes(of: id, in: bed) == [bed.bed.library.identity(of: id)])
  }

  /// The homes that the registered geodatabases of a map name.
  private func homes(of id: MapID, in bed: OfflineJobBed) async throws -> Set<String?> {
    let lease = try await bed.bed.library.open(id)
    var homes: Set<String?> = []
    for path in try OfflineMapSyncTask.geodatabases(in: lease.url) {
      let state = try await OfflineMapSyncTask.using(
        lease.url.appending(path: path), bed.bed.environment.surroundings
      ) { try await $0.syncState() }
      homes.insert(state?.home)
    }
    return homes
  }

  @Test func `A job in a copied home asks for its replica under a name of its own`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let order = try OfflineJobOrder(
      GenerateOfflineMapJobParameters(parameters: try await bed.bed.parameters()), title: "Casco")
    await bed.bed.state.add(DemoFault(.drop, path: "*/createReplica"))
    let folder = bed.bed.library.layout.home
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let identity = folder.appending(path: ".identity")
    var names: Set<String> = []
    for home in ["one", "two"] {
      try Data(home.utf8).write(to: identity)
      let journal = OfflineJobBed.Journal()
      await #expect(throws: JobInterruption.self) { _ = try await bed.run(order, journal) }
      let data = try #require(await journal.checkpoint)
      let checkpoint = try JSONDecoder().decode(OnDemandCheckpoint.self, from: data)
      names.formUnion(checkpoint.serverJobs.values.compactMap(\.replicaName))
    }
    #expect(names.count == 2)
  }

  @Test func `A job that asks services for copies notes in which home it begins`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(try await bed.bed.parameters())
    let noted = try String(contentsOf: made.url.appending(path: ".portolan-home"), encoding: .utf8)
    #expect(try await bed.bed.library.homeIdentity() == noted)
  }

  @Test func `Homes that were copied before they synchronized get what the other one sends`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let first = try await bed.copy("first")
    try await first.note(home: "one")
    let second = try twin(of: first)
    let added = (try await first.add("Of the first"), try await second.add("Of the second"))
    let results = [try await first.sync(home: "one"), try await second.sync(home: "two")]
    #expect(results.map(\.isRegisteredForCopy) == [false, true])
    _ = (try await first.sync(home: "one"), try await second.sync(home: "two"))
    let values = try await bed.values()
    #expect(try await first.values() == values)
    #expect(try await second.values() == values)
    #expect([added.0, added.1].allSatisfy { values[$0.uppercased()] != nil })
  }

  private func messages(of folder: URL, in home: String) async throws -> [OutboxMessage] {
    let surroundings = OfflineSurroundings(
      freeSpace: { _ in nil }, clock: ImmediateClock(), now: { DemoBed.day }, chance: { 0 },
      makeID: { UUID() })
    let map = StoredMap(
      id: try #require(MapID("a")), origin: .onDemandArea(webMap: "w"), form: .folder,
      title: "Casco", portal: URL(filePath: "/portal"), installed: DemoBed.day, byteCount: 1)
    return try await CopyReleases(surroundings, home: home).messages(of: map, at: folder)
  }

  @Test func `A home is distinguished from its copies, and stays the same when it is moved`()
    async throws
  {
    let bed = temporaryDirectory.appending(path: "home")
    let layout = HomeLayout(home: bed)
    try layout.prepare()
    #expect(layout.identity == nil)
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let library = MapLibrary(
      layout: layout, storage: storage, now: { DemoBed.day }, unsentEdits: { _ in 0 })
    let identity = try await library.homeIdentity()
    #expect(try await library.homeIdentity() == identity && layout.identity == identity)
    // A backup that links its files to these, and other rights, make it no other home.
    let file = bed.appending(path: ".identity")
    try FileManager.default.linkItem(at: file, to: temporaryDirectory.appending(path: "backup"))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    #expect(layout.identity == identity)
    // One that cannot be read now is not taken for another, nor written anew.
    let content = try Data(contentsOf: file)
    try Data([0xFF, 0xFE, 0xFF]).write(to: file)
    await #expect(throws: LibraryError.self) { try await library.homeIdentity() }
    #expect(layout.identity == nil)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: content)
    try handle.close()
    #expect(try await library.homeIdentity() == identity)
    let copy = temporaryDirectory.appending(path: "copy")
    try FileManager.default.copyItem(at: bed, to: copy)
    #expect(HomeLayout(home: copy).identity != identity)
    let moved = temporaryDirectory.appending(path: "moved")
    try FileManager.default.moveItem(at: bed, to: moved)
    #expect(HomeLayout(home: moved).identity == identity)
  }
}

extension SyncCopy {
  /// Notes in which home the copy was made.
  fileprivate func note(home: String) async throws {
    let store = try EditableGeodatabase.open(
      at: file, now: { DemoBed.day }, makeID: { UUID() })
    try await store.setHome(home)
    await store.close()
  }
}
