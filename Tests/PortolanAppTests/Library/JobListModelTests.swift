import Foundation
import PortolanApp
import PortolanJSON
import PortolanJobs
import PortolanLocks
import Testing

/// The reports on jobs to screens and shells.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct JobListModelTests {
  /// Brings a megabyte, waits at a gate, brings another a second later, and does not end.
  private struct SteadyRunner: JobRunner {
    let gate: Gate
    let seconds: Locked<Double>

    func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome {
      for count in 1...2 {
        seconds.withLock { $0 = 99 + Double(count) }
        await reporter.progress(
          JobProgress(bytes: count * 1_000_000, totalBytes: 5_000_000, isTotalExact: true))
        if count == 1 { await gate.pass() }
      }
      let (never, _) = AsyncStream<Void>.makeStream()
      for await _ in never {}
      throw .stopped
    }

    func discard(_ job: Job) async throws(JobFailure) {}
  }

  @Test func `Observers see how fast a job goes, as long as it runs`() async throws {
    let (gate, seconds) = (Gate(), Locked(0.0))
    let journal = InMemoryJobJournal()
    let queue = JobQueue(
      journal: journal, runner: SteadyRunner(gate: gate, seconds: seconds),
      environment: JobEnvironment(
        clock: ContinuousClock(),
        now: { Date(timeIntervalSince1970: seconds.withLock(\.self)) },
        makeID: { JobID(UUID()) }))
    let jobs = JobListModel(queue: queue, journal: journal)
    let (job, _) = try await queue.submit(
      kind: "test", subject: "casco", title: "Casco Bay", parameters: Data())
    let (working, following) = (Task { await jobs.run() }, Task { await jobs.follow() })
    func state(at bytes: Int) async -> JobListModel.State {
      await Observed.first(of: { jobs.state }, where: { $0.jobs.first?.progress.bytes == bytes })
    }
    #expect(await state(at: 1_000_000).paces[job.id]?.bytesPerSecond == nil)
    await gate.open()
    let pace = await state(at: 2_000_000).paces[job.id]
    #expect(pace?.bytesPerSecond == 1_000_000 && pace?.secondsLeft == 3)
    let document = jobs.state.paces.json(of: jobs.jobs)[0]?["pace"]
    #expect(document == ["bytesPerSecond": 1_000_000, "secondsLeft": 3])
    try await jobs.pause(job.id)
    let paused = await Observed.first(
      of: { jobs.state }, where: { $0.jobs.first?.state == .paused })
    #expect(paused.paces.isEmpty)
    #expect(paused.paces.json(of: paused.jobs)[0]?["pace"] == .null)
    working.cancel()
    following.cancel()
    await working.value
    await following.value
  }

  /// Leaves something out.
  private struct PartRunner: JobRunner {
    func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome {
      guard job.kind == "download" else { return JobOutcome(failedItems: []) }
      let failure = JobFailure(message: "No.", kind: .damaged)
      return JobOutcome(failedItems: [JobFailedItem(name: "a", attempts: 1, failure: failure)])
    }

    func discard(_ job: Job) async throws(JobFailure) {}
  }

  @Test func `Of several jobs with one title the one that allows the action is meant`()
    async throws
  {
    let journal = InMemoryJobJournal()
    let dates = Locked(0.0)
    let queue = JobQueue(
      journal: journal, runner: PartRunner(),
      environment: JobEnvironment(
        clock: ContinuousClock(),
        now: {
          Date(
            timeIntervalSince1970: dates.withLock {
              $0 += 1
              return $0
            })
        }, makeID: { JobID(UUID()) }))
    let jobs = JobListModel(queue: queue, journal: journal)
    var ids: [JobID] = []
    for kind in ["download", "sync"] {
      let (job, _) = try await queue.submit(
        kind: kind, subject: "casco", title: "Casco Bay", parameters: Data())
      ids.append(job.id)
    }
    let ended = await jobs.work(until: ids) { _ in }
    #expect(ended.map(\.state) == [.succeededInPart, .succeeded])
    #expect(try jobs.job(named: "Casco Bay").id == ids[1])
    let meant = try jobs.job(named: "Casco Bay") { $0.state.canSettleFailures }
    #expect(meant.id == ids[0])
  }

  @Test func `A job that another process left waiting is reported in its current state`()
    async throws
  {
    let journal = InMemoryJobJournal()
    func queue() -> JobQueue {
      JobQueue(
        journal: journal, runner: PartRunner(), claims: InMemoryJobClaims(),
        environment: JobEnvironment(
          clock: ContinuousClock(), now: { Date(timeIntervalSince1970: 1_000) },
          makeID: { JobID(UUID()) }))
    }
    var (job, _) = try await queue().submit(
      kind: "sync", subject: "casco", title: "Casco Bay", parameters: Data())
    job.state = .waiting(.editing(map: "Casco Bay", by: "process 1 (gone)"))
    job.updated = Date(timeIntervalSince1970: 0)
    try await journal.record(job)
    let next = queue()
    try await next.restore()
    let jobs = JobListModel(queue: next, journal: journal)
    var states: [JobState] = []
    let ended = await jobs.work(until: [job.id]) { states.append($0.state) }
    #expect(ended.map(\.state) == [.succeeded] && jobs.jobs.map(\.state) == [.succeeded])
    #expect(!states.contains(job.state))
  }

  // MARK: - Notifications

  private func job(_ state: JobState, bytes: Int = 0) -> Job {
    var job = Job(
      id: JobID(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), kind: "test",
      subject: "a", title: "A", parameters: Data(), created: .distantPast, position: 0)
    job.state = state
    job.progress = JobProgress(bytes: bytes, totalBytes: 100, isTotalExact: true)
    return job
  }

  /// The notifications when a job goes through states, one after the other.
  private func events(_ states: [(JobState, bytes: Int)]) -> [[JobNotification.Event]] {
    var news = JobNews()
    return states.map { state, bytes in
      news.notifications([job(state, bytes: bytes)]).map(\.event)
    }
  }

  @Test func `Resumed jobs are reported, and finished ones are not`() {
    let failure = JobFailure(message: "No.", kind: .refused)
    #expect(events([(.running, 10)]) == [[.interrupted]])
    for state in [JobState.succeeded, .failed(failure), .cancelled, .paused] {
      #expect(events([(state, 10)]) == [[]])
    }
  }

  @Test func `A download is announced at each quarter and at its end`() {
    let states: [(JobState, bytes: Int)] = [
      (.paused, 0), (.running, 0), (.running, 24), (.running, 25), (.running, 26), (.running, 80),
      (.succeeded, 100), (.succeeded, 100),
    ]
    #expect(events(states) == [[], [], [], [.advanced], [], [.advanced], [.succeeded], []])
  }

  @Test func `Waiting is reported once per reason and attempt, but not for a queue or a pause`() {
    let later = Date(timeIntervalSince1970: 9)
    let states: [(JobState, bytes: Int)] = [
      (.paused, 10), (.waiting(.slot(ahead: 2)), 10), (.waiting(.network), 10),
      (.waiting(.network), 10), (.waiting(.retry(at: later, attempt: 1)), 10),
      (.waiting(.retry(at: .distantFuture, attempt: 1)), 10),
      (.waiting(.retry(at: later, attempt: 2)), 10), (.waiting(.space(missing: 5)), 10),
      (.waiting(.space(missing: 4)), 10), (.running, 10), (.paused, 10),
    ]
    #expect(
      events(states)
        == [
          [], [], [.waiting], [], [.waiting], [], [.waiting], [.waiting], [], [.resumed], [],
        ])
  }

  @Test func `A failure is reported once, with the job that explains it`() {
    let failure = JobFailure(message: "No.", kind: .refused)
    var news = JobNews()
    #expect(news.notifications([job(.paused)]) == [])
    let told = news.notifications([job(.failed(failure))])
    #expect(told == [JobNotification(.failed, of: job(.failed(failure)))])
    #expect(news.notifications([job(.failed(failure))]) == [])
  }
}
