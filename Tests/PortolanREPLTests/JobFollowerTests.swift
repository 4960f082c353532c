import Foundation
import PortolanApp
import PortolanJSON
import PortolanJobs
import Testing

@testable import PortolanREPL

/// Waiting for downloads, and stopping it.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct JobFollowerTests {
  /// Says when it runs, and runs until it is stopped, when it may have done all.
  private struct EndlessRunner: JobRunner {
    let started: AsyncStream<Void>.Continuation
    var hasDoneAll = false

    func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome {
      started.yield()
      let (never, _) = AsyncStream<Void>.makeStream()
      for await _ in never {}
      guard hasDoneAll else { throw .stopped }
      return JobOutcome()
    }

    func discard(_ job: Job) async throws(JobFailure) {}
  }

  private func answer(
    besidePrompt: Bool, hasDoneAll: Bool = false
  ) async throws -> (Result<CommandResult, any Error>, Job, String) {
    let (started, continuation) = AsyncStream<Void>.makeStream()
    let journal = InMemoryJobJournal()
    let queue = JobQueue(
      journal: journal, runner: EndlessRunner(started: continuation, hasDoneAll: hasDoneAll),
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { Date(timeIntervalSince1970: 0) },
        makeID: { JobID(UUID()) }))
    let jobs = JobListModel(queue: queue, journal: journal)
    let (job, _) = try await queue.submit(
      kind: "test", subject: "casco", title: "Casco Bay", parameters: Data())
    let console = TranscriptConsole()
    var session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(.sample))
    session.worksBesidePrompt = besidePrompt
    let worker = besidePrompt ? Task { await jobs.run() } : nil
    let follower = JobFollower(jobs: jobs, session: session, waits: true)
    let waiting = Task { try await follower.result(of: [job.id]) }
    for await _ in started { break }
    waiting.cancel()
    let result = await waiting.result
    await jobs.load()
    let now = try #require(jobs.jobs.first)
    worker?.cancel()
    await worker?.value
    return (result, now, console.transcript)
  }

  @Test func `At a prompt, Ctrl-C stops waiting and says that the download continues`() async throws
  {
    let (result, job, _) = try await answer(besidePrompt: true)
    let answer = try result.get()
    #expect(job.state == .running)
    #expect(answer.status == .interrupted)
    guard case .document(let text, _) = answer.body else {
      Issue.record("nothing is written")
      return
    }
    #expect("\(text)".contains("continues in the background"))
  }

  @Test func `Elsewhere, Ctrl-C stops the download and says that its progress is kept`()
    async throws
  {
    let (result, job, notes) = try await answer(besidePrompt: false)
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(job.state != .running)
    let id = job.id.text.prefix(8)
    #expect(notes.contains("What was downloaded is kept; \"resume \(id)\" continues it."))
  }

  @Test func `Ctrl-C at the last moment does not say that what is here is to be resumed`()
    async throws
  {
    let (result, job, notes) = try await answer(besidePrompt: false, hasDoneAll: true)
    #expect(job.state == .succeeded)
    let answer = try result.get()
    #expect(answer.status == .done && !notes.contains("resume"))
    guard case .document(let text, _) = answer.body else {
      Issue.record("nothing is written")
      return
    }
    #expect("\(text)".contains("is on this device"))
  }

  @Test(arguments: [false, true])
  func `A job that is listed as stopped is not called waiting where a command is not for it`(
    _ isAttended: Bool
  ) {
    let job = Job(
      id: JobID(UUID()), kind: "test", subject: "casco", title: "Casco Bay", parameters: Data(),
      created: Date(timeIntervalSince1970: 0), position: 0)
    let problem = Problem(
      JobError.notPossible(job: job.title, action: "tried again", state: job.state.word))
    let failure = RetryCommand.failure(of: problem, job, isAttended: isAttended)
    #expect(JobText.phrase(job.state, isAttended: isAttended).hasPrefix("stopped") != isAttended)
    #expect(failure.message.contains("stopped") != isAttended)
    let advice = "\"resume \(JobPage.shortID(job))\" continues it."
    #expect((failure.suggestion == advice) != isAttended)
    #expect(failure.code == .notPossible && failure.status == Failure(problem).status)
  }

  @Test(
    arguments: [
      (JobWait.network, "waiting for a network"),
      (.signIn(host: "gis.example"), "waiting for a sign-in to gis.example"),
      (.space(missing: 0), "waiting for free space"), (.slot(ahead: 0), "waiting for its turn"),
    ])
  func `A job that another process works on says what it waits for, and names that process`(
    _ wait: JobWait, _ words: String
  ) {
    var job = Job(
      id: JobID(UUID()), kind: "test", subject: "casco", title: "Casco Bay", parameters: Data(),
      created: Date(timeIntervalSince1970: 0), position: 0)
    job.state = .waiting(wait)
    #expect(job.json(pace: nil)["worker"] == .null)
    job.worker = JobWorker(name: "process 4711 (portolan)", isThisProcess: false)
    let page = TextLayout(width: 200, usesColor: false).text(of: JobPage(jobs: [job]).text)
    #expect(page.contains(words) && page.contains("It is worked on by process 4711 (portolan)."))
    let resuming = "\"resume \(JobPage.shortID(job))\" continues it."
    #expect(page.contains(resuming) == (wait == .signIn(host: "gis.example")))
    #expect(JobText.sentence(job) == words + ", with process 4711 (portolan) working on it")
    #expect(job.json(pace: nil)["worker"] == "process 4711 (portolan)")
  }

  @Test func `The line of a job held back by a host names the host and the time`() {
    let date = Date(timeIntervalSince1970: 0)
    var job = Job(
      id: JobID(UUID()), kind: "test", subject: "casco", title: "Casco Bay", parameters: Data(),
      created: date, position: 0)
    job.state = .running
    job.hostWait = JobHostWait(
      host: "tiles.example.com", since: date, until: date.addingTimeInterval(12))
    #expect(
      TransferText.line(job, pace: nil) == "Casco Bay  waiting for tiles.example.com, 12 s")
    #expect(JobText.sentence(job) == "waiting for tiles.example.com, 12 s")
    let page = TextLayout(width: 200, usesColor: false).text(of: JobPage(jobs: [job]).text)
    #expect(page.contains("waiting for tiles.example.com"))
    #expect(job.progressJSON(pace: nil)["hostWait"]?["host"] == "tiles.example.com")
  }
}
