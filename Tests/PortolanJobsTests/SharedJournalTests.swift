import Foundation
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanJobs

/// Two queues over one journal, as two processes have them.
@Suite(.timeLimit(.minutes(5))) struct SharedJournalTests {
  private let clock = ManualClock()
  private let journal = CountingJournal()
  private let claims = InMemoryJobClaims()
  private let mine = ScriptedRunner()
  private let theirs = ScriptedRunner()

  private func queue(_ runner: ScriptedRunner, limit: Int = 2) -> JobQueue {
    JobQueue(
      journal: journal, runner: runner, claims: claims, limit: limit,
      environment: JobEnvironment(
        clock: clock, now: { [clock] in clock.date }, makeID: { JobID(UUID()) }))
  }

  private func submit(_ subject: String, to queue: JobQueue) async throws -> JobID {
    try await queue.submit(kind: "test", subject: subject, title: subject, parameters: Data()).job
      .id
  }

  private func running(_ queue: JobQueue, _ body: () async throws -> Void) async throws {
    let work = Task { await queue.run() }
    do { try await body() } catch {
      work.cancel()
      throw error
    }
    work.cancel()
    await work.value
  }

  /// Waits until a job stands as `test` wants, while time goes on for all queues.
  private func wait(
    for id: JobID, in queue: JobQueue, _ test: (Job) -> Bool
  ) async throws -> Job {
    while true {
      if let job = await queue.jobs.first(where: { $0.id == id }), test(job) { return job }
      try Task.checkCancellation()
      try await clock.wakeNext()
    }
  }

  @Test func `Jobs of a journal that can only be read are listed as they were written`()
    async throws
  {
    let first = queue(mine)
    let id = try await submit("a", to: first)
    try await first.pause(id)
    let reader = queue(theirs)
    try await reader.list()
    #expect(await reader.jobs == first.jobs)
    #expect(await reader.jobs.map(\.state) == [.paused])
  }

  @Test func `A job is worked on by one queue only`() async throws {
    let (first, second) = (queue(mine), queue(theirs))
    let id = try await submit("a", to: first)
    try await second.restore()
    try await running(first) {
      await mine.started("a")
      try await running(second) {
        _ = try await wait(for: id, in: second) { $0.state == .running }
        await mine.report("a", JobProgress(bytes: 7))
        _ = try await wait(for: id, in: second) { $0.progress.bytes == 7 }
        await mine.finish("a", with: .success(JobOutcome()))
        _ = try await wait(for: id, in: second) { $0.state == .succeeded }
      }
    }
    #expect(await theirs.startCount == 0)
  }

  @Test func `The same thing asked for in two processes is one job`() async throws {
    let (first, second) = (queue(mine), queue(theirs))
    let asked = try await first.submit(kind: "k", subject: "s", title: "S", parameters: Data())
    let again = try await second.submit(kind: "k", subject: "s", title: "S", parameters: Data())
    #expect(asked.job.id == again.job.id && asked.isNew && !again.isNew)
  }

  @Test func `A job whose cancellation was requested in another process can be requested again`()
    async throws
  {
    let (first, second) = (queue(mine), queue(theirs))
    let id = try await submit("a", to: first)
    try await running(first) {
      await mine.started("a")
      try await second.restore()
      try await second.cancel(id)
      let new = try await submit("a", to: second)
      #expect(new != id)
      _ = try await wait(for: id, in: first) { $0.state == .cancelled }
      await mine.finish("a", with: .success(JobOutcome()))
      _ = try await wait(for: new, in: first) { $0.state == .succeeded }
    }
    #expect(await mine.discarded == ["a"])
  }

  @Test(arguments: [
    ([JobIntent.pause], JobState.paused), ([.cancel], .cancelled), ([.pause, .run], .running),
    ([.pause, .run, .pause], .paused), ([.pause, .pause, .cancel], .cancelled),
    ([.cancel, .pause], .cancelled),
  ])
  func `What is asked in one process reaches the one that works`(
    _ words: [JobIntent], _ end: JobState
  ) async throws {
    let (first, second) = (queue(mine), queue(theirs))
    let id = try await submit("a", to: first)
    try await running(first) {
      await mine.started("a")
      try await second.restore()
      for word in words {
        switch word {
        case .run: try await second.resume(id)
        case .pause: try await second.pause(id)
        case .cancel: try await second.cancel(id)
        }
      }
      while await !journal.requests().isEmpty { try await clock.wakeNext() }
      _ = try await wait(for: id, in: first) { $0.state == end }
      try await second.refresh()
      #expect(try await second.job(id).state == end)
    }
    #expect(await mine.discarded == (end == .cancelled ? ["a"] : []))
    #expect(await theirs.discarded.isEmpty)
  }

  @Test(arguments: [
    (JobIntent.pause, JobState.paused), (.cancel, .cancelled),
  ])
  func `A request to a job without a worker is carried out by the process that makes it`(
    _ word: JobIntent, _ end: JobState
  ) async throws {
    let (first, second) = (queue(mine), queue(theirs))
    let id = try await submit("a", to: first)
    try await second.restore()
    if word == .pause { try await second.pause(id) } else { try await second.cancel(id) }
    #expect(try await second.job(id).state == end)
    #expect(await journal.job(id)?.state == end)
    #expect(await theirs.discarded == (end == .cancelled ? ["a"] : []))
    try await first.refresh()
    #expect(try await first.job(id).state == end)
  }

  @Test func `When the working process dies, another takes over`() async throws {
    let (first, second) = (queue(mine), queue(theirs))
    let id = try await submit("a", to: first)
    let running = Task { await first.run() }
    await mine.started("a")
    await mine.report("a", JobProgress(bytes: 7))
    try await self.running(second) {
      _ = try await wait(for: id, in: second) { $0.state == .running }
      // The journal keeps saying that it runs, as after a crash.
      await journal.stop()
      running.cancel()
      await running.value
      await journal.goOn()
      await theirs.finish("a", with: .success(JobOutcome()))
      let job = try await wait(for: id, in: second) { $0.state == .succeeded }
      #expect(job.progress.bytes == 7)
    }
  }

  @Test func `A request that a dead process left is answered by the next`() async throws {
    let first = queue(mine)
    let id = try await submit("a", to: first)
    _ = await journal.post(.pause, to: id)
    let second = queue(theirs)
    try await second.restore()
    #expect(try await second.job(id).state == .paused)
    #expect(await journal.requests().isEmpty)
  }

  @Test func `Jobs that run elsewhere count against the limit`() async throws {
    let (first, second) = (queue(mine, limit: 1), queue(theirs, limit: 1))
    _ = try await submit("a", to: first)
    let other = try await submit("b", to: first)
    try await running(first) {
      await mine.started("a")
      try await running(second) {
        _ = try await wait(for: other, in: second) { _ in true }
        #expect(await theirs.startCount == 0)
        await mine.finish("a", with: .success(JobOutcome()))
        await mine.finish("b", with: .success(JobOutcome()))
        await theirs.finish("b", with: .success(JobOutcome()))
        _ = try await wait(for: other, in: second) { $0.state == .succeeded }
      }
    }
  }

  @Test func `A subject that one process works on is left alone by another`() async throws {
    let (first, second) = (queue(mine, limit: 4), queue(theirs, limit: 4))
    let id = try await submit("a", to: first)
    try await running(first) {
      await mine.started("a")
      try await running(second) {
        _ = try await wait(for: id, in: second) { $0.state == .running }
        let other = try await second.submit(
          kind: "other", subject: "a", title: "a", parameters: Data()
        ).job.id
        // One that comes later is begun, so that the queue has looked at all.
        let third = try await submit("b", to: second)
        await theirs.started("b")
        let state = try await second.job(other).state
        guard case .waiting(.slot) = state else {
          Issue.record("it does not wait for its turn: \(state)")
          return
        }
        await theirs.finish("b", with: .success(JobOutcome()))
        _ = try await wait(for: third, in: second) { $0.state == .succeeded }
        #expect(await theirs.startCount == 1)
      }
    }
  }

  @Test func `An order given in one process stays when another writes`() async throws {
    let (first, second) = (queue(mine, limit: 1), queue(theirs))
    let ids = [
      try await submit("a", to: first), try await submit("b", to: first),
      try await submit("c", to: first),
    ]
    try await running(first) {
      await mine.started("a")
      try await second.restore()
      try await second.move(ids[2], to: 0)
      await mine.report("a", JobProgress(bytes: 7))
    }
    try await second.refresh()
    #expect(await second.jobs.map(\.id) == [ids[2], ids[0], ids[1]])
  }

  @Test func `A running job is in the state that another process gave it`() async throws {
    let (first, second) = (queue(mine, limit: 1), queue(theirs))
    var ids: [JobID] = []
    for name in ["a", "b", "c", "d"] { ids.append(try await submit(name, to: first)) }
    try await running(first) {
      await mine.started("a")
      try await second.restore()
      try await second.move(ids[0], to: 3)
      try await first.refresh()
      #expect(await first.jobs.map(\.id) == [ids[1], ids[2], ids[3], ids[0]])
    }
  }

  @Test func `A job that another process has forgotten is off the list`() async throws {
    let (first, second) = (queue(mine), queue(theirs))
    let id = try await submit("a", to: first)
    try await second.restore()
    try await first.cancel(id)
    try await first.forget(id)
    try await second.refresh()
    #expect(await second.jobs.isEmpty)
  }

  @Test func `A job that another process has forgotten is not begun`() async throws {
    let (first, second) = (queue(mine), queue(theirs))
    let id = try await submit("a", to: first)
    try await second.restore()
    try await first.cancel(id)
    try await first.forget(id)
    // Whoever has just claimed it looks whether it is there still.
    #expect(try await !second.reread(id))
    #expect(await second.jobs.isEmpty)
  }

  /// Lets the job "a" fail.
  private func fail(_ id: JobID, in queue: JobQueue) async throws {
    await mine.started("a")
    await mine.finish(
      "a", with: .failure(.failed(JobFailure(message: "It is full.", kind: .device))))
    _ = try await wait(for: id, in: queue) { $0.state.isDeviceFailure }
  }

  @Test func `A failed job that is begun again while it is forgotten begins at once`()
    async throws
  {
    let queue = queue(mine)
    let id = try await submit("a", to: queue)
    try await running(queue) {
      try await fail(id, in: queue)
      await mine.whileDiscarding {
        do { try await queue.resume(id) } catch { Issue.record(error) }
      }
      await #expect(throws: JobError.self) { try await queue.forget(id) }
      await mine.started("a", times: 2)
    }
  }

  @Test func `A job that is begun again while it is forgotten starts from the beginning`()
    async throws
  {
    let queue = queue(mine)
    let id = try await submit("a", to: queue)
    try await running(queue) {
      await mine.started("a")
      try await mine.keep("a", Data("replica".utf8))
      try await fail(id, in: queue)
      #expect(await journal.job(id)?.checkpoint != nil)
      await mine.whileDiscarding {
        do { try await queue.resume(id) } catch { Issue.record(error) }
      }
      await #expect(throws: JobError.self) { try await queue.forget(id) }
      await mine.started("a", times: 2)
      #expect(await journal.job(id)?.checkpoint == nil)
    }
  }

  @Test func `A failed job that is begun again in another process while it is forgotten stays`()
    async throws
  {
    let (first, second) = (queue(mine), queue(theirs))
    let id = try await submit("a", to: first)
    try await running(first) { try await fail(id, in: first) }
    try await second.restore()
    await mine.whileDiscarding {
      do { try await second.resume(id) } catch { Issue.record(error) }
    }
    await #expect(throws: JobError.self) { try await first.forget(id) }
    #expect(try await first.job(id).state == .waiting(.slot(ahead: 0)))
    #expect(await journal.job(id)?.state == .waiting(.slot(ahead: 0)))
    #expect(await journal.requests().isEmpty)
    try await running(second) { await theirs.started("a") }
  }

  @Test func `Of several unanswered requests the last counts`() async throws {
    let (first, second) = (queue(mine), queue(theirs))
    let id = try await submit("a", to: first)
    try await running(first) {
      await mine.started("a")
      try await second.restore()
      try await second.pause(id)
      try await second.resume(id)
      try await first.refresh()
      let job = try #require(await first.jobs.first)
      #expect(job.state == .running && job.intent == .run)
    }
  }

  @Test func `A job that is not over stays on the list`() async throws {
    let queue = queue(mine)
    let id = try await submit("a", to: queue)
    for _ in 1...2 {
      await #expect(throws: JobError.self) { try await queue.forget(id) }
      #expect(await queue.jobs.map(\.id) == [id])
      try await queue.pause(id)
    }
    #expect(await journal.jobs().map(\.id) == [id])
  }

  @Test func `When a job changed is noted, whatever changed it`() async throws {
    let queue = queue(mine)
    let id = try await submit("a", to: queue)
    let created = try #require(await queue.jobs.first).updated
    clock.advance(by: .seconds(3_600))
    try await running(queue) {
      await mine.started("a")
      let running = try await wait(for: id, in: queue) { $0.state == .running }
      #expect(running.updated.timeIntervalSince(created) >= 3_600)
    }
  }

  @Test func `A job that another process has in hand stays on the list`() async throws {
    let queue = queue(mine)
    let id = try await submit("a", to: queue)
    try await queue.cancel(id)
    let theirs = try #require(claims.claim(id))
    await #expect(throws: JobError.self) { try await queue.forget(id) }
    #expect(await queue.jobs.map(\.id) == [id])
    withExtendedLifetime(theirs) {}
  }
}

