import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The portal that is recorded of a map that was brought in, and names none.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct RecordedPortalTests {
  /// A map of lighthouses that was brought in from elsewhere, and the job that synchronizes it.
  private func imported() async throws -> (OfflineJobBed, MapID, OfflineJobOrder) {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(
      try await bed.parameters(operational: [OfflineJobBed.layer(1, "Lighthouses")]))
    let library = bed.bed.library
    let copy = try await library.stageCopy(of: made.url, for: "import-second")
    let map = StoredMap(
      id: try #require(MapID("second")), origin: .imported("second"), form: .folder,
      title: "second", installed: DemoBed.day, byteCount: copy.byteCount)
    let id = try await library.install(copy.url, as: map, knowing: copy.files).id
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: bed.bed.portal.url, map: id.text), title: "second")
    return (bed, id, order)
  }

  private func recorded(_ id: MapID, _ bed: OfflineJobBed) async throws -> URL? {
    try #require(try await bed.bed.library.maps().first { $0.id == id }).portal
  }

  private func state(_ id: MapID, _ bed: OfflineJobBed) async throws -> GeodatabaseSyncState? {
    let lease = try await bed.bed.library.open(id)
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: lease.url).first)
    return try await OfflineMapSyncTask.using(
      lease.url.appending(path: path), bed.bed.environment.surroundings
    ) { store in try await store.syncState() }
  }

  @Test(arguments: ["*/FeatureServer", "*/createReplica"])
  func `One through which nothing was exchanged is not`(_ path: String) async throws {
    let (bed, id, order) = try await imported()
    let refusal = DemoFailure(
      code: 403, "You do not have permissions to access this resource.", details: [])
    let fault = await bed.bed.state.add(DemoFault(.failure(refusal), path: path))
    await #expect(throws: JobInterruption.self) { _ = try await bed.run(order) }
    #expect(try await recorded(id, bed) == nil)
    await bed.bed.state.removeFaults(fault)
    _ = try await bed.run(order)
    #expect(try await recorded(id, bed) == bed.bed.portal.url)
  }

  @Test func `One through which a replica was registered is, whatever comes after that`()
    async throws
  {
    let (bed, id, order) = try await imported()
    await bed.bed.state.add(
      DemoFault(
        .failure(DemoFailure(code: 400, "Not today.", details: [])), path: "*/synchronizeReplica"))
    await #expect(throws: JobInterruption.self) { _ = try await bed.run(order) }
    #expect(try await recorded(id, bed) == bed.bed.portal.url)
    let map = try #require(try await bed.bed.library.maps().first { $0.id == id })
    #expect(try await OfflineMapSyncTask(bed.bed.environment).releases(of: map).count == 1)
  }

  @Test func `Before the service has answered the file knows what was asked for`() async throws {
    let (bed, id, order) = try await imported()
    let fault = await bed.bed.state.add(DemoFault(.cut(after: 1), path: "*/createReplica"))
    await #expect(throws: JobInterruption.self) { _ = try await bed.run(order) }
    #expect(try await recorded(id, bed) == nil)
    #expect(try await state(id, bed)?.requestedCopy != nil)
    await bed.bed.state.removeFaults(fault)
    _ = try await bed.run(order)
    #expect(try await state(id, bed)?.requestedCopy == nil)
    #expect(try await recorded(id, bed) == bed.bed.portal.url)
    let url = try #require(URL(string: OfflineJobBed.service("ExploreMaine")))
    let service = FeatureService(url: url, client: bed.bed.portal.client)
    // That of the map that was copied, and its own.
    #expect(try await ReplicaTask(service: service).replicas().count == 2)
  }
}
