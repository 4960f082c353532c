import Foundation

@testable import PortolanJobs

/// A journal in memory that refuses to write when it is told to, or takes its time.
actor FaultyJournal: JobJournal {
  static let full = JobError.journal(file: "journal", reason: "no space is left on the disk")

  private let journal = InMemoryJobJournal()
  private var refuses = false
  private var isHeld = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []
  /// The answer instead of the jobs, as if they had been read a moment ago.
  private var stale: [Job]?

  /// Refuses every record from now on, until told otherwise.
  func refuse(_ refuses: Bool = true) { self.refuses = refuses }

  /// Lets every record wait until ``release()``.
  func hold() { isHeld = true }

  func release() {
    isHeld = false
    for continuation in held { continuation.resume() }
    held = []
  }

  /// Waits until somebody waits to write.
  func writing() async {
    if !held.isEmpty { return }
    await withCheckedContinuation { watchers.append($0) }
  }

  /// Whether whoever lists the jobs next hears of them late.
  private var listIsSlow = false
  private var listing: CheckedContinuation<Void, Never>?
  private var listWatcher: CheckedContinuation<Void, Never>?

  /// Lets the next list of jobs arrive only with ``releaseList()``.
  func holdList() { listIsSlow = true }

  /// Waits until somebody waits for the list of jobs.
  func listed() async {
    if listing != nil { return }
    await withCheckedContinuation { listWatcher = $0 }
  }

  func releaseList() {
    listing?.resume()
    listing = nil
  }

  /// The number of times that the jobs cannot be listed from now on.
  private var unlistable = 0

  /// Refuses to list the jobs so often.
  func failListing(times: Int) { unlistable = times }

  /// Whether whoever writes to the log next waits for ``releaseLog()``.
  private var logIsHeld = false
  private var logging: CheckedContinuation<Void, Never>?
  private var logWatcher: CheckedContinuation<Void, Never>?

  func holdLog() { logIsHeld = true }

  /// Waits until somebody waits to write to the log.
  func logged() async {
    if logging != nil { return }
    await withCheckedContinuation { logWatcher = $0 }
  }

  func releaseLog() {
    logging?.resume()
    logging = nil
  }

  /// Lists the jobs as they are now from now on.
  func freezeList() async { stale = await journal.jobs() }

  func add(_ job: Job) async -> Job { await journal.add(job) }

  func record(_ job: Job, answering number: Int) async throws(JobError) {
    if isHeld { await waitForRelease() }
    // A journal in a file writes nothing for a task that was cancelled.
    if refuses || Task.isCancelled { throw Self.full }
    await journal.record(job, answering: number)
  }

  private func waitForRelease() async {
    await withCheckedContinuation { continuation in
      held.append(continuation)
      for watcher in watchers { watcher.resume() }
      watchers = []
    }
  }

  func forget(_ id: JobID) async { await journal.forget(id) }

  func jobs() async throws(JobError) -> [Job] {
    if let stale { return stale }
    guard unlistable == 0 else {
      unlistable -= 1
      throw Self.full
    }
    let jobs = await journal.jobs()
    guard listIsSlow else { return jobs }
    listIsSlow = false
    await withCheckedContinuation { continuation in
      listing = continuation
      listWatcher?.resume()
      listWatcher = nil
    }
    return jobs
  }

  func job(_ id: JobID) async -> Job? { await journal.job(id) }

  func setOrder(_ ids: [JobID]) async { await journal.setOrder(ids) }

  func post(_ intent: JobIntent, to id: JobID) async -> JobRequest {
    await journal.post(intent, to: id)
  }

  func requests() async -> [JobRequest] { await journal.requests() }

  func answerRequests(of id: JobID, at date: Date) async -> Job? {
    await journal.answerRequests(of: id, at: date)
  }

  func revision() async -> Int { await journal.revision() }

  func append(_ message: JobMessage, to id: JobID) async {
    if logIsHeld {
      logIsHeld = false
      await withCheckedContinuation { continuation in
        logging = continuation
        logWatcher?.resume()
        logWatcher = nil
      }
    }
    await journal.append(message, to: id)
  }

  func messages(of id: JobID) async -> [JobMessage] { await journal.messages(of: id) }
}
