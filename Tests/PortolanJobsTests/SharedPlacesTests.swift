import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanJobs

/// The places that queues of several processes leave each other, and the reports while a job
/// begins.
@Suite(.timeLimit(.minutes(5))) struct SharedPlacesTests {
  private let bed = QueueBed()

  private func queue(limit: Int) -> JobQueue {
    JobQueue(
      journal: bed.journal, runner: bed.runner, claims: bed.claims, limit: limit,
      environment: JobEnvironment(
        clock: bed.clock, now: { [clock = bed.clock] in clock.date }, makeID: { JobID(UUID()) }))
  }

  /// Lets a queue look several times for what others have done.
  private func look() async throws { for _ in 0..<10 { try await bed.clock.wakeNext() } }

  @Test func `A job that another process works on takes one of the places`() async throws {
    let first = try await bed.submit("a", to: queue(limit: 1))
    let claim = try #require(try bed.claims.claim(first))
    let second = queue(limit: 1)
    try await second.restore()
    let other = try await bed.submit("b", to: second)
    try await bed.running(second) {
      try await look()
      #expect(await bed.runner.startCount == 0)
      #expect(try await second.job(other).state == .waiting(.slot(ahead: 1)))
    }
    withExtendedLifetime(claim) {}
    let third = queue(limit: 2)
    let again = try bed.claims.claim(first)
    #expect(again == nil, "it is worked on all the time")
    try await third.restore()
    try await bed.running(third) { await bed.runner.started("b") }
    withExtendedLifetime(claim) {}
  }

  @Test func `A journal that cannot be read for a moment is read again though nothing changes`()
    async throws
  {
    _ = try await bed.submit("a", to: bed.queue())
    await bed.journal.failListing(times: 1)
    let queue = bed.queue()
    try await bed.running(queue) {
      try await look()
      await bed.runner.started("a")
      await bed.runner.finish("a", with: .success(JobOutcome()))
    }
  }

  @Test func `Missing items of a job are settled by one process at a time`() async throws {
    let id = try await bed.submit("a", to: bed.queue())
    var job = try #require(await bed.journal.job(id))
    job.state = .succeededInPart
    try await bed.journal.record(job, answering: 0)
    let queue = bed.queue()
    try await queue.restore()
    var claim = try bed.claims.claim(id)
    #expect(claim != nil)
    await #expect(throws: JobError.self) { try await queue.retryFailedItems(id) }
    await #expect(throws: JobError.self) { try await queue.acceptAsPartial(id) }
    #expect(await bed.journal.job(id)?.state == .succeededInPart)
    claim = nil
    try await queue.acceptAsPartial(id)
    #expect(await bed.journal.job(id)?.state == .succeeded)
  }

  @Test(arguments: [JobIntent.pause, .cancel])
  func `A request made while a job begins takes effect`(_ intent: JobIntent) async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    await bed.journal.holdLog()
    try await bed.running(queue) {
      await bed.journal.logged()
      if intent == .pause { try await queue.pause(id) } else { try await queue.cancel(id) }
      await bed.journal.releaseLog()
      _ = try await bed.wait(for: id, in: queue) {
        $0 == (intent == .pause ? .paused : .cancelled)
      }
    }
    #expect(await bed.runner.discarded == (intent == .pause ? [] : ["a"]))
  }
}
