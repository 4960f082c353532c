import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanOffline

/// Maps whose geodatabases belong to different services.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SeveralServicesTests {
  /// The obstacle that keeps one of the services from being reached, once there is something.
  private final class Obstacle: Sendable {
    let error = Mutex<TransportError?>(nil)
    /// The root of that service.
    let root = Mutex("server102")
  }

  private struct ObstructedTransport: HTTPTransport {
    let inner: any HTTPTransport
    let obstacle: Obstacle

    func send(
      _ request: HTTPRequest, into sink: any HTTPBodySink
    ) async throws(TransportError) -> HTTPResponseHead {
      let error = obstacle.error.withLock { $0 }
      let root = obstacle.root.withLock { $0 }
      if let error, request.url.path().contains("/\(root)/rest/services") { throw error }
      return try await inner.send(request, into: sink)
    }
  }

  @Test func `A service whose host is not known any more keeps no other from synchronizing`()
    async throws
  {
    let obstacle = Obstacle()
    let bed = try await OfflineJobBed(in: temporaryDirectory) {
      ObstructedTransport(inner: $0, obstacle: obstacle)
    }
    let (made, _) = try await makeOfTwo(bed)
    obstacle.error.withLock { $0 = .unknownHost("demo.test") }
    let parts = try await synchronize(made, bed)
    #expect(parts.count == 2)
    let sent = parts.compactMap { part in
      if case .success(let result) = part.result { result.sent } else { nil }
    }
    #expect(sent == [1])
    obstacle.error.withLock { $0 = nil }
    let again = try await synchronize(made, bed)
    #expect(try again.map { try $0.result.get().sent }.reduce(0, +) == 1)
  }

  /// A map of lighthouses of two services, one of which was renamed in each, and its geodatabases.
  private func makeOfTwo(
    _ bed: OfflineJobBed
  ) async throws -> (made: OfflineJobBed.Made, files: [URL]) {
    let made = try await bed.make(
      try await bed.parameters(
        operational: ["server102", "arcgis"].map { root -> JSONValue in
          [
            "id": .string(root), "title": .string(root), "layerType": "ArcGISFeatureLayer",
            "url": .string("https://demo.test/\(root)/rest/services/ExploreMaine/FeatureServer/1"),
          ]
        }))
    #expect(made.outcome.isComplete)
    let files = try OfflineMapSyncTask.geodatabases(in: made.url).map {
      made.url.appending(path: $0)
    }
    try #require(files.count == 2)
    for file in files { try await Self.rename(file) }
    return (made, files)
  }

  /// Keeps a geodatabase of a map without updates, as where it is that of an area.
  private func keepWithoutUpdates(
    _ file: URL, of made: OfflineJobBed.Made, _ bed: OfflineJobBed
  ) async throws {
    let record = """
      {"packages": [
        {"path": "file:./\(file.lastPathComponent)", "preplannedUpdateMode": "noUpdates"}]}
      """
    try Data(record.utf8).write(to: made.url.appending(path: "p13/mobile_map.marea"))
    let none = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
    try await OfflineMapSyncTask.using(file, bed.bed.environment.surroundings) {
      try await $0.setReplica(none, named: "")
    }
  }

  @Test(arguments: [GeodatabaseSyncTask.Direction.bidirectional, .download])
  func `Edits of a geodatabase that is kept without updates beside others are said to stay`(
    _ direction: GeodatabaseSyncTask.Direction
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let (made, files) = try await makeOfTwo(bed)
    try await keepWithoutUpdates(files[0], of: made, bed)
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(
        portal: bed.bed.portal.url, map: made.lease.map.id.text, direction: direction),
      title: "Casco")
    let journal = OfflineJobBed.Journal()
    let (outcome, job) = try await bed.run(order, journal)
    let result = OfflineMapSyncResult(of: job)
    let uploads = direction == .bidirectional
    #expect(outcome.isComplete)
    // No service was asked about the one that only stays.
    let lines = await journal.messages
    #expect(lines.count { $0.hasPrefix("Sent ") } == 1)
    let stays = "1 edit stays here, since this part of the map is kept without updates."
    #expect(lines.filter { $0 == stays }.count == (uploads ? 1 : 0))
    #expect(result?.sent == (uploads ? 1 : 0) && result?.staying == (uploads ? 1 : 0))
  }

  @Test
  func `No service takes the edits of a map where only a geodatabase without updates has some`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let (made, files) = try await makeOfTwo(bed)
    try await keepWithoutUpdates(files[0], of: made, bed)
    let task = OfflineMapSyncTask(bed.bed.environment)
    #expect(try await task.takesEdits(made.lease.map.id))
    _ = try await synchronize(made, bed)
    #expect(try await task.takesEdits(made.lease.map.id) == false)
  }

  @Test
  func `Edits that stay do not make a synchronization that has failed one that is done in part`()
    async throws
  {
    let obstacle = Obstacle()
    let bed = try await OfflineJobBed(in: temporaryDirectory) {
      ObstructedTransport(inner: $0, obstacle: obstacle)
    }
    let (made, files) = try await makeOfTwo(bed)
    try await keepWithoutUpdates(files[0], of: made, bed)
    let state = try await OfflineMapSyncTask.using(files[1], bed.bed.environment.surroundings) {
      try await $0.syncState()
    }
    let other = try #require(state).serviceURL.contains("server102") ? "server102" : "arcgis"
    obstacle.root.withLock { $0 = other }
    obstacle.error.withLock { $0 = .unknownHost("demo.test") }
    let parts = try await synchronize(made, bed)
    #expect(parts.count == 1 && parts.allSatisfy { !$0.isSynchronized })
  }

  @Test func `What was exchanged before the network was lost is reported`() async throws {
    let obstacle = Obstacle()
    let bed = try await OfflineJobBed(in: temporaryDirectory) {
      ObstructedTransport(inner: $0, obstacle: obstacle)
    }
    let (made, files) = try await makeOfTwo(bed)
    let state = try await OfflineMapSyncTask.using(files[1], bed.bed.environment.surroundings) {
      try await $0.syncState()
    }
    let last = try #require(state).serviceURL.contains("server102") ? "server102" : "arcgis"
    obstacle.root.withLock { $0 = last }
    obstacle.error.withLock { $0 = .offline }
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: bed.bed.portal.url, map: made.lease.map.id.text),
      title: "Casco")
    let journal = OfflineJobBed.Journal()
    let interruption = await #expect(throws: JobInterruption.self) {
      _ = try await bed.run(order, journal)
    }
    #expect(interruption == .waiting(.network))
    obstacle.error.withLock { $0 = nil }
    let result = OfflineMapSyncResult(of: try await bed.run(order, journal).job)
    #expect(result?.sent == 2 && result?.parts.count == 2)
  }

  @Test func `A service whose host is not known any more is listed, and the job waits for nothing`()
    async throws
  {
    let obstacle = Obstacle()
    let bed = try await OfflineJobBed(in: temporaryDirectory) {
      ObstructedTransport(inner: $0, obstacle: obstacle)
    }
    let (made, _) = try await makeOfTwo(bed)
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: bed.bed.portal.url, map: made.lease.map.id.text),
      title: "Casco")
    obstacle.error.withLock { $0 = .unknownHost("demo.test") }
    let (outcome, job) = try await bed.run(order)
    #expect(OfflineMapSyncResult(of: job)?.sent == 1)
    #expect(outcome.failedItems.map(\.failure.kind) == [.absent])
    #expect(outcome.failedItems.first?.failure.message.contains("demo.test") == true)
  }

  @Test func `A service that fails for long is listed in the last run, beside those that do not`()
    async throws
  {
    let obstacle = Obstacle()
    let bed = try await OfflineJobBed(in: temporaryDirectory) {
      ObstructedTransport(inner: $0, obstacle: obstacle)
    }
    let (made, _) = try await makeOfTwo(bed)
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: bed.bed.portal.url, map: made.lease.map.id.text),
      title: "Casco")
    obstacle.error.withLock {
      $0 = .unreachable(host: "demo.test", reason: "It refuses connections.")
    }
    let journal = OfflineJobBed.Journal()
    await #expect(throws: JobInterruption.self) { _ = try await bed.run(order, journal) }
    let (outcome, job) = try await bed.run(order, journal, afterFailures: 4)
    #expect(OfflineMapSyncResult(of: job)?.sent == 1)
    #expect(outcome.failedItems.map(\.failure.kind) == [.transient])
  }

  @Test func `Without a network no further service is asked`() async throws {
    let obstacle = Obstacle()
    let bed = try await OfflineJobBed(in: temporaryDirectory) {
      ObstructedTransport(inner: $0, obstacle: obstacle)
    }
    let made = try await bed.make(
      try await bed.parameters(operational: [
        [
          "id": "a", "title": "a", "layerType": "ArcGISFeatureLayer",
          "url": "https://demo.test/server102/rest/services/ExploreMaine/FeatureServer/1",
        ]
      ]))
    obstacle.error.withLock { $0 = .offline }
    await #expect(throws: PortalError.transport(.offline)) {
      _ = try await synchronize(made, bed)
    }
  }

  private func synchronize(
    _ made: OfflineJobBed.Made, _ bed: OfflineJobBed
  ) async throws -> [OfflineMapSyncTask.Part] {
    try await OfflineMapSyncTask(bed.bed.environment).synchronize(
      made.lease.map.id, .bidirectional, portal: bed.bed.portal, folder: temporaryDirectory)
  }

  /// Renames the first lighthouse of a copy.
  private static func rename(_ file: URL) async throws {
    let store = try EditableGeodatabase.open(
      at: file, now: { DemoBed.day }, makeID: { UUID() })
    let table = try #require(try await store.schemas().first { $0.name == "Lighthouses" }).name
    let feature = try #require(
      try await store.features(in: table, matching: QueryParameters(limit: 1)).collect().first)
    _ = try await store.apply([
      .update(
        .objectID(feature.objectID), table: table, attributes: ["NAME": .text("Renamed")],
        geometry: .keep)
    ])
    await store.close()
  }
}
