import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Maps that somebody copies within a home, which a service knows as one copy until then.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct CopiedMapTests {
  private static let table = "Lighthouses"

  /// A map of lighthouses, and what is done with it.
  private func bed() async throws -> (OfflineJobBed, MapID) {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(
      try await bed.parameters(operational: [OfflineJobBed.layer(1, Self.table)]))
    return (bed, made.lease.map.id)
  }

  /// Stores a copy of a map beside it, as whoever exports it and imports it again.
  private func twin(of id: MapID, _ name: String, _ bed: OfflineJobBed) async throws -> MapID {
    let library = bed.bed.library
    let lease = try await library.open(id)
    let copy = try await library.stageCopy(of: lease.url, for: "import-\(name)")
    let map = StoredMap(
      id: try #require(MapID(name)), origin: .imported(name), form: .folder, title: name,
      portal: lease.map.portal, installed: DemoBed.day, byteCount: copy.byteCount)
    return try await library.install(copy.url, as: map, knowing: copy.files).id
  }

  private func geodatabase(of id: MapID, _ bed: OfflineJobBed) async throws -> URL {
    let lease = try await bed.bed.library.open(id)
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: lease.url).first)
    return lease.url.appending(path: path)
  }

  private func rename(
    _ number: Int, of id: MapID, to name: String, _ bed: OfflineJobBed
  ) async throws {
    let file = try await geodatabase(of: id, bed)
    try await OfflineMapSyncTask.using(file, bed.bed.environment.surroundings) { store in
      let features = try await store.features(in: Self.table, matching: QueryParameters()).collect()
      _ = try await store.apply([
        .update(
          .objectID(features[number].objectID), table: Self.table,
          attributes: ["NAME": .text(name)], geometry: .keep)
      ])
    }
  }

  private func names(_ id: MapID, _ bed: OfflineJobBed) async throws -> [String] {
    let store = try Geodatabase.open(at: try await geodatabase(of: id, bed))
    return try await store.features(in: Self.table, matching: QueryParameters()).collect()
      .compactMap { SyncCopy.text("NAME", $0) }
  }

  private func sync(_ id: MapID, _ bed: OfflineJobBed) async throws -> GeodatabaseSyncTask.Result {
    let parts = try await OfflineMapSyncTask(bed.bed.environment).synchronize(
      id, .bidirectional, portal: bed.bed.portal, folder: temporaryDirectory)
    return try #require(parts.first).result.get()
  }

  @Test func `Each of two maps that began as one gets what the other one sends`() async throws {
    let (bed, first) = try await bed()
    // An edit that both will have, and of which the service is to hear once.
    try await rename(0, of: first, to: "Before", bed)
    let second = try await twin(of: first, "second", bed)
    try await rename(1, of: first, to: "Of the first", bed)
    try await rename(2, of: second, to: "Of the second", bed)
    var results = [try await sync(first, bed), try await sync(second, bed)]
    #expect(results.map(\.isRegisteredForCopy) == [false, true])
    #expect(results.allSatisfy { $0.issues.isEmpty })
    results = [try await sync(first, bed), try await sync(second, bed)]
    #expect(results.allSatisfy { !$0.isRegisteredForCopy && $0.sent == 0 })
    #expect(results.allSatisfy { $0.issues.isEmpty })
    let names = try await names(first, bed)
    #expect(try await self.names(second, bed) == names)
    for name in ["Before", "Of the first", "Of the second"] {
      #expect(names.count { $0 == name } == 1)
    }
  }

  @Test(arguments: [true, false])
  func `The registration of an imported replica is left to its creator`(
    _ isImported: Bool
  ) async throws {
    let (bed, first) = try await bed()
    let second = isImported ? try await twin(of: first, "second", bed) : first
    // As of another program, which notes no home.
    let file = try await geodatabase(of: second, bed)
    try await OfflineMapSyncTask.using(file, bed.bed.environment.surroundings) { store in
      try await store.setHome("")
    }
    try Self.forgetHome(of: file)
    let before = try await registration(of: second, bed)
    let results = [try await sync(second, bed), try await sync(second, bed)]
    #expect(results.map(\.isRegisteredForCopy) == [isImported, false])
    let after = try await registration(of: second, bed)
    #expect((after == before) == !isImported)
  }

  @Test func `A copy of a map is registered once, though its process dies right after that`()
    async throws
  {
    let (bed, first) = try await bed()
    let second = try await twin(of: first, "second", bed)
    let surroundings = bed.bed.environment.surroundings
    let home = try await bed.bed.library.identity(of: second)
    let client = bed.bed.portal.client
    try await OfflineMapSyncTask.using(try await geodatabase(of: second, bed), surroundings) {
      store in
      let state = try #require(try await store.syncState())
      let service = FeatureService(
        url: try #require(URL(string: state.serviceURL)), client: client)
      let exchange = ReplicaExchange(
        task: ReplicaTask(service: service), replicaID: state.replicaID,
        folder: temporaryDirectory, surroundings: surroundings)
      _ = try await ReplicaRegistration(exchange: exchange, home: home)
        .register(store, as: state.replicaID)
    }
    let registered = try await registration(of: second, bed)
    #expect(try await registration(of: first, bed) != registered)
    let result = try await sync(second, bed)
    #expect(!result.isRegisteredForCopy)
    #expect(try await registration(of: second, bed) == registered)
  }

  private func registration(of id: MapID, _ bed: OfflineJobBed) async throws -> UUID? {
    try await OfflineMapSyncTask.using(
      try await geodatabase(of: id, bed), bed.bed.environment.surroundings
    ) { store in try await store.syncState()?.replicaID }
  }

  /// Removes what the file notes of the home that it is in.
  private static func forgetHome(of file: URL) throws {
    try Connection(at: file, access: .edit).execute("DELETE FROM portolan_sync_home")
  }

  @Test func `A job that synchronizes an imported map notes the portal, which hears when it goes`()
    async throws
  {
    let (bed, first) = try await bed()
    let library = bed.bed.library
    let lease = try await library.open(first)
    let copy = try await library.stageCopy(of: lease.url, for: "import-third")
    let map = StoredMap(
      id: try #require(MapID("third")), origin: .imported("third"), form: .folder, title: "third",
      installed: DemoBed.day, byteCount: copy.byteCount)
    let id = try await library.install(copy.url, as: map, knowing: copy.files).id
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: bed.bed.portal.url, map: "third"), title: "third")
    let result = try #require(OfflineMapSyncResult(of: try await bed.run(order).job))
    #expect(result.waiting == 0)
    let noted = try #require(try await library.maps().first { $0.id == id })
    #expect(noted.portal == bed.bed.portal.url)
    let task = OfflineMapSyncTask(bed.bed.environment)
    #expect(try await task.releases(of: noted).count == 1)
  }

  @Test func `An old version that is put back does not send over what the map has sent since`()
    async throws
  {
    let (bed, first) = try await bed()
    try await rename(0, of: first, to: "Old", bed)
    let kept = bed.bed.library.layout.folder(.kept).appending(path: "\(first.text)-1")
    let lease = try await bed.bed.library.open(first)
    try FileManager.default.copyItem(at: lease.url, to: kept)
    try await rename(0, of: first, to: "New", bed)
    #expect(try await sync(first, bed).sent == 1)
    let audit = LibraryAudit(
      bed.bed.library, check: { _ in "Kept" }, now: { DemoBed.day }, makeID: { MapID(UUID()) })
    let second = try await audit.putBack(kept.lastPathComponent).id
    #expect(second != first)
    let result = try await sync(second, bed)
    #expect(result.isRegisteredForCopy && result.sent == 0 && result.issues.count == 1)
    _ = try await sync(first, bed)
    #expect(try await names(first, bed).contains("New"))
    #expect(try await !names(first, bed).contains("Old"))
  }

  @Test func `A copy of a map that is deleted leaves the registration to that map`() async throws {
    let (bed, first) = try await bed()
    let second = try await twin(of: first, "second", bed)
    let task = OfflineMapSyncTask(bed.bed.environment)
    let maps = try await bed.bed.library.maps()
    for (id, count) in [(first, 1), (second, 0)] {
      let map = try #require(maps.first { $0.id == id })
      #expect(try await task.releases(of: map).count == count)
    }
    let isRegistered = try await sync(second, bed).isRegisteredForCopy
    #expect(isRegistered)
    let copy = try #require(maps.first { $0.id == second })
    #expect(try await task.releases(of: copy).count == 1)
  }
}
