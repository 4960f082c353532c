import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanJobs

/// The start of jobs, the reasons that keep them from it, and the events that let them look again.
@Suite(.timeLimit(.minutes(5))) struct JobStartTests {
  private let bed = QueueBed()
  private static let busy = JobFailure(message: "The server is busy.", kind: .transient)

  @Test func `A job that cannot be claimed for a moment is tried again`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    bed.claims.fail(claims: 1)
    try await bed.running(queue) {
      let now = bed.clock.date
      let job = try await bed.wait(for: id, in: queue) { $0.isRetry }
      #expect(job.state == .waiting(.retry(at: now.addingTimeInterval(2), attempt: 2)))
      #expect(job.attempts == 0, "it has not failed, since it has not run")
      await bed.runner.finish("a", with: .success(JobOutcome()))
      _ = try await bed.waitOnClock(for: id, in: queue) { $0 == .succeeded }
    }
  }

  @Test
  func `A job that can never be claimed fails with the reason, and nothing waits forever`()
    async throws
  {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    bed.claims.fail(claims: .max)
    try await bed.running(queue) {
      let job = try await bed.waitOnClock(for: id, in: queue) { $0.isDeviceFailure }
      guard case .failed(let failure) = job.state else { return }
      #expect(
        failure.message
          == "The job cannot be started. jobs.lock cannot be used: too many open files.")
      #expect(failure.advice == FaultyClaims.error.recoverySuggestion)
      bed.claims.fail()
      try await queue.resume(id)
      await bed.runner.finish("a", with: .success(JobOutcome()))
      _ = try await bed.wait(for: id, in: queue) { $0 == .succeeded }
    }
  }

  @Test func `Moments in which a job cannot be claimed do not add up over its runs`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    bed.claims.fail(claims: 3)
    try await bed.running(queue) {
      await bed.runner.finish("a", with: .failure(.failed(Self.busy)))
      while try await queue.job(id).attempts == 0 { try await bed.clock.wakeNext() }
      bed.claims.fail(claims: 3)
      await bed.runner.finish("a", with: .success(JobOutcome()))
      let job = try await bed.waitOnClock(for: id, in: queue, \.isFinal)
      #expect(job.state == .succeeded)
    }
    #expect(await bed.runner.startCount == 2)
  }

  @Test func `A job whose beginning cannot be recorded is not begun`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    await bed.journal.refuse()
    try await bed.running(queue) {
      _ = try await bed.wait(for: id, in: queue) { $0.isRetry }
      #expect(await bed.runner.startCount == 0)
      await bed.journal.refuse(false)
      await bed.runner.finish("a", with: .success(JobOutcome()))
      _ = try await bed.waitOnClock(for: id, in: queue) { $0 == .succeeded }
    }
  }

  @Test func `A job that another queue finished between reading and claiming does not run again`()
    async throws
  {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    await bed.journal.freezeList()
    var over = try await queue.job(id)
    over.state = .succeeded
    try await bed.journal.record(over)
    try await bed.running(queue) {
      _ = try await bed.wait(for: id, in: queue) { $0 == .succeeded }
    }
    #expect(await bed.runner.startCount == 0)
  }

  @Test func `A job that another queue has put off between reading and claiming does not run yet`()
    async throws
  {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    await bed.journal.freezeList()
    var later = try await queue.job(id)
    later.state = .waiting(.retry(at: bed.clock.date.addingTimeInterval(60), attempt: 2))
    try await bed.journal.record(later)
    try await bed.running(queue) {
      let job = try await bed.wait(for: id, in: queue) { $0.isRetry || $0 == .running }
      #expect(job.state == later.state)
    }
    #expect(await bed.runner.startCount == 0)
  }

  @Test func `A job requested while another process runs it is continued here when that one dies`()
    async throws
  {
    let (dead, survivor) = (ScriptedRunner(), ScriptedRunner())
    let first = bed.queue(dead)
    let id = try await bed.submit("a", to: first)
    let work = Task { await first.run() }
    await dead.started("a")
    // It learns of the job by asking for it, and hears nothing more of it.
    let second = bed.queue(survivor)
    #expect(try await bed.submit("a", to: second) == id)
    await bed.journal.refuse()
    work.cancel()
    await work.value
    await bed.journal.refuse(false)
    #expect(await bed.journal.job(id)?.state == .running)
    await survivor.finish("a", with: .success(JobOutcome()))
    try await bed.running(second) {
      _ = try await bed.waitOnClock(for: id, in: second) { $0 == .succeeded }
    }
  }

  @Test func `A job seen running elsewhere is continued here when that process dies`()
    async throws
  {
    let (dead, survivor) = (ScriptedRunner(), ScriptedRunner())
    let first = bed.queue(dead)
    let id = try await bed.submit("a", to: first)
    let work = Task { await first.run() }
    await dead.started("a")
    let second = bed.queue(survivor)
    await survivor.finish("a", with: .success(JobOutcome()))
    try await bed.running(second) {
      _ = try await bed.waitOnClock(for: id, in: second) { $0 == .running }
      // Nothing is written when it dies, so that the journal says nothing new.
      await bed.journal.refuse()
      work.cancel()
      await work.value
      await bed.journal.refuse(false)
      _ = try await bed.waitOnClock(for: id, in: second) { $0 == .succeeded }
    }
  }

  @Test func `A job whose worker was briefly unknown is checked again`()
    async throws
  {
    let first = bed.queue()
    let id = try await bed.submit("a", to: first)
    let work = Task { await first.run() }
    await bed.runner.started("a")
    let survivor = ScriptedRunner()
    let second = bed.queue(survivor)
    bed.claims.fail(looks: 1)
    await #expect(throws: FaultyClaims.error) { try await second.restore() }
    await bed.journal.refuse()
    work.cancel()
    await work.value
    await bed.journal.refuse(false)
    await survivor.finish("a", with: .success(JobOutcome()))
    try await bed.running(second) {
      _ = try await bed.waitOnClock(for: id, in: second) { $0 == .succeeded }
    }
  }

  @Test func `Of two kinds of jobs on one subject, one runs at a time`() async throws {
    let queue = bed.queue(isShared: false)
    let download = try await bed.submit("a", to: queue)
    let sync = try await bed.submit("a", kind: "other", to: queue)
    #expect(download != sync)
    try await bed.running(queue) {
      await bed.runner.started("a")
      _ = try await bed.submit("b", to: queue)
      await bed.runner.started("b")
      #expect(try await queue.job(sync).state == .waiting(.slot(ahead: 1)))
      await bed.runner.finish("a", with: .success(JobOutcome()))
      await bed.runner.started("a", times: 2)
    }
  }

  @Test func `Jobs that take turns run one after the other, beside others`() async throws {
    let queue = bed.queue(isShared: false)
    _ = try await bed.submit("a", kind: "in turn", to: queue)
    let next = try await bed.submit("b", kind: "in turn", to: queue)
    try await bed.running(queue) {
      await bed.runner.started("a")
      _ = try await bed.submit("c", to: queue)
      await bed.runner.started("c")
      await bed.runner.finish("c", with: .success(JobOutcome()))
      #expect(try await queue.job(next).state.isFinal == false)
      #expect(await bed.runner.startCount == 2)
      // A job that waits for a network keeps no other from its turn.
      await bed.runner.finish("a", with: .failure(.waiting(.network)))
      await bed.runner.started("b")
    }
  }

  @Test(arguments: [
    (JobCondition.network, [true, false, false, false, true]),
    (.signIn, [false, true, false, false, false]), (.space, [false, false, true, false, false]),
    (.editing, [false, false, false, true, false]),
  ])
  func `What has changed wakes those that wait for it, and a network also those in a pause`(
    _ condition: JobCondition, _ woken: [Bool]
  ) async throws {
    let queue = bed.queue()
    let waits: [JobInterruption] = [
      .waiting(.network), .waiting(.signIn(host: "h")), .waiting(.space(missing: 1)),
      .waiting(.editing(map: "m", by: nil)), .failed(Self.busy),
    ]
    try await bed.running(queue) {
      for (number, interruption) in waits.enumerated() {
        let id = try await bed.submit("\(number)", to: queue)
        await bed.runner.finish("\(number)", with: .failure(interruption))
        _ = try await bed.wait(for: id, in: queue) { state in
          if case .waiting(.slot) = state { return false }
          return state != .running
        }
      }
      await queue.conditionsHaveChanged(condition)
      let states = await queue.jobs.map { job in
        switch job.state {
        case .waiting(.slot), .running: true
        default: false
        }
      }
      #expect(states == woken)
    }
  }

  @Test func `A pause that a server asked for is not ended by a network`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    var busy = Self.busy
    busy.retryAfter = 3_600
    try await bed.running(queue) {
      await bed.runner.finish("a", with: .failure(.failed(busy)))
      let job = try await bed.wait(for: id, in: queue) { $0.isRetry }
      await queue.conditionsHaveChanged(.network)
      #expect(try await queue.job(id).state == job.state)
    }
  }

  @Test(arguments: [JobWait.network, .space(missing: 1)])
  func `Waiting work checks again by itself after some minutes`(_ wait: JobWait) async throws {
    let queue = bed.queue(isShared: false)
    let id = try await bed.submit("a", to: queue)
    try await bed.running(queue) {
      await bed.runner.finish("a", with: .failure(.waiting(wait)))
      _ = try await bed.wait(for: id, in: queue) { $0 == .waiting(wait) }
      await bed.runner.finish("a", with: .success(JobOutcome()))
      await bed.clock.wake(after: .seconds(300))
      _ = try await bed.wait(for: id, in: queue) { $0 == .succeeded }
    }
  }

  @Test func `What is to be tried soon does not wait for what looks again later`() async throws {
    let queue = bed.queue(isShared: false)
    let late = try await bed.submit("a", to: queue)
    try await bed.running(queue) {
      await bed.runner.finish("a", with: .failure(.waiting(.network)))
      _ = try await bed.wait(for: late, in: queue) { $0 == .waiting(.network) }
      await bed.clock.sleepers(1)
      let soon = try await bed.submit("b", to: queue)
      await bed.runner.finish("b", with: .failure(.failed(Self.busy)))
      _ = try await bed.wait(for: soon, in: queue) { $0.isRetry }
      await bed.clock.sleepers(2)
      await bed.runner.finish("b", with: .success(JobOutcome()))
      bed.clock.advance(by: .seconds(2))
      _ = try await bed.wait(for: soon, in: queue) { $0 == .succeeded }
      #expect(try await queue.job(late).state == .waiting(.network))
    }
    #expect(await bed.runner.startCount == 3)
  }

  @Test(arguments: JobFailureKind.allCases)
  func `Retrying what failed continues that job`(
    _ kind: JobFailureKind
  ) async throws {
    let queue = bed.queue(isShared: false)
    let id = try await bed.submit("a", to: queue)
    let failure = JobFailure(message: "No.", kind: kind)
    try await bed.running(queue) {
      for _ in 1...4 where kind == .transient {
        await bed.runner.finish("a", with: .failure(.failed(failure)))
        _ = try await bed.wait(for: id, in: queue) { $0.isRetry }
        await queue.conditionsHaveChanged(.network)
      }
      await bed.runner.finish("a", with: .failure(.failed(failure)))
      _ = try await bed.wait(for: id, in: queue) { $0 == .failed(failure) }
      let again = try await queue.submit(
        kind: "test", subject: "a", title: "a", parameters: Data())
      #expect(again.job.id == id && again.isNew)
      await bed.runner.finish("a", with: .success(JobOutcome()))
      _ = try await bed.wait(for: id, in: queue) { $0 == .succeeded }
    }
    #expect(await queue.jobs.count == 1)
  }

  @Test func `Asking otherwise for what has failed makes a job of its own`() async throws {
    let queue = bed.queue(isShared: false)
    let id = try await bed.submit("a", to: queue)
    let failure = JobFailure(message: "No.", kind: .refused)
    try await bed.running(queue) {
      await bed.runner.finish("a", with: .failure(.failed(failure)))
      _ = try await bed.wait(for: id, in: queue) { $0 == .failed(failure) }
    }
    let other = try await queue.submit(
      kind: "test", subject: "a", title: "a", parameters: Data([1]))
    #expect(other.job.id != id)
  }
}
