import Foundation
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanJobs

@Suite struct JobQueueTests {
  private let clock = ManualClock()
  private let journal = InMemoryJobJournal()
  private let runner = ScriptedRunner()

  private func queue(limit: Int = 2, over journal: (any JobJournal)? = nil) -> JobQueue {
    let number = Mutex(0)
    return JobQueue(
      journal: journal ?? self.journal, runner: runner, limit: limit,
      environment: JobEnvironment(
        clock: clock, now: { [clock] in clock.date },
        makeID: {
          let next = number.withLock { number in
            number += 1
            return number
          }
          return JobID("job-\(next)") ?? JobID(UUID())
        }))
  }

  private func submit(_ subject: String, to queue: JobQueue) async throws -> JobID {
    try await queue.submit(kind: "test", subject: subject, title: subject, parameters: Data()).job
      .id
  }

  private func state(of id: JobID, in queue: JobQueue) async throws -> JobState {
    try await queue.job(id).state
  }

  /// Runs the queue while `body` asks it for things.
  private func running(_ queue: JobQueue, _ body: () async throws -> Void) async throws {
    let work = Task { await queue.run() }
    defer { work.cancel() }
    try await body()
  }

  /// Waits until a job is in a state that `test` knows.
  private func wait(
    for id: JobID, in queue: JobQueue, _ test: (JobState) -> Bool
  ) async throws -> Job {
    for await jobs in await queue.updates() {
      if let job = jobs.first(where: { $0.id == id }), test(job.state) { return job }
    }
    throw CancellationError()
  }

  @Test func `A job runs when the queue does, and its end is in the journal`() async throws {
    let queue = queue()
    let id = try await submit("a", to: queue)
    #expect(try await state(of: id, in: queue) == .waiting(.slot(ahead: 0)))
    try await running(queue) {
      await runner.finish("a", with: .success(JobOutcome()))
      _ = try await wait(for: id, in: queue) { $0 == .succeeded }
    }
    #expect(await journal.jobs().map(\.state) == [.succeeded])
  }

  @Test func `A queue that was stopped runs again`() async throws {
    let queue = queue()
    for name in ["a", "b"] {
      let id = try await submit(name, to: queue)
      let work = Task { await queue.run() }
      await runner.finish(name, with: .success(JobOutcome()))
      _ = try await wait(for: id, in: queue) { $0 == .succeeded }
      work.cancel()
      await work.value
    }
  }

  @Test func `Asking twice for the same thing finds the job that is there`() async throws {
    let queue = queue()
    let first = try await queue.submit(kind: "k", subject: "s", title: "S", parameters: Data())
    let second = try await queue.submit(kind: "k", subject: "s", title: "S", parameters: Data())
    #expect(first.isNew && !second.isNew && first.job.id == second.job.id)
  }

  @Test func `Asking for what is being cancelled gets a new job, and both come to their ends`()
    async throws
  {
    let id = try #require(JobID("old"))
    var old = Job(
      id: id, kind: "test", subject: "a", title: "a", parameters: Data(), created: clock.date,
      position: 1)
    // The process died while it removed what the job had left.
    old.follow(.cancel, at: clock.date)
    try await journal.record(old)
    let next = queue()
    try await next.restore()
    let new = try await next.submit(kind: "test", subject: "a", title: "a", parameters: Data())
    #expect(new.isNew && new.job.id != id)
    try await running(next) {
      _ = try await wait(for: id, in: next) { $0 == .cancelled }
      await runner.finish("a", with: .success(JobOutcome()))
      _ = try await wait(for: new.job.id, in: next) { $0 == .succeeded }
    }
    #expect(await runner.discarded == ["a"])
  }

  @Test func `No more jobs run at a time than are allowed, in order`() async throws {
    let queue = queue(limit: 1)
    let first = try await submit("a", to: queue)
    let second = try await submit("b", to: queue)
    let third = try await submit("c", to: queue)
    try await queue.move(third, to: 1)
    try await running(queue) {
      await runner.started("a")
      let states = try await [state(of: third, in: queue), state(of: second, in: queue)]
      #expect(states == [.waiting(.slot(ahead: 1)), .waiting(.slot(ahead: 2))])
      await runner.finish("a", with: .success(JobOutcome()))
      await runner.started("c")
      #expect(try await state(of: first, in: queue) == .succeeded)
    }
  }

  @Test func `A job that waits for its turn is cancelled while all others run`() async throws {
    let queue = queue(limit: 1)
    _ = try await submit("a", to: queue)
    let second = try await submit("b", to: queue)
    try await running(queue) {
      await runner.started("a")
      try await queue.cancel(second)
      _ = try await wait(for: second, in: queue) { $0 == .cancelled }
      #expect(await runner.discarded == ["b"])
      await runner.finish("a", with: .success(JobOutcome()))
    }
  }

  @Test(arguments: [
    ([JobIntent.pause, .run, .pause], JobState.paused), ([.pause, .run], .running),
    ([.pause, .pause], .paused), ([.run, .run], .running), ([.pause, .run, .cancel], .cancelled),
    ([.cancel, .cancel], .cancelled),
  ])
  func `The last word counts, however fast it comes`(
    _ words: [JobIntent], _ end: JobState
  ) async throws {
    let queue = queue()
    let id = try await submit("a", to: queue)
    try await running(queue) {
      await runner.started("a")
      for word in words {
        switch word {
        case .run: try await queue.resume(id)
        case .pause: try await queue.pause(id)
        case .cancel: try await queue.cancel(id)
        }
      }
      if words.contains(.pause), end == .running { await runner.started("a", times: 2) }
      _ = try await wait(for: id, in: queue) { $0 == end }
    }
    #expect(await runner.discarded == (end == .cancelled ? ["a"] : []))
  }

