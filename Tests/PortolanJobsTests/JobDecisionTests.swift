import Foundation
import Testing

@testable import PortolanJobs

/// The decisions on a job, by its record alone.
@Suite struct JobDecisionTests {
  private static let asked = Date(timeIntervalSince1970: 1_000)
  private static let said = Date(timeIntervalSince1970: 2_000)
  private static let slot = JobState.waiting(.slot(ahead: 0))
  private static let failure = JobFailure(message: "It is gone.", kind: .absent)

  private func job(
    _ state: JobState, intent: JobIntent = .run, kind: String = "k", subject: String = "s"
  ) throws -> Job {
    var job = Job(
      id: try #require(JobID("a")), kind: kind, subject: subject, title: "A", parameters: Data(),
      created: Self.asked, position: 0)
    (job.state, job.intent, job.attempts) = (state, intent, 3)
    job.checkpoint = Data("half".utf8)
    return job
  }

  // MARK: - What people want

  /// The state of a job, and its states when it is to pause, to run and to end; `nil` where nothing
  /// changes.
  @Test(
    arguments: [
      (slot, [.paused, nil, .cancelling]), (.waiting(.network), [.paused, slot, .cancelling]),
      (.running, [.paused, nil, .cancelling]), (.paused, [.paused, slot, .cancelling]),
      (.cancelling, [nil, nil, nil]), (.cancelled, [nil, nil, nil]), (.succeeded, [nil, nil, nil]),
      (.succeededInPart, [nil, nil, .cancelling]), (.failed(failure), [nil, slot, .cancelling]),
    ] as [(JobState, [JobState?])])
  func `What people want is done as far as the state allows, and else nothing changes`(
    _ state: JobState, _ states: [JobState?]
  ) throws {
    for (intent, after) in zip([JobIntent.pause, .run, .cancel], states) {
      var job = try job(state)
      var expected = job
      job.follow(intent, at: Self.said)
      if let after {
        (expected.state, expected.intent, expected.updated) = (after, intent, Self.said)
        if intent == .run { expected.attempts = 0 }
      }
      #expect(job == expected, "\(state.word), \(intent)")
    }
  }

  @Test func `A job that is worked on stops by what is wanted of it`() throws {
    var job = try job(.running)
    job.follow(.pause, at: Self.said, isWorkedOn: true)
    #expect(job.state == .running && job.intent == .pause && job.attempts == 3)
    job.follow(.run, at: Self.said, isWorkedOn: true)
    #expect(job.state == .running && job.intent == .run && job.attempts == 0)
    job.follow(.cancel, at: Self.said, isWorkedOn: true)
    #expect(job.state == .cancelling && job.intent == .cancel)
    for late in [JobIntent.pause, .run, .cancel] {
      job.follow(late, at: Self.said + 1, isWorkedOn: true)
      #expect(job.state == .cancelling && job.intent == .cancel && job.updated == Self.said)
    }
  }

  @Test func `A request for a job finds one that does the same and is to continue`() throws {
    let asked = try job(Self.slot)
    for state in [Self.slot, .waiting(.network), .running, .paused] {
      #expect(try job(state).covers(asked, despite: []), "\(state.word)")
      #expect(try job(state, intent: .pause).covers(asked, despite: []), "\(state.word)")
      #expect(try !job(state, intent: .cancel).covers(asked, despite: []), "\(state.word)")
    }
    let others: [JobState] = [
      .cancelling, .cancelled, .succeeded, .succeededInPart, .failed(Self.failure),
    ]
    for state in others {
      #expect(try !job(state).covers(asked, despite: []), "\(state.word)")
    }
    #expect(try !job(.running, kind: "other").covers(asked, despite: []))
    #expect(try !job(.running, subject: "other").covers(asked, despite: []))
    let running = try job(.running)
    let other = try #require(JobID("b"))
    for (id, intent, isFound) in [
      (running.id, JobIntent.cancel, false), (running.id, .pause, true), (other, .cancel, true),
    ] {
      let request = JobRequest(number: 1, job: id, intent: intent)
      #expect(running.covers(asked, despite: [request]) == isFound, "\(id.text), \(intent)")
    }
  }

  // MARK: - How runs end

  /// The number of earlier failures of a job, the pause that the server asks for, and the seconds
  /// after which it is tried again; `nil` for never.
  @Test(
    arguments: [
      (0, nil, 2), (0, 1, 2), (0, 60, 60), (3, nil, 16), (3, 20, 20), (4, nil, nil), (4, 60, nil),
    ] as [(Int, Double?, Double?)])
  func `A transient failure is retried after its pause, or the longer one that a server requests`(
    _ attempts: Int, _ retryAfter: Double?, _ pause: Double?
  ) throws {
    let busy = JobFailure(message: "It is busy.", kind: .transient, retryAfter: retryAfter)
    var job = try job(.running)
    job.attempts = attempts
    var expected = job
    job.apply(.failure(.failed(busy)), at: Self.said, .standard)
    expected.attempts = attempts + 1
    let retry = pause.map { JobWait.retry(at: Self.said + $0, attempt: attempts + 2) }
    expected.state = retry.map(JobState.waiting) ?? .failed(busy)
    #expect(job == expected)
  }

