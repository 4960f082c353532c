import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanJobs

/// The end of jobs that somebody has told to stop, and the messages to others.
@Suite(.timeLimit(.minutes(5))) struct JobEndTests {
  private func job(_ intent: JobIntent) throws -> Job {
    var job = Job(
      id: try #require(JobID("a")), kind: "k", subject: "s", title: "S", parameters: Data(),
      created: Date(timeIntervalSince1970: 0), position: 0)
    job.intent = intent
    job.state = .running
    return job
  }

  private static let failures: [JobInterruption] = [
    .stopped, .waiting(.network), .failed(JobFailure(message: "Busy.", kind: .transient)),
    .failed(JobFailure(message: "Gone.", kind: .absent)),
  ]

  @Test(arguments: failures)
  func `A run that is asked to end or to pause does so, however it ends`(
    _ interruption: JobInterruption
  ) throws {
    for (intent, state) in [(JobIntent.cancel, JobState.cancelling), (.pause, .paused)] {
      var job = try job(intent)
      job.apply(.failure(interruption), at: Date(timeIntervalSince1970: 60), .standard)
      #expect(job.state == state)
      #expect(job.attempts == 0)
    }
  }

  @Test func `Work that waits for an editor checks again within a minute`() throws {
    var job = try job(.run)
    job.updated = Date(timeIntervalSince1970: 100)
    // The editor may be another process, which tells nobody that it has ended.
    job.state = .waiting(.editing(map: "m", by: "another process"))
    let policy = JobRetryPolicy(
      limit: 1, first: .seconds(1), longest: .seconds(1), recheck: .seconds(600))
    #expect(!job.isReady(at: Date(timeIntervalSince1970: 159), policy))
    #expect(job.isReady(at: Date(timeIntervalSince1970: 160), policy))
  }

  @Test(arguments: [JobIntent.pause, .cancel])
  func `A run that has done everything is done, even if it was asked to stop`(
    _ intent: JobIntent
  ) throws {
    var job = try job(intent)
    job.attempts = 2
    job.apply(.success(JobOutcome()), at: Date(timeIntervalSince1970: 60), .standard)
    #expect(job.state == .succeeded && job.intent == .run && job.attempts == 0)
  }

  @Test(arguments: JobCondition.allCases)
  func `A network connection or a sign-in sends pending messages to servers`(
    _ condition: JobCondition
  ) async throws {
    let clock = ManualClock()
    let (outbox, delivery) = (InMemoryOutbox(), ScriptedDelivery())
    let environment = JobEnvironment(
      clock: clock, now: { clock.date }, makeID: { JobID(UUID()) })
    let worker = OutboxWorker(outbox: outbox, delivery: delivery, environment: environment)
    let queue = JobQueue(
      journal: InMemoryJobJournal(), runner: ScriptedRunner(), outbox: worker,
      environment: environment)
    let portal = try #require(URL(string: "https://portal.example"))
    await outbox.post(
      OutboxMessage(
        id: try #require(OutboxMessage.ID("a")), purpose: "Cancel a.", portal: portal,
        address: portal, fields: [:], created: clock.date))
    await delivery.answer(with: .waiting(.network))
    await worker.deliverDue()
    await queue.conditionsHaveChanged(condition)
    await worker.deliverDue()
    let isConcerned = condition == .network || condition == .signIn
    #expect(await delivery.heard.count == (isConcerned ? 2 : 1))
  }

  @Test func `A job that was to be cancelled when its process died leaves no files`() async throws {
    let bed = QueueBed()
    let id = try await bed.submit("a", to: bed.queue())
    var job = try #require(await bed.journal.job(id))
    job.intent = .cancel
    job.state = .running
    try await bed.journal.record(job, answering: 0)
    let next = bed.queue()
    try await next.restore()
    try await bed.running(next) {
      _ = try await bed.wait(for: id, in: next) { $0 == .cancelled }
    }
    #expect(await bed.runner.discarded == ["a"])
    #expect(await bed.runner.startCount == 0)
  }

  @Test func `A job that could not be cleaned up can be cancelled again, or resumed`()
    async throws
  {
    let bed = QueueBed()
    let queue = bed.queue()
    await bed.runner.failDiscarding(JobFailure(message: "No.", kind: .device))
    let first = try await bed.submit("a", to: queue)
    try await queue.cancel(first)
    #expect(try await queue.job(first).state.isDeviceFailure)
    await bed.runner.failDiscarding(nil)
    try await queue.cancel(first)
    #expect(try await queue.job(first).state == .cancelled)
    #expect(await bed.runner.discarded == ["a"])
  }
}