  @Test func `A transient failure is retried at growing intervals, and then no more`() async throws
  {
    let queue = queue()
    let id = try await submit("a", to: queue)
    let failure = JobFailure(message: "The server is busy.", kind: .transient)
    try await running(queue) {
      for (attempt, pause) in [2, 4, 8, 16].enumerated() {
        await runner.finish("a", with: .failure(.failed(failure)))
        let job = try await wait(for: id, in: queue) {
          if case .waiting(.retry(_, attempt + 2)) = $0 { true } else { false }
        }
        let date = clock.date.addingTimeInterval(Double(pause))
        #expect(job.state == .waiting(.retry(at: date, attempt: attempt + 2)))
        await clock.sleepers()
        clock.advance(by: .seconds(pause))
      }
      await runner.finish("a", with: .failure(.failed(failure)))
      _ = try await wait(for: id, in: queue) { $0 == .failed(failure) }
    }
  }

  @Test func `A job that waits for a network resumes when conditions change`() async throws {
    let queue = queue()
    let id = try await submit("a", to: queue)
    try await running(queue) {
      await runner.finish("a", with: .failure(.waiting(.network)))
      _ = try await wait(for: id, in: queue) { $0 == .waiting(.network) }
      await queue.conditionsHaveChanged(.network)
      await runner.finish("a", with: .success(JobOutcome()))
      _ = try await wait(for: id, in: queue) { $0 == .succeeded }
    }
  }

  @Test(arguments: [
    JobWait.network, .signIn(host: "portal.example"), .space(missing: 7),
    .retry(at: .distantFuture, attempt: 2),
  ])
  func `A waiting job is told to check again`(_ waited: JobWait) async throws {
    let queue = queue()
    let id = try await submit("a", to: queue)
    try await running(queue) {
      await runner.finish("a", with: .failure(.waiting(waited)))
      _ = try await wait(for: id, in: queue) { $0 == .waiting(waited) }
      try await queue.resume(id)
      await runner.finish("a", with: .success(JobOutcome()))
      _ = try await wait(for: id, in: queue) { $0 == .succeeded }
    }
  }

  @Test func `A job done in part is tried again, or taken for done`() async throws {
    let queue = queue()
    let id = try await submit("a", to: queue)
    let item = JobFailedItem(
      name: "tile", attempts: 1, failure: JobFailure(message: "It is gone.", kind: .absent))
    try await running(queue) {
      await runner.finish("a", with: .success(JobOutcome(failedItems: [item])))
      #expect(
        try await wait(for: id, in: queue) { $0 == .succeededInPart }.failedItems == [item])
      try await queue.retryFailedItems(id)
      await runner.finish("a", with: .success(JobOutcome(failedItems: [item])))
      _ = try await wait(for: id, in: queue) { $0 == .succeededInPart }
      try await queue.acceptAsPartial(id)
      #expect(try await state(of: id, in: queue) == .succeeded)
    }
  }

  @Test func `Progress never goes back, and outlives the process`() async throws {
    let queue = queue()
    let id = try await submit("a", to: queue)
    try await running(queue) {
      await runner.started("a")
      await runner.report("a", JobProgress(bytes: 60, totalBytes: 100, isTotalExact: true))
      await runner.report("a", JobProgress(bytes: 10))
    }
    let next = self.queue(over: journal)
    try await next.restore()
    let job = try await next.job(id)
    #expect(job.progress.fraction == 0.6)
    #expect(job.state == .waiting(.slot(ahead: 0)))
  }

  @Test func `A job that was being cancelled when the process ended is cleaned up by the next`()
    async throws
  {
    let queue = queue()
    let id = try await submit("a", to: queue)
    try await queue.cancel(id)
    let next = self.queue(over: journal)
    try await next.restore()
    try await running(next) {
      _ = try await wait(for: id, in: next) { $0 == .cancelled }
    }
    #expect(await runner.discarded == ["a"])
  }

  @Test func `An action that a state does not allow is refused by name`() async throws {
    let queue = queue()
    let id = try await submit("a", to: queue)
    await #expect(throws: JobError.unknown("zz")) {
      try await queue.pause(#require(JobID("zz")))
    }
    await #expect(
      throws: JobError.notPossible(job: "a", action: "tried again", state: "waiting")
    ) { try await queue.retryFailedItems(id) }
  }

  @Test func `A journal that cannot be written refuses what was asked`() async throws {
    let queue = queue(over: BrokenJournal())
    await #expect(throws: JobError.self) { try await submit("a", to: queue) }
    #expect(await queue.jobs.isEmpty)
  }
}

/// Keeps nothing and says so.
private struct BrokenJournal: JobJournal {
  private static let full = JobError.journal(file: "journal", reason: "it is full")

  func add(_ job: Job) throws(JobError) -> Job { throw Self.full }
  func record(_ job: Job, answering number: Int) throws(JobError) { throw Self.full }
  func forget(_ id: JobID) {}
  func jobs() -> [Job] { [] }
  func job(_ id: JobID) -> Job? { nil }
  func setOrder(_ ids: [JobID]) {}
  func post(_ intent: JobIntent, to id: JobID) throws(JobError) -> JobRequest { throw Self.full }
  func requests() -> [JobRequest] { [] }
  func answerRequests(of id: JobID, at date: Date) -> Job? { nil }
  func revision() -> Int { 0 }
  func append(_ message: JobMessage, to id: JobID) {}
  func messages(of id: JobID) -> [JobMessage] { [] }
}
