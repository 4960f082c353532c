import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// Edits that cannot be counted now, as where a database is damaged or kept by another program: nowhere
/// are they said to be none.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct UncountedEditsTests {
  @Test func `The list, the storage and the trash say that the count is unknown`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let (library, isBlind) = (home.library, home.isBlind)
    try await home.store("a")
    let updated = try await home.store("a")
    let deleted = try await home.store("b")
    for map in [updated, deleted] { try await home.edit(map) }
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
    let home = try SmallLibrary(in: temporaryDirectory)
    let library = home.library
    let map = try await home.store("a")
    try await home.edit(map)
    home.isBlind.withLock { $0 = true }
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
        clock: ContinuousClock(), now: { SmallLibrary.day }, makeID: { JobID(UUID()) }))
    let failure = JobFailure(message: "Refused.", kind: .refused)
    let states: [JobState] = [
      .succeeded, .cancelled, .failed(failure), .succeededInPart, .paused,
    ]
    for (number, state) in states.enumerated() {
      var job = Job(
        id: try #require(JobID("job-\(number)")), kind: "k", subject: "s-\(number)", title: "S",
        parameters: Data(), created: SmallLibrary.day, position: number)
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

private struct NoRunner: JobRunner {
  func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome {
    throw .stopped
  }

  func discard(_ job: Job) async throws(JobFailure) {}
}
