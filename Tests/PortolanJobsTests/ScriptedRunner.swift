import Foundation

@testable import PortolanJobs

/// Does what a test tells it.
actor ScriptedRunner: JobRunner {
  private var starts: [String: Int] = [:]
  private(set) var discarded: [String] = []

  /// The number of runs of all jobs.
  var startCount: Int { starts.values.reduce(0, +) }

  private var reporters: [String: JobReporter] = [:]
  private var waiting: [String: CheckedContinuation<Result<JobOutcome, JobInterruption>, Never>] =
    [:]
  private var results: [String: Result<JobOutcome, JobInterruption>] = [:]
  private var watchers: [(String, Int, CheckedContinuation<Void, Never>)] = []

  func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome {
    let name = job.subject
    let number = starts[name, default: 0] + 1
    starts[name] = number
    reporters[name] = reporter
    let due = watchers.filter { starts[$0.0, default: 0] >= $0.1 }
    watchers.removeAll { starts[$0.0, default: 0] >= $0.1 }
    for watcher in due { watcher.2.resume() }
    let result = await withTaskCancellationHandler {
      await outcome(of: name)
    } onCancel: {
      Task { await self.end(name, number) }
    }
    return try result.get()
  }

  /// Jobs of the kind `in turn` take turns.
  nonisolated func turn(of job: Job) -> String? { job.kind == "in turn" ? job.kind : nil }

  private func outcome(of name: String) async -> Result<JobOutcome, JobInterruption> {
    if let result = results.removeValue(forKey: name) { return result }
    if Task.isCancelled { return .failure(.stopped) }
    return await withCheckedContinuation { waiting[name] = $0 }
  }

  /// Ends a run, and none that came after it.
  private func end(_ name: String, _ number: Int) {
    guard starts[name] == number else { return }
    waiting.removeValue(forKey: name)?.resume(returning: .failure(.stopped))
  }

  /// The failure that keeps it from removing the files of jobs.
  private var obstacle: JobFailure?

  func failDiscarding(_ failure: JobFailure?) { obstacle = failure }

  /// The work that happens while it removes the files of a job.
  private var meanwhile: (@Sendable () async -> Void)?

  func whileDiscarding(_ body: @escaping @Sendable () async -> Void) { meanwhile = body }

  func discard(_ job: Job) async throws(JobFailure) {
    await meanwhile?()
    if let obstacle { throw obstacle }
    discarded.append(job.subject)
  }

  func keep(_ name: String, _ checkpoint: Data) async throws {
    try await reporters[name]?.checkpoint(checkpoint)
  }

  func finish(_ name: String, with result: Result<JobOutcome, JobInterruption>) {
    if let continuation = waiting.removeValue(forKey: name) {
      continuation.resume(returning: result)
    } else {
      results[name] = result
    }
  }

  func report(_ name: String, _ progress: JobProgress) async {
    await reporters[name]?.progress(progress)
  }

  func waits(_ name: String, for wait: JobHostWait?) async {
    await reporters[name]?.hostWait(wait)
  }

  func started(_ name: String, times: Int = 1) async {
    if starts[name, default: 0] >= times { return }
    await withCheckedContinuation { watchers.append((name, times, $0)) }
  }
}
