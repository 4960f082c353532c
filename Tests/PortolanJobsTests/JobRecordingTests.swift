import Foundation
import Testing

@testable import PortolanJobs

/// The visible state of a job, and its record in the journal.
@Suite(.timeLimit(.minutes(5))) struct JobRecordingTests {
  private let bed = QueueBed()

  @Test func `A state shows only once it is in the journal`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    try await bed.running(queue) {
      await bed.runner.started("a")
      await bed.journal.hold()
      await bed.runner.finish("a", with: .success(JobOutcome()))
      await bed.journal.writing()
      #expect(try await queue.job(id).state == .running)
      await bed.journal.release()
      _ = try await bed.wait(for: id, in: queue) { $0 == .succeeded }
    }
  }

  @Test func `An end that cannot be recorded shows as failed, keeps the files, and can be resumed`()
    async throws
  {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    try await bed.running(queue) {
      await bed.runner.started("a")
      await bed.journal.refuse()
      await bed.runner.finish("a", with: .success(JobOutcome()))
      let job = try await bed.wait(for: id, in: queue) { $0.isDeviceFailure }
      guard case .failed(let failure) = job.state else { return }
      #expect(failure.message.contains("no space is left") && failure.advice != nil)
      #expect(await bed.journal.job(id)?.state == .running)
      #expect(await bed.runner.discarded.isEmpty)
      await bed.journal.refuse(false)
      try await queue.resume(id)
      await bed.runner.finish("a", with: .success(JobOutcome()))
      _ = try await bed.wait(for: id, in: queue) { $0 == .succeeded }
    }
  }

  @Test func `A cancellation that cannot be recorded is done by the next process`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    try await bed.running(queue) {
      await bed.runner.started("a")
      await bed.journal.refuse()
      try await queue.cancel(id)
      _ = try await bed.wait(for: id, in: queue) { $0.isDeviceFailure }
    }
    await bed.journal.refuse(false)
    let next = bed.queue()
    try await next.restore()
    try await bed.running(next) {
      _ = try await bed.wait(for: id, in: next) { $0 == .cancelled }
    }
    #expect(await bed.runner.discarded.last == "a")
  }

  @Test func `A cancelled job whose files cannot be removed keeps its checkpoint`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    let failure = JobFailure(message: "The folder cannot be removed.", kind: .device)
    await bed.runner.failDiscarding(failure)
    try await bed.running(queue) {
      await bed.runner.started("a")
      try await bed.runner.keep("a", Data("half".utf8))
      try await queue.cancel(id)
      let job = try await bed.wait(for: id, in: queue) { $0 == .failed(failure) }
      // By it is known what is still to be removed.
      #expect(job.checkpoint == Data("half".utf8))
      await bed.runner.failDiscarding(nil)
      try await queue.cancel(id)
      _ = try await bed.wait(for: id, in: queue) { $0 == .cancelled }
    }
    #expect(await bed.journal.job(id)?.checkpoint == nil)
  }

  @Test func `Progress that cannot be written is not shown, and the work continues`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    try await bed.running(queue) {
      await bed.runner.started("a")
      await bed.journal.refuse()
      await bed.runner.report("a", JobProgress(bytes: 7))
      let job = try await queue.job(id)
      #expect(job.progress.bytes == 0 && job.state == .running)
      await bed.journal.refuse(false)
      await bed.runner.report("a", JobProgress(bytes: 8))
      #expect(try await queue.job(id).progress.bytes == 8)
    }
  }

  @Test func `A pause that comes while progress is being written is not lost`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    try await bed.running(queue) {
      await bed.runner.started("a")
      await bed.journal.hold()
      async let report: Void = bed.runner.report("a", JobProgress(bytes: 7))
      await bed.journal.writing()
      async let pause: Void = queue.pause(id)
      while await bed.journal.requests().isEmpty { await Task.yield() }
      await bed.journal.release()
      await report
      try await pause
      let job = try await bed.wait(for: id, in: queue) { $0 == .paused }
      #expect(job.progress.bytes == 7)
    }
    #expect(await bed.journal.job(id)?.state == .paused)
    #expect(await bed.journal.requests().isEmpty)
  }

  @Test func `Changes that wait to be written are written in their order`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    try await bed.running(queue) {
      await bed.runner.started("a")
      await bed.journal.hold()
      async let first: Void = bed.runner.keep("a", Data("1".utf8))
      await bed.journal.writing()
      async let second: Void = bed.runner.keep("a", Data("2".utf8))
      while await queue.writers[id]?.count != 1 { await Task.yield() }
      async let third: Void = bed.runner.keep("a", Data("3".utf8))
      while await queue.writers[id]?.count != 2 { await Task.yield() }
      await bed.journal.release()
      try await first
      try await second
      try await third
      #expect(try await queue.job(id).checkpoint == Data("3".utf8))
    }
  }

  @Test func `What changes while the journal is read does not show as it was before`() async throws
  {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    await bed.journal.holdList()
    async let refresh: Void = queue.refresh()
    await bed.journal.listed()
    try await queue.cancel(id)
    await bed.journal.releaseList()
    try await refresh
    #expect(try await queue.job(id).state == .cancelled)
  }

  @Test func `Resuming a job whose run has just ended is not lost`() async throws {
    let queue = bed.queue(isShared: false)
    let id = try await bed.submit("a", to: queue)
    let refusal = JobFailure(message: "No.", kind: .refused)
    try await bed.running(queue) {
      await bed.runner.finish("a", with: .failure(.failed(refusal)))
      _ = try await bed.wait(for: id, in: queue) { $0 == .failed(refusal) }
    }
    let request = await bed.journal.post(.run, to: id)
    await queue.follow(request)
    #expect(try await queue.job(id).state == .waiting(.slot(ahead: 0)))
    #expect(await bed.journal.requests().isEmpty)
  }

  @Test func `The state of a job when the queue was stopped is in the journal`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    try await bed.running(queue) { await bed.runner.started("a") }
    #expect(await bed.journal.job(id)?.state == .waiting(.slot(ahead: 0)))
  }

  @Test func `The log says how each run has ended`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("a", to: queue)
    let refusal = JobFailure(
      message: "The server refused.", advice: "Ask its owner.", kind: .refused)
    try await bed.running(queue) {
      await bed.runner.finish("a", with: .failure(.waiting(.network)))
      _ = try await bed.wait(for: id, in: queue) { $0 == .waiting(.network) }
      await queue.conditionsHaveChanged(.network)
      await bed.runner.finish("a", with: .failure(.failed(refusal)))
      _ = try await bed.wait(for: id, in: queue) { $0 == .failed(refusal) }
    }
    let log = await bed.journal.messages(of: id)
    #expect(
      log.map(\.text) == [
        "Started.", "Stopped: there is no network.", "Started.",
        "The server refused. Ask its owner.",
      ])
    #expect(log.map(\.severity) == [.info, .warning, .info, .error])
  }
}