  @Test(arguments: JobFailureKind.allCases)
  func `Only what passes is tried again by itself`(_ kind: JobFailureKind) throws {
    let failure = JobFailure(message: "No.", kind: kind, retryAfter: 5)
    var job = try job(.running)
    job.attempts = 0
    job.apply(.failure(.failed(failure)), at: Self.said, .standard)
    #expect((job.state == .failed(failure)) == (kind != .transient))
    #expect(job.attempts == 1 && job.checkpoint == Data("half".utf8))
  }

  @Test func `A run that was stopped, or waits, leaves the job as it was`() throws {
    for (interruption, state) in [
      (JobInterruption.stopped, Self.slot), (.waiting(.network), .waiting(.network)),
      (.waiting(.space(missing: 7)), .waiting(.space(missing: 7))),
    ] {
      var job = try job(.running)
      var expected = job
      job.apply(.failure(interruption), at: Self.said, .standard)
      expected.state = state
      #expect(job == expected)
    }
  }

  @Test func `Missing items and the summary of a job are kept after it ended`() throws {
    let left = JobFailure(message: "It is not brought.", kind: .excluded)
    let excluded = JobFailedItem(name: "labels", attempts: 1, failure: left)
    let failed = JobFailedItem(name: "tile", attempts: 2, failure: Self.failure)
    for (items, state) in [
      ([], JobState.succeeded), ([excluded], .succeeded), ([excluded, failed], .succeededInPart),
    ] as [([JobFailedItem], JobState)] {
      var job = try job(.running, intent: .pause)
      var expected = job
      let outcome = JobOutcome(failedItems: items, summary: Data("sum".utf8))
      job.apply(.success(outcome), at: Self.said, .standard)
      (expected.state, expected.intent, expected.attempts) = (state, .run, 0)
      (expected.failedItems, expected.checkpoint) = (items, Data("sum".utf8))
      #expect(job == expected)
    }
  }

  @Test func `The log says of each end what it means`() throws {
    let now = Self.said
    let busy = JobFailure(message: "It is busy.", kind: .transient)
    let advised = JobFailure(message: "No.", advice: "Ask its owner.", kind: .refused)
    let ends: [(JobState, JobInterruption, JobMessage.Severity, String?)] = [
      (.succeeded, .stopped, .info, "Done."), (.paused, .stopped, .info, "Paused."),
      (.waiting(.network), .stopped, .warning, "Stopped: there is no network."),
      (.waiting(.signIn(host: "h")), .stopped, .warning, "Stopped: h asks for a sign-in."),
      (
        .waiting(.space(missing: 7)), .stopped, .warning,
        "Stopped: there is not enough free space (it needs 7 bytes more)."
      ),
      (
        .waiting(.editing(map: "m", by: nil)), .stopped, .warning,
        "Stopped until \"m\" is no longer edited."
      ),
      (
        .waiting(.editing(map: "m", by: "process 7")), .stopped, .warning,
        "Stopped until \"m\" is no longer edited by process 7."
      ),
      (
        .waiting(.retry(at: now + 4, attempt: 2)), .failed(busy), .warning,
        "It is busy. Trying again in 4 seconds."
      ),
      (
        .waiting(.retry(at: now + 1, attempt: 2)), .failed(busy), .warning,
        "It is busy. Trying again in 1 second."
      ),
      (.failed(advised), .failed(advised), .error, "No. Ask its owner."),
      (.failed(Self.failure), .failed(Self.failure), .error, "It is gone."),
      (Self.slot, .stopped, .info, "Stopped; it continues with the next run."),
      (.cancelling, .stopped, .info, nil),
    ]
    for (state, interruption, severity, text) in ends {
      let message = try job(state).message(after: .failure(interruption), at: now)
      let expected = text.map { JobMessage(time: now, severity: severity, text: $0) }
      #expect(message == expected, "\(state.word)")
    }
  }

  // MARK: - When it looks again

