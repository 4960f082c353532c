import Foundation
import PortolanTestSupport

@testable import PortolanJobs

/// A queue over a journal and claims that fail on demand, for tests.
struct QueueBed {
  let clock = ManualClock()
  let journal = FaultyJournal()
  let claims = FaultyClaims()
  let runner = ScriptedRunner()

  func queue(_ runner: ScriptedRunner? = nil, isShared: Bool = true) -> JobQueue {
    JobQueue(
      journal: journal, runner: runner ?? self.runner, claims: isShared ? claims : nil,
      environment: JobEnvironment(
        clock: clock, now: { [clock] in clock.date }, makeID: { JobID(UUID()) }))
  }

  func submit(
    _ subject: String, kind: String = "test", to queue: JobQueue
  ) async throws -> JobID {
    try await queue.submit(kind: kind, subject: subject, title: subject, parameters: Data()).job.id
  }

  /// Runs the queue while `body` asks it for things.
  func running(_ queue: JobQueue, _ body: () async throws -> Void) async throws {
    let work = Task { await queue.run() }
    do { try await body() } catch {
      work.cancel()
      throw error
    }
    work.cancel()
    await work.value
  }

  /// Waits until a job is in a state that `test` knows.
  func wait(
    for id: JobID, in queue: JobQueue, _ test: (JobState) -> Bool
  ) async throws -> Job {
    for await jobs in await queue.updates() {
      if let job = jobs.first(where: { $0.id == id }), test(job.state) { return job }
    }
    throw CancellationError()
  }

  /// Waits for the same while time goes on.
  func waitOnClock(
    for id: JobID, in queue: JobQueue, _ test: (JobState) -> Bool
  ) async throws -> Job {
    while true {
      if let job = await queue.jobs.first(where: { $0.id == id }), test(job.state) { return job }
      try Task.checkCancellation()
      try await clock.wakeNext()
    }
  }
}

extension JobState {
  /// Whether it has failed for a reason of this device.
  var isDeviceFailure: Bool {
    if case .failed(let failure) = self { failure.kind == .device } else { false }
  }

  /// Whether it waits to be tried again.
  var isRetry: Bool {
    if case .waiting(.retry) = self { true } else { false }
  }
}
