import Foundation
import PortolanJobs
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Two queues on one home, as two processes have them, each with a catalogue and claims of its own.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SharedHomeQueueTests {
  /// Cannot do without something.
  private struct WaitingRunner: JobRunner {
    let wait: JobWait

    func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome {
      throw .waiting(wait)
    }

    func discard(_ job: Job) async throws(JobFailure) {}
  }

  private let clock = ManualClock()

  private func queue(_ wait: JobWait) async throws -> JobQueue {
    let layout = HomeLayout(home: temporaryDirectory)
    return JobQueue(
      journal: try await SQLiteMapStorage.open(at: layout.catalogue),
      runner: WaitingRunner(wait: wait), claims: FileJobClaims(url: layout.claims),
      environment: JobEnvironment(
        clock: clock, now: { [clock] in clock.date }, makeID: { JobID(UUID()) }))
  }

  private static let waits: [JobWait] = [
    .network, .signIn(host: "gis.example"), .space(missing: 7),
  ]

  /// Lets a queue work until its only job waits, and nobody has claimed it.
  private func working(
    _ queue: JobQueue, until wait: JobWait
  ) async throws -> Task<Void, Never> {
    let claims = FileJobClaims(url: HomeLayout(home: temporaryDirectory).claims)
    let work = Task { await queue.run() }
    for await jobs in await queue.updates() {
      guard let job = jobs.first, job.state == .waiting(wait) else { continue }
      // The claim goes a moment after that is shown.
      while try claims.isClaimed(job.id) { await Task.yield() }
      break
    }
    return work
  }

  @Test(arguments: waits)
  func `What a job waits for in one process, and which one it is, is seen in another`(
    _ wait: JobWait
  ) async throws {
    let (first, second) = (try await queue(wait), try await queue(wait))
    let id = try await first.submit(kind: "k", subject: "a", title: "A", parameters: Data()).job.id
    let work = try await working(first, until: wait)
    try await second.restore()
    let seen = try await second.job(id)
    #expect(seen.state == .waiting(wait))
    #expect(seen.worker == JobWorker(name: "this program", isThisProcess: true))
    #expect(try await first.job(id).worker == nil)
    work.cancel()
    await work.value
    try await second.refresh()
    let left = try await second.job(id)
    #expect(left.state == .waiting(.slot(ahead: 0)) && left.worker == nil)
  }

  @Test func `A second process that works on jobs tries at once what the first one waits for`()
    async throws
  {
    let (first, second) = (try await queue(.network), try await queue(.space(missing: 7)))
    _ = try await first.submit(kind: "k", subject: "a", title: "A", parameters: Data())
    let work = try await working(first, until: .network)
    try await second.restore()
    let other = try await working(second, until: .space(missing: 7))
    for task in [work, other] {
      task.cancel()
      await task.value
    }
  }

  @Test func `Where its process died, a job that waited is not said to be worked on`() async throws
  {
    let (first, second) = (try await queue(.network), try await queue(.network))
    let id = try await first.submit(kind: "k", subject: "a", title: "A", parameters: Data()).job.id
    let work = try await working(first, until: .network)
    work.cancel()
    await work.value
    #expect(await first.jobs.map(\.state) == [.waiting(.network)])
    // Its file of locks is still there.
    let locks = HomeLayout(home: temporaryDirectory).claims.path(percentEncoded: false)
    #expect(FileManager.default.fileExists(atPath: locks))
    try await second.restore()
    let left = try await second.job(id)
    #expect(left.state == .waiting(.slot(ahead: 0)) && left.worker == nil)
  }
}