/// A journal in memory whose revision follows its writes, and that can stand still.
private actor CountingJournal: JobJournal {
  private let journal = InMemoryJobJournal()
  private var count = 0
  private var stands = false

  /// Loses what is written from now on, as if the writer had been killed.
  func stop() { stands = true }

  func goOn() { stands = false }

  func add(_ job: Job) async -> Job {
    count += 1
    return await journal.add(job)
  }

  func record(_ job: Job, answering number: Int) async {
    guard !stands else { return }
    count += 1
    await journal.record(job, answering: number)
  }

  func forget(_ id: JobID) async {
    count += 1
    await journal.forget(id)
  }

  func jobs() async -> [Job] { await journal.jobs() }

  func job(_ id: JobID) async -> Job? { await journal.job(id) }

  func setOrder(_ ids: [JobID]) async {
    count += 1
    await journal.setOrder(ids)
  }

  func post(_ intent: JobIntent, to id: JobID) async -> JobRequest {
    count += 1
    return await journal.post(intent, to: id)
  }

  func requests() async -> [JobRequest] { await journal.requests() }

  func answerRequests(of id: JobID, at date: Date) async -> Job? {
    count += 1
    return await journal.answerRequests(of: id, at: date)
  }

  func revision() -> Int { count }

  func append(_ message: JobMessage, to id: JobID) async { await journal.append(message, to: id) }

  func messages(of id: JobID) async -> [JobMessage] { await journal.messages(of: id) }
}
