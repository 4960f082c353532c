import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// The job that a name means, and the maps put on the list that nobody has requested.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct NamedJobTests {
  private nonisolated static let failure = JobFailure(message: "No.", kind: .refused)
  private nonisolated static let jobs: [(id: String, subject: String, title: String, JobState)] = [
    ("aaaa-1", "casco", "Casco Bay", .failed(failure)),
    ("aaaa-2", "casco", "Casco Bay", .succeeded), ("bbbb-1", "maine", "Maine", .paused),
    ("cccc-1", "maine", "Maine", .failed(failure)), ("dddd-1", "salem", "Salem Bay", .succeeded),
  ]

  private func model() async throws -> JobListModel {
    let storage = InMemoryMapStorage()
    for (number, (id, subject, title, state)) in Self.jobs.enumerated() {
      var job = Job(
        id: try #require(JobID(id)), kind: "k", subject: subject, title: title, parameters: Data(),
        created: SmallLibrary.day + Double(number), position: number)
      job.state = state
      if state == .paused { job.intent = .pause }
      try await storage.record(job)
    }
    let queue = JobQueue(
      journal: storage, runner: IdleRunner(),
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { SmallLibrary.day }, makeID: { JobID(UUID()) }))
    let model = JobListModel(queue: queue, journal: storage)
    await model.load()
    return model
  }

  @Test(
    arguments: [
      ("aaaa-1", "aaaa-1"), ("Casco Bay", "aaaa-2"), ("casco", "aaaa-2"), ("aaaa", "aaaa-2"),
      ("CCCC", "cccc-1"), ("Maine", "bbbb-1"), ("maine", "bbbb-1"), ("ain", "bbbb-1"),
      ("SALEM", "dddd-1"), ("bay", nil), ("", nil), ("zz", nil), ("aaa", nil),
    ] as [(String, String?)])
  func `A job is named by its id, its contents or its title, and never ambiguously`(
    _ name: String, _ id: String?
  ) async throws {
    let model = try await model()
    guard id == nil else {
      #expect(try model.job(named: name).id.text == id)
      return
    }
    let problem = #expect(throws: Problem.self) { try model.job(named: name) }
    let ambiguous = Problem(
      .ambiguous, message: "\"bay\" can mean 3 jobs.", suggestion: "Give its id.",
      actions: [.init(.listJobs)])
    #expect(problem == (name == "bay" ? ambiguous : Problem(JobError.unknown(name))))
  }

  @Test func `Of several jobs those that allow the action are meant`() async throws {
    let model = try await model()
    #expect(try model.job(named: "Casco Bay") { $0.state != .succeeded }.id.text == "aaaa-1")
    #expect(try model.job(named: "Maine") { $0.state != .paused }.id.text == "cccc-1")
    #expect(try model.job(named: "bay") { $0.title == "Salem Bay" }.id.text == "dddd-1")
    // If it can be done with none, the name says which one is refused.
    #expect(try model.job(named: "casco") { _ in false }.id.text == "aaaa-2")
  }

  @Test func `Maps that are found are put on the list, and nothing else is touched`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let layout = home.library.maps.layout
    let places = ["maps/found", "maps/other", "staging/job-x", "trash/lost"]
    for place in places {
      let folder = layout.home.appending(path: place)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("map".utf8).write(to: folder.appending(path: "package.info"))
    }
    try await home.library.listFoundMaps()
    let maps = try await home.library.maps.maps()
    #expect(maps.map(\.id.text) == ["found", "other"] && maps.map(\.version) == [1, 1])
    #expect(layout.contents(of: .staging).map(\.lastPathComponent) == ["job-x"])
    #expect(layout.contents(of: .trash).map(\.lastPathComponent) == ["lost"])
    #expect(layout.contents(of: .kept).isEmpty)
    try await home.library.listFoundMaps()
    #expect(try await home.library.maps.maps() == maps)
  }
}

/// Does nothing.
private struct IdleRunner: JobRunner {
  func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome {
    throw .stopped
  }

  func discard(_ job: Job) async throws(JobFailure) {}
}
