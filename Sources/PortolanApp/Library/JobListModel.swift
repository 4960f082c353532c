public import Observation
public import PortolanJobs

/// The screen of the jobs: downloads that run, wait, or are finished.
@MainActor
@Observable
public final class JobListModel {
  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The jobs, by their place in the queue.
    public var jobs: [Job] = []
    /// The paces of the running jobs.
    public var paces: [JobID: Pace] = [:]
  }

  /// The pace of a job, and its remaining time.
  public struct Pace: Hashable, Sendable, Codable {
    /// Bytes in a second; `nil` until enough is known.
    public var bytesPerSecond: Double?
    /// Seconds until all is here; `nil` while that is unknown.
    public var secondsLeft: Double?
  }

  /// The current state; observe this.
  public private(set) var state = State()

  /// The jobs, by their place in the queue.
  public var jobs: [Job] { state.jobs }

  @ObservationIgnored private let queue: JobQueue
  @ObservationIgnored private let journal: any JobJournal
  @ObservationIgnored private var isWorking = false
  /// The latest progress of each running job.
  @ObservationIgnored private var paces: [JobID: JobPace] = [:]

  /// Creates the screen; nothing is read until ``load()``.
  public init(queue: JobQueue, journal: any JobJournal) {
    self.queue = queue
    self.journal = journal
  }

  /// Shows the jobs as they are, those of other processes among them.
  public func load() async {
    // Of a journal that cannot be read now the jobs are shown as they were when it was read last.
    try? await queue.refresh()
    show(await queue.jobs)
  }

  private func show(_ jobs: [Job]) {
    // One that does not run has no pace, and starts over.
    let running = jobs.filter { $0.state == .running }
    paces = Dictionary(
      running.map { job in
        var pace = paces[job.id] ?? JobPace()
        pace.add(job.progress, at: job.updated)
        return (job.id, pace)
      }, uniquingKeysWith: { first, _ in first })
    state = State(jobs: jobs, paces: paces.mapValues(Pace.init))
  }

  /// Shows the jobs as they change, until the task is cancelled.
  ///
  /// - Parameter report: Called with the jobs as they are, then after each change.
  public func follow(_ report: @MainActor ([Job]) -> Void = { _ in }) async {
    for await jobs in await queue.updates() {
      show(jobs)
      report(jobs)
    }
  }

  /// The job that a person means.
  ///
  /// - Parameters:
  ///   - name: Its id or the beginning of it, the id of what it downloads, or its title.
  ///   - isMeant: Whether what is to be done can be done with a job; of several that the name can mean
  ///     those with which it can are preferred.
  /// - Returns: The only one that it can mean; of several with one title, the running one, else of
  ///   the last of those that download the same.
  /// - Throws: A problem if there is none, or more than one.
  public func job(
    named name: String, preferring isMeant: (Job) -> Bool = { _ in true }
  ) throws(Problem) -> Job {
    let exact = jobs.filter { $0.id.text == name || $0.subject == name || $0.title == name }
    let similar = jobs.filter {
      name.isBeginning(ofID: $0.id.text) || $0.title.lowercased().contains(name.lowercased())
    }
    let named = exact.isEmpty && !name.isEmpty ? similar : exact
    let meant = named.filter(isMeant)
    let matches = meant.isEmpty ? named : meant
    if let only = matches.onlyUnfinished ?? matches.latestOfOneSubject { return only }
    guard matches.isEmpty else {
      throw Problem(
        .ambiguous, message: "\"\(name)\" can mean \(matches.count) jobs.",
        suggestion: "Give its id.", actions: [.init(.listJobs)])
    }
    throw Problem(JobError.unknown(name))
  }

  // MARK: - What people want of a job

  /// Pauses a job; it keeps what it has.
  public func pause(_ id: JobID) async throws(Problem) {
    try await change { queue throws(JobError) in try await queue.pause(id) }
  }

  /// Lets a job continue, also one that has failed.
  public func resume(_ id: JobID) async throws(Problem) {
    try await change { queue throws(JobError) in try await queue.resume(id) }
  }

  /// Gives a job up, and removes what it has left on disk.
  public func cancel(_ id: JobID) async throws(Problem) {
    try await change { queue throws(JobError) in try await queue.cancel(id) }
  }

  /// Retries the failed items of a job, and only those.
  public func retryFailedItems(_ id: JobID) async throws(Problem) {
    try await change { queue throws(JobError) in try await queue.retryFailedItems(id) }
  }

  /// Takes a job that is done in part for done.
  public func acceptAsPartial(_ id: JobID) async throws(Problem) {
    try await change { queue throws(JobError) in try await queue.acceptAsPartial(id) }
  }

  /// Puts a job at a place in the queue, counted from 0.
  public func move(_ id: JobID, to place: Int) async throws(Problem) {
    try await change { queue throws(JobError) in try await queue.move(id, to: place) }
  }

  /// Takes a job that is over off the list; of one that failed, what it has fetched goes.
  public func forget(_ id: JobID) async throws(Problem) {
    try await change { queue throws(JobError) in try await queue.forget(id) }
  }

  /// Removes all jobs that can download nothing more from the list; those that failed or are done in part
  /// stay.
  public func forgetEnded() async throws(Problem) {
    for job in jobs where job.state == .succeeded || job.state == .cancelled {
      try await forget(job.id)
    }
  }

  /// The log of a job.
  ///
  /// - Throws: A problem if it cannot be read.
  public func log(of id: JobID) async throws(Problem) -> JobLog {
    do { return JobLog(job: id, messages: try await journal.messages(of: id)) } catch {
      throw Problem(error)
    }
  }

  private func change(
    _ body: (JobQueue) async throws(JobError) -> Void
  ) async throws(Problem) {
    do { try await body(queue) } catch { throw Problem(error) }
    await load()
  }

  // MARK: - Working

  /// Works on the queue, unless ``run()`` does, until some jobs stand still: are over, paused, or
  /// wait for something that does not come by itself.
  ///
  /// - Parameters:
  ///   - ids: The jobs; others are worked on as well.
  ///   - report: Called with each of them whenever something has changed.
  /// - Returns: The jobs in their current state, in the order of `ids`.
  public func work(until ids: [JobID], report: (Job) -> Void) async -> [Job] {
    // Jobs that another process has left waiting are tried here before they are shown as stopped.
    if !isWorking { await queue.lookAgain() }
    let work = isWorking ? nil : Task { await run() }
    for await jobs in await queue.updates() {
      show(jobs)
      let watched = ids.compactMap { id in jobs.first { $0.id == id } }
      for job in watched { report(job) }
      if watched.allSatisfy(\.state.isAtRest) { break }
    }
    // The next worker must find the work free.
    work?.cancel()
    await work?.value
    // Since then jobs may have ended.
    show(await queue.jobs)
    return ids.compactMap { id in jobs.first { $0.id == id } }
  }

  /// Works on the queue until the task is cancelled.
  public func run() async {
    guard !isWorking else { return }
    isWorking = true
    defer { isWorking = false }
    await queue.run()
  }
}

extension JobListModel.Pace {
  fileprivate init(_ pace: JobPace) {
    self.init(bytesPerSecond: pace.bytesPerSecond, secondsLeft: pace.remainingSeconds)
  }
}

extension [Job] {
  /// The one that was asked for last, if all are about the same thing.
  fileprivate var latestOfOneSubject: Job? {
    Set(map(\.subject)).count == 1 ? self.max { $0.created < $1.created } : nil
  }

  /// The only one that is not over.
  fileprivate var onlyUnfinished: Job? {
    let unfinished = filter { !$0.state.isFinal }
    return unfinished.count == 1 ? unfinished.first : nil
  }
}

extension JobState {
  /// Whether nothing changes without an action of the user.
  fileprivate var isAtRest: Bool {
    switch self {
    case .paused: true
    case .waiting(.network), .waiting(.signIn), .waiting(.space), .waiting(.editing): true
    case .waiting(.slot), .waiting(.retry), .running, .cancelling: false
    case .cancelled, .succeeded, .succeededInPart, .failed: true
    }
  }
}