  @Test(arguments: [30, 600, nil] as [Int?])
  func `A job looks again by itself at its moment, and not a second before`(
    _ recheck: Int?
  ) throws {
    let policy = JobRetryPolicy(
      limit: 3, first: .seconds(1), longest: .seconds(1),
      recheck: recheck.map { Duration.seconds($0) })
    let looks: [(JobWait, Int?)] = [
      (.network, recheck), (.space(missing: 1), recheck),
      (.editing(map: "m", by: nil), recheck.map { min($0, 60) }),
      (.retry(at: Self.asked + 7, attempt: 2), 7), (.signIn(host: "h"), nil),
    ]
    for (wait, seconds) in looks {
      let job = try job(.waiting(wait))
      let moment = seconds.map { Self.asked + Double($0) }
      #expect(job.nextLook(policy) == moment, "\(wait)")
      #expect(!job.isReady(at: (moment ?? Self.asked + 1e9) - 1, policy), "\(wait)")
      if let moment { #expect(job.isReady(at: moment, policy), "\(wait)") }
    }
    let ready = try job(Self.slot)
    #expect(ready.isReady(at: Self.asked, policy) && ready.nextLook(policy) == nil)
    for state in [JobState.running, .paused, .cancelling, .succeeded, .failed(Self.failure)] {
      #expect(try !job(state).isReady(at: Self.said, policy), "\(state.word)")
      #expect(try job(state).nextLook(policy) == nil, "\(state.word)")
    }
  }

  // MARK: - Figures

  @Test func `A report takes nothing back of what was reported before`() {
    let known = JobProgress(
      bytes: 60, totalBytes: 100, isTotalExact: true, items: 3, totalItems: 9, isVerified: true)
    #expect(known.advanced(to: JobProgress()) == known)
    let smaller = JobProgress(bytes: 10, totalBytes: 50, items: 1, totalItems: 2)
    #expect(known.advanced(to: smaller) == known)
    let larger = JobProgress(
      bytes: 70, totalBytes: 120, isTotalExact: true, items: 4, totalItems: 10, isVerified: true)
    #expect(known.advanced(to: larger) == larger && JobProgress().advanced(to: larger) == larger)
    #expect(smaller.advanced(to: larger) == larger)
  }

  @Test(
    arguments: [(0, 0, nil), (0, 10, 0), (5, 10, 0.5), (10, 10, 0.99), (99, 10, 0.99)]
      as [(Int, Int, Double?)])
  func `A whole of no bytes has no fraction, and more than all is not more than nearly all`(
    _ bytes: Int, _ total: Int, _ fraction: Double?
  ) {
    let progress = JobProgress(bytes: bytes, totalBytes: total, isTotalExact: true)
    #expect(progress.fraction == fraction)
  }

  @Test func `An entry of an older ledger is read, and says its name once`() throws {
    let json = #"{"name":"tile","attempts":2,"failure":{"message":"tile: Gone.","kind":"absent"}}"#
    var item = try JSONDecoder().decode(JobFailedItem.self, from: Data(json.utf8))
    let failure = JobFailure(message: "tile: Gone.", kind: .absent)
    #expect(item == JobFailedItem(name: "tile", attempts: 2, failure: failure))
    #expect(item.reason == "Gone." && item.sentence == "tile: Gone." && item.isFailure)
    item.failure = JobFailure(message: "No.", kind: .excluded)
    #expect(item.reason == "No." && item.sentence == "tile: No." && !item.isFailure)
  }

  // MARK: - Messages to servers

  private static let refusal = JobInterruption.failed(
    JobFailure(message: "Not permitted.", kind: .signIn))

  /// A message that a server has refused so often.
  private func message(refused count: Int) throws -> OutboxMessage {
    let portal = try #require(URL(string: "https://portal.example"))
    var message = OutboxMessage(
      id: try #require(OutboxMessage.ID("a")), purpose: "Say it.", portal: portal,
      address: portal, fields: [:], created: Self.asked)
    for _ in 0..<count { message = message.afterFailing(Self.refusal, at: Self.asked, .outbox) }
    return message
  }

  @Test func `Ten refusals in a month are a server's last word, and nothing less is`() throws {
    let month = Self.asked + 30 * 86_400
    let message = try message(refused: 10)
    #expect(message.isInVain(after: Self.refusal, at: month))
    #expect(!message.isInVain(after: Self.refusal, at: month - 1))
    #expect(try !self.message(refused: 9).isInVain(after: Self.refusal, at: month))
    for kind in JobFailureKind.allCases {
      let failure = JobInterruption.failed(JobFailure(message: "No.", kind: kind))
      let isRefusal = kind == .signIn || kind == .refused
      #expect(message.isInVain(after: failure, at: month) == isRefusal, "\(kind)")
    }
    for interruption in [JobInterruption.stopped, .waiting(.network)] {
      #expect(!message.isInVain(after: interruption, at: month))
    }
  }

  @Test func `A message is tried again later each time, at last every six hours`() throws {
    for (count, seconds) in [(1, 30.0), (2, 60), (10, 15_360), (11, 21_600), (90, 21_600)] {
      let late = try message(refused: count)
      #expect(late.attempts == count && late.notBefore == Self.asked + seconds, "\(count)")
    }
    let first = try message(refused: 1)
    #expect(first.afterFailing(.stopped, at: Self.said, .outbox) == first)
    let waiting = first.afterFailing(.waiting(.network), at: Self.said, .outbox)
    #expect(waiting.attempts == 1 && waiting.notBefore == Self.said + 300)
    let policy = JobRetryPolicy(limit: 1, first: .seconds(1), longest: .seconds(9))
    #expect(first.afterFailing(.waiting(.network), at: Self.said, policy).notBefore == nil)
    let last = first.afterFailing(Self.refusal, at: Self.said, policy)
    #expect(last.attempts == 2 && last.notBefore == Self.said + 9)
    for (asked, kept) in [(5.0, 60.0), (600, 600)] {
      let busy = JobFailure(message: "Busy.", kind: .transient, retryAfter: asked)
      let late = first.afterFailing(.failed(busy), at: Self.said, .outbox)
      #expect(late.notBefore == Self.said + kept)
    }
  }
}
