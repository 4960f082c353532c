import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanOffline
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// Edits that cannot be counted now, as where a database is damaged or kept by another program: nowhere
/// are they said to be none.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(2))) struct UncountedEditsTests {
  private nonisolated static let day = Date(timeIntervalSince1970: 1_795_000_000)

  /// Whether edits cannot be counted.
  private let isBlind = Locked(false)

  private func library() throws -> HomeLibrary {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let maps = MapLibrary(
      layout: layout, storage: InMemoryMapStorage(), now: { Self.day },
      unsentEdits: { [isBlind] _ in
        guard isBlind.withLock({ !$0 }) else { throw CocoaError(.fileReadCorruptFile) }
        return 0
      })
    let offline = OfflineEnvironment(
      library: maps, connect: { _ throws(PortalError) in throw .cancelled },
      check: { $0.lastPathComponent },
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: ContinuousClock(), now: { Self.day }, chance: { 0 },
        makeID: { UUID() }))
    let queue = JobQueue(
      journal: maps.storage, runner: OfflineJobRunner(offline),
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { Self.day }, makeID: { JobID(UUID()) }))
    let audit = LibraryAudit(
      maps, check: { $0.lastPathComponent }, now: { Self.day }, makeID: { MapID(UUID()) })
    return HomeLibrary(
      offline: offline, queue: queue, audit: audit,
      packages: FilePackageOpener(unpackingInto: temporaryDirectory))
  }

  @discardableResult
  private func store(_ id: String, in library: HomeLibrary) async throws -> StoredMap {
    let folder = library.maps.layout.staging("job")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "p13"), withIntermediateDirectories: true)
    try Data("features".utf8).write(to: folder.appending(path: "p13/data.geodatabase"))
    return try await library.maps.install(
      folder,
      as: StoredMap(
        id: try #require(MapID(id)), origin: .onDemandArea(webMap: "w"), form: .folder,
        title: "Map \(id)", installed: Self.day, byteCount: 10))
  }

  private func edit(_ map: StoredMap, in library: HomeLibrary) async throws {
    let lease = try await library.maps.open(map.id)
    try await library.maps.beginEditing(lease)
    try Data("features and edits".utf8).write(
      to: lease.url.appending(path: "p13/data.geodatabase"))
    lease.endEditing()
  }

  @Test func `The list, the storage and the trash say that nobody knows`() async throws {
    let library = try library()
    try await store("a", in: library)
    let updated = try await store("a", in: library)
    let deleted = try await store("b", in: library)
    for map in [updated, deleted] { try await edit(map, in: library) }
    isBlind.withLock { $0 = true }
    try await library.maps.delete(deleted.id, discardingEdits: true)

    let list = MapListModel(
      library: library, portals: NoPortal(), monitor: SwitchableNetworkMonitor())
    try await list.load()
    await list.readContents()
    let copy = try #require(try list.item(named: updated.id.text).copy)
    #expect(copy.unsentEdits == nil)
    let storage = StorageModel(library: library)
    try await storage.measure()
    let usage = try #require(storage.usage)
    #expect(usage.maps.map(\.id) == ["a", "b"] && usage.maps.map(\.unsentEdits) == [nil, nil])
    #expect(usage.earlierVersions.map(\.unsentEdits) == [nil])

    isBlind.withLock { $0 = false }
    await list.readContents()
    #expect(try list.item(named: updated.id.text).copy?.unsentEdits == 0)
    try await storage.measure()
    #expect(storage.usage?.maps.map(\.unsentEdits) == [0, 0])
    #expect(storage.usage?.earlierVersions.map(\.unsentEdits) == [0])
  }

  @Test func `A map whose edits cannot be counted is not deleted without a word`() async throws {
    let library = try library()
    let map = try await store("a", in: library)
    try await edit(map, in: library)
    isBlind.withLock { $0 = true }
    let list = MapListModel(
      library: library, portals: NoPortal(), monitor: SwitchableNetworkMonitor())
    try await list.load()
    let problem = await #expect(throws: Problem.self) { try await list.delete("a") }
    #expect(problem?.actions.contains { $0.kind == .discardEdits } == true)
    #expect(try await library.maps.maps() == [map])
    #expect(try await list.deletion(of: "a", discardingEdits: true).unsentEdits == nil)
  }

  @Test func `Only jobs with nothing left to be done go off the list at once`() async throws {
    let storage = InMemoryMapStorage()
    let queue = JobQueue(
      journal: storage, runner: NoRunner(),
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { Self.day }, makeID: { JobID(UUID()) }))
    let failure = JobFailure(message: "Refused.", kind: .refused)
    let states: [JobState] = [
      .succeeded, .cancelled, .failed(failure), .succeededInPart, .paused,
    ]
    for (number, state) in states.enumerated() {
      var job = Job(
        id: try #require(JobID("job-\(number)")), kind: "k", subject: "s-\(number)", title: "S",
        parameters: Data(), created: Self.day, position: number)
      if state == .paused { job.intent = .pause }
      job.state = state
      try await storage.record(job)
    }
    let model = JobListModel(queue: queue, journal: storage)
    await model.load()
    try await model.forgetEnded()
    #expect(model.jobs.map(\.state) == [.failed(failure), .succeededInPart, .paused])
  }
}

private struct NoPortal: PortalConnecting {
  func portal(at url: URL?) async throws(PortalError) -> Portal { throw .cancelled }
}

private struct NoRunner: JobRunner {
  func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome {
    throw .stopped
  }

  func discard(_ job: Job) async throws(JobFailure) {}
}
