import Foundation
import Testing

@testable import PortolanJobs

@Suite struct JobStateTests {
  private static let failure = JobFailure(message: "It is gone.", kind: .absent)
  private static let refusal = JobFailure(message: "It is no map.", kind: .refused)

  @Test(arguments: [
    // state, final, pause, resume, cancel, settle
    (JobState.waiting(.slot(ahead: 1)), [false, true, false, true, false]),
    (.waiting(.network), [false, true, true, true, false]),
    (.waiting(.signIn(host: "a")), [false, true, true, true, false]),
    (.waiting(.space(missing: 1)), [false, true, true, true, false]),
    (.waiting(.editing(map: "m", by: "b")), [false, true, true, true, false]),
    (.waiting(.retry(at: .distantFuture, attempt: 1)), [false, true, true, true, false]),
    (.running, [false, true, false, true, false]),
    (.paused, [false, false, true, true, false]),
    (.cancelling, [false, false, false, false, false]),
    (.cancelled, [true, false, false, false, false]),
    (.succeeded, [true, false, false, false, false]),
    (.succeededInPart, [true, false, false, true, true]),
    (.failed(failure), [true, false, true, true, false]),
    (.failed(refusal), [true, false, true, true, false]),
  ])
  func `The allowed actions follow from the state alone`(_ state: JobState, _ may: [Bool]) {
    #expect(
      [state.isFinal, state.canPause, state.canResume, state.canCancel, state.canSettleFailures]
        == may)
  }

  @Test func `A whole that is not known has no fraction`() {
    #expect(JobProgress(bytes: 5).fraction == nil)
    #expect(JobProgress(bytes: 5, totalBytes: 10).fraction == nil)
    #expect(JobProgress(bytes: 5, totalBytes: 10, isTotalExact: true).fraction == 0.5)
  }

  @Test func `Nothing is complete before it is verified`() {
    var progress = JobProgress(bytes: 10, totalBytes: 10, isTotalExact: true)
    #expect(progress.fraction == 0.99)
    progress.isVerified = true
    #expect(progress.fraction == 1)
  }

  @Test func `A job that has done its work needs its checkpoint no more, and one that fails does`()
    throws
  {
    var job = Job(
      id: try #require(JobID("a")), kind: "k", subject: "s", title: "A", parameters: Data(),
      created: Date(timeIntervalSince1970: 0), position: 0)
    job.checkpoint = Data("half".utf8)
    job.state = .running
    var failed = job
    failed.apply(.failure(.failed(Self.failure)), at: Date(timeIntervalSince1970: 9), .standard)
    #expect(failed.checkpoint == Data("half".utf8))
    job.apply(.success(JobOutcome()), at: Date(timeIntervalSince1970: 9), .standard)
    #expect(job.state == .succeeded && job.checkpoint == nil)
  }

  @Test(arguments: [JobIntent.cancel, .pause])
  func `An order that came when all was done is forgotten`(_ intent: JobIntent) throws {
    var job = Job(
      id: try #require(JobID("a")), kind: "k", subject: "s", title: "A", parameters: Data(),
      created: Date(timeIntervalSince1970: 0), position: 0)
    job.state = .running
    job.intent = intent
    job.apply(.success(JobOutcome()), at: Date(timeIntervalSince1970: 9), .standard)
    #expect(job.state == .succeeded && job.intent == .run)
  }

  @Test func `A job that waits since before the clock was put back is tried at once`() throws {
    let now = Date(timeIntervalSince1970: 1_000)
    var job = Job(
      id: try #require(JobID("a")), kind: "k", subject: "s", title: "A", parameters: Data(),
      created: now, position: 0)
    job.updated = now
    job.state = .waiting(.retry(at: now.addingTimeInterval(60), attempt: 2))
    #expect(job.isLater(than: now) && !job.isReady(at: now, .standard))
    let before = now.addingTimeInterval(-1)
    #expect(!job.isLater(than: before) && job.isReady(at: before, .standard))
  }

  @Test func `A job that is resumed has all attempts again`() throws {
    var job = Job(
      id: try #require(JobID("a")), kind: "k", subject: "s", title: "A", parameters: Data(),
      created: Date(timeIntervalSince1970: 0), position: 0)
    job.attempts = 5
    job.state = .failed(Self.failure)
    job.follow(.run, at: Date(timeIntervalSince1970: 9))
    #expect(job.attempts == 0 && job.state == .waiting(.slot(ahead: 0)))
  }

  @Test(arguments: [0, 1, 2, 3, 4])
  func `Pauses double up to the longest`(_ failures: Int) {
    let policy = JobRetryPolicy(limit: 4, first: .seconds(1), longest: .seconds(3))
    let pauses: [Duration?] = [.seconds(1), .seconds(1), .seconds(2), .seconds(3), nil]
    #expect(policy.pause(after: failures) == pauses[failures])
  }

  @Test(arguments: ["", "a/b", "..", "ä", String(repeating: "a", count: 65)])
  func `Names that could be paths are no names of jobs`(_ text: String) {
    #expect(JobID(text) == nil)
  }

  @Test func `A job that waits for an editor checks again within a minute`() throws {
    let now = Date(timeIntervalSince1970: 1_000)
    var job = Job(
      id: try #require(JobID("a")), kind: "k", subject: "s", title: "A", parameters: Data(),
      created: now, position: 0)
    job.updated = now
    job.state = .waiting(.editing(map: "Maine", by: "process 7"))
    #expect(!job.isReady(at: now.addingTimeInterval(30), .standard))
    #expect(job.isReady(at: now.addingTimeInterval(60), .standard))
    #expect(job.nextLook(.standard) == now.addingTimeInterval(60))
  }

  @Test(arguments: [
    (JobError.unknown("maine"), ["\"maine\""]),
    (.notPossible(job: "maine", action: "paused", state: "done"), ["maine", "paused", "done"]),
    (.journal(file: "a.sqlite", reason: "no"), ["a.sqlite", "no"]),
    (.busyJournal(file: "a.sqlite", by: "process 7"), ["a.sqlite", "process 7"]),
    (.busyJournal(file: "a.sqlite", by: nil), ["a.sqlite", "another process"]),
  ])
  func `An error of the list of jobs says what it is about, and what helps`(
    _ error: JobError, _ words: [String]
  ) {
    let sentence = error.errorDescription ?? ""
    #expect(words.allSatisfy(sentence.contains) && sentence.hasSuffix("."), "\(sentence)")
    // An action that is not possible now has no other way.
    let hasAdvice = if case .notPossible = error { false } else { true }
    #expect((error.recoverySuggestion != nil) == hasAdvice)
  }

  @Test func `Items left out on purpose are not counted as failed`() throws {
    var job = Job(
      id: try #require(JobID("a")), kind: "k", subject: "s", title: "A", parameters: Data(),
      created: Date(timeIntervalSince1970: 0), position: 0)
    job.state = .running
    let left = JobFailure(message: "It was left out.", kind: .excluded)
    let items = [("Roads", Self.failure), ("Labels", left), ("Towns", Self.failure)]
      .map { JobFailedItem(name: $0.0, attempts: 1, failure: $0.1) }
    let (result, now) = (
      Result<JobOutcome, JobInterruption>.success(JobOutcome(failedItems: items)),
      Date(timeIntervalSince1970: 9)
    )
    job.apply(result, at: now, .standard)
    #expect(job.state == .succeededInPart)
    #expect(job.message(after: result, at: now)?.text == "Done, but for 2 that failed.")
  }
}
