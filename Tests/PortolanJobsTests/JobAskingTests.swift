import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanJobs

/// The requests that a job accepts, and the state that stays where it does not.
@Suite(.timeLimit(.minutes(5))) struct JobAskingTests {
  private let bed = QueueBed()
  private static let failure = JobFailure(message: "It is gone.", kind: .absent)

  /// A queue that has read a job from the journal.
  private func queue(
    _ state: JobState, intent: JobIntent = .run
  ) async throws -> (queue: JobQueue, id: JobID) {
    let id = try await bed.submit("a", to: bed.queue())
    var job = try #require(await bed.journal.job(id))
    (job.state, job.intent, job.attempts) = (state, intent, 3)
    try await bed.journal.record(job, answering: 0)
    let queue = bed.queue()
    try await queue.refresh()
    return (queue, id)
  }

  /// The request to a job.
  enum Ask: String, Sendable {
    case pause = "paused"
    case resume = "resumed"
    case cancel = "cancelled"
    case retry = "tried again"
    case accept = "accepted"
    case forget = "taken off the list"

    func callAsFunction(_ queue: JobQueue, _ id: JobID) async throws(JobError) {
      switch self {
      case .pause: try await queue.pause(id)
      case .resume: try await queue.resume(id)
      case .cancel: try await queue.cancel(id)
      case .retry: try await queue.retryFailedItems(id)
      case .accept: try await queue.acceptAsPartial(id)
      case .forget: try await queue.forget(id)
      }
    }
  }

  @Test(
    arguments: [
      (.succeeded, [.pause, .resume, .cancel, .retry, .accept]),
      (.cancelled, [.pause, .resume, .retry, .accept]),
      (.failed(failure), [.pause, .retry, .accept]), (.succeededInPart, [.pause, .resume]),
      (.waiting(.slot(ahead: 0)), [.retry, .accept, .forget]),
      (.paused, [.retry, .accept, .forget]),
    ] as [(JobState, [Ask])])
  func `An action that a state does not allow is refused by name, without a request`(
    _ state: JobState, _ asks: [Ask]
  ) async throws {
    let (queue, id) = try await queue(state, intent: state == .paused ? .pause : .run)
    for ask in asks {
      let error = JobError.notPossible(job: "a", action: ask.rawValue, state: state.word)
      await #expect(throws: error) { try await ask(queue, id) }
    }
    #expect(try await queue.job(id).state == state)
    #expect(await bed.journal.job(id)?.state == state)
    #expect(await bed.journal.requests().isEmpty)
  }

  @Test func `A state already reached is not requested again`() async throws {
    let (cancelled, first) = try await queue(.cancelled)
    try await cancelled.cancel(first)
    #expect(try await cancelled.job(first).state == .cancelled)
    try await cancelled.forget(first)
    #expect(try await bed.journal.jobs().isEmpty)
    let (waiting, second) = try await queue(.waiting(.slot(ahead: 0)))
    try await waiting.resume(second)
    #expect(try await waiting.job(second).attempts == 3)
    #expect(await bed.runner.discarded.isEmpty)
  }

  @Test func `A job whose process died while it was cancelled ends when that is asked for again`()
    async throws
  {
    let (queue, id) = try await queue(.cancelling, intent: .cancel)
    try await queue.cancel(id)
    #expect(try await queue.job(id).state == .cancelled)
    #expect(await bed.journal.job(id)?.state == .cancelled)
    #expect(await bed.runner.discarded == ["a"])
  }

  @Test func `A failed job that is taken off the list leaves nothing on disk`() async throws {
    let (queue, id) = try await queue(.failed(Self.failure))
    let obstacle = JobFailure(message: "It is read-only.", kind: .device)
    await bed.runner.failDiscarding(obstacle)
    let error = JobError.notPossible(job: "a", action: Ask.forget.rawValue, state: "failed")
    await #expect(throws: error) { try await queue.forget(id) }
    #expect(await bed.journal.job(id)?.state == .failed(Self.failure))
    #expect(await bed.journal.messages(of: id).map(\.text) == [obstacle.message])
    await bed.runner.failDiscarding(nil)
    try await queue.forget(id)
    #expect(await bed.runner.discarded == ["a"])
    #expect(try await bed.journal.jobs().isEmpty)
  }

  @Test func `A failed job that another process has just taken off the list begins anew`()
    async throws
  {
    let (queue, id) = try await queue(.failed(Self.failure))
    // The list read from the journal is of a moment ago.
    await bed.journal.freezeList()
    await bed.journal.forget(id)
    let (job, isNew) = try await queue.submit(
      kind: "test", subject: "a", title: "a", parameters: Data())
    #expect(job.id != id && isNew)
    #expect(await bed.journal.job(id) == nil)
    #expect(await bed.journal.requests().isEmpty)
  }

  @Test func `Missing items are retried with all attempts, or left`() async throws {
    let (queue, id) = try await queue(.succeededInPart)
    bed.clock.advance(by: .seconds(60))
    try await queue.retryFailedItems(id)
    let again = try await queue.job(id)
    #expect(again.state == .waiting(.slot(ahead: 0)) && again.intent == .run)
    #expect(again.attempts == 0 && again.updated == bed.clock.date)
    #expect(await bed.journal.job(id)?.state == .waiting(.slot(ahead: 0)))
    try await queue.cancel(id)

    let (other, second) = try await self.queue(.succeededInPart)
    #expect(try await !other.job(second).progress.isVerified)
    try await other.acceptAsPartial(second)
    let left = try #require(await bed.journal.job(second))
    #expect(left.state == .succeeded && left.progress.isVerified)
    #expect(try await other.job(second) == left)
  }

  @Test(arguments: [Ask.retry, .accept, .forget])
  func `What another process did to a job a moment ago is not undone`(_ ask: Ask) async throws {
    let (queue, id) = try await queue(.succeededInPart)
    await bed.journal.freezeList()
    // It was tried again there, and stopped on the way.
    var job = try #require(await bed.journal.job(id))
    (job.state, job.intent, job.checkpoint) = (.paused, .pause, Data("theirs".utf8))
    try await bed.journal.record(job, answering: 0)
    let error = JobError.notPossible(job: "a", action: ask.rawValue, state: JobState.paused.word)
    await #expect(throws: error) { try await ask(queue, id) }
    #expect(await bed.journal.job(id) == job)
    #expect(try await queue.job(id).state == .paused)
  }

  /// The last wish of people, the last record, and the state of the job for a reader of that.
  @Test(
    arguments: [
      (.run, .running, .waiting(.slot(ahead: 0))), (.run, .paused, .waiting(.slot(ahead: 0))),
      (.run, .waiting(.network), .waiting(.network)), (.pause, .running, .paused),
      (.pause, .waiting(.network), .paused), (.cancel, .running, .cancelling),
      (.cancel, .paused, .cancelling), (.pause, .succeeded, .succeeded),
      (.cancel, .failed(failure), .failed(failure)),
    ] as [(JobIntent, JobState, JobState)])
  func `A job without a worker is shown in the state that the user wants`(
    _ intent: JobIntent, _ written: JobState, _ shown: JobState
  ) async throws {
    let (queue, id) = try await queue(written, intent: intent)
    #expect(try await queue.job(id).state == shown)
    // Nothing is written of it before somebody works on it.
    #expect(await bed.journal.job(id)?.state == written)
  }

  @Test func `A place before the first or after the last is the first or the last`() async throws {
    let queue = bed.queue()
    var ids: [JobID] = []
    for name in ["a", "b", "c"] { ids.append(try await bed.submit(name, to: queue)) }
    for (number, place, order) in [
      (0, 99, [1, 2, 0]), (0, -5, [0, 1, 2]), (1, 1, [0, 1, 2]), (2, 1, [0, 2, 1]),
    ] {
      try await queue.move(ids[number], to: place)
      #expect(await queue.jobs.map(\.id) == order.map { ids[$0] }, "\(number) to \(place)")
      #expect(try await bed.journal.jobs().map(\.id) == order.map { ids[$0] })
    }
    #expect(
      await queue.jobs.map(\.state) == (0...2).map { JobState.waiting(.slot(ahead: $0)) })
  }

  /// The number of seconds after the request that succeeded at which the other one was made, which
  /// failed.
  @Test(arguments: [-60.0, 60])
  func `A failed job is resumed unless it was requested again since`(
    _ seconds: Double
  ) async throws {
    let now = bed.clock.date
    for (name, state, created) in [
      ("done", JobState.succeeded, now), ("failed", .failed(Self.failure), now + seconds),
    ] {
      var job = Job(
        id: try #require(JobID(name)), kind: "test", subject: "a", title: "a",
        parameters: Data(), created: created, position: 1)
      job.state = state
      try await bed.journal.record(job, answering: 0)
    }
    let queue = bed.queue()
    let asked = try await queue.submit(kind: "test", subject: "a", title: "a", parameters: Data())
    #expect(asked.isNew && asked.job.state == .waiting(.slot(ahead: 0)))
    #expect((asked.job.id.text == "failed") == (seconds > 0))
    #expect(await queue.jobs.count == (seconds > 0 ? 2 : 3))
  }

  @Test func `Paused jobs do not count as ahead of others`() async throws {
    let queue = bed.queue()
    var ids: [JobID] = []
    for name in ["a", "b", "c"] { ids.append(try await bed.submit(name, to: queue)) }
    try await queue.pause(ids[0])
    #expect(
      await queue.jobs.map(\.state)
        == [.paused, .waiting(.slot(ahead: 0)), .waiting(.slot(ahead: 1))])
    try await queue.cancel(ids[1])
    #expect(
      await queue.jobs.map(\.state) == [.paused, .cancelled, .waiting(.slot(ahead: 0))])
  }

  @Test func `A queue runs one job at least`() async throws {
    let queue = JobQueue(
      journal: bed.journal, runner: bed.runner, limit: 0,
      environment: JobEnvironment(
        clock: bed.clock, now: { [clock = bed.clock] in clock.date }, makeID: { JobID(UUID()) }))
    let id = try await bed.submit("a", to: queue)
    await bed.runner.finish("a", with: .success(JobOutcome()))
    try await bed.running(queue) {
      _ = try await bed.wait(for: id, in: queue) { $0 == .succeeded }
    }
  }

  @Test func `The log says of a job that is cancelled what became of its files`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    let obstacle = JobFailure(message: "It cannot be removed.", kind: .device)
    await bed.runner.failDiscarding(obstacle)
    try await bed.running(queue) {
      await bed.runner.started("a")
      try await queue.pause(id)
      _ = try await bed.wait(for: id, in: queue) { $0 == .paused }
      try await queue.resume(id)
      await bed.runner.started("a", times: 2)
      try await queue.cancel(id)
      _ = try await bed.wait(for: id, in: queue) { $0 == .failed(obstacle) }
      await bed.runner.failDiscarding(nil)
      try await queue.cancel(id)
      _ = try await bed.wait(for: id, in: queue) { $0 == .cancelled }
    }
    let log = await bed.journal.messages(of: id)
    #expect(
      log.map(\.text)
        == ["Started.", "Paused.", "Started.", "It cannot be removed.", "Cancelled."])
    #expect(log.map(\.severity) == [.info, .info, .info, .error, .info])
  }
}
