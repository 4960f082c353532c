internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

/// Answers for jobs: at a prompt at once, since they continue in the background, and elsewhere when
/// they have stopped, reporting their progress meanwhile.
@MainActor
struct JobFollower {
  let jobs: JobListModel
  let session: Session
  /// Whether to wait at the prompt as well.
  var waits = false
  /// Whether the jobs were asked to stand still.
  var stops = false

  /// The results of the jobs, or a report that they have begun.
  ///
  /// Stopping it stops the work, and keeps the jobs; at a prompt it only stops waiting, for they go
  /// on beside it.
  func result(of ids: [JobID]) async throws -> CommandResult {
    guard waits || !session.worksBesidePrompt else {
      await jobs.load()
      return report(on: ids).beginning
    }
    var watch = JobWatch()
    let ended = await jobs.work(until: ids) { job in
      let pace = jobs.state.paces[job.id]
      guard watch.note(job, pace: pace) else { return }
      session.presenter.progress(watch.line, json: job.progressJSON(pace: pace))
    }
    let open = ended.filter { !$0.state.isFinal }.map(\.id)
    // Ctrl-C stops nothing of what was over when it came.
    let isOver = open.isEmpty && ended.count == ids.count
    guard !Task.isCancelled || isOver else { return try stopped(ids, leaving: open) }
    // After a cancellation, further reads would be cancelled too.
    let maps = Task.isCancelled ? nil : try await session.app.library?.maps()
    let subjects = ended.map(\.subject)
    return try JobReport(
      jobs: ended, unsentEdits: try await maps?.unsentEdits(of: subjects) ?? [:],
      setAside: try await maps?.setAside(of: subjects) ?? []
    ).ending(asAsked: stops)
  }

  /// The failure that Ctrl-C has stopped the waiting or, away from a prompt, the work.
  private func stopped(_ ids: [JobID], leaving open: [JobID]) throws -> CommandResult {
    if session.worksBesidePrompt {
      var result = report(on: ids).noLongerAwaited
      result.status = .interrupted
      return result
    }
    session.presenter.note(
      "What was downloaded is kept; \"\(Self.resuming(open))\" continues it.")
    throw CancellationError()
  }

  /// The command that resumes jobs, some of which may be over.
  private static func resuming(_ ids: [JobID]) -> String {
    guard ids.count == 1, let id = ids.first else { return "jobs --watch" }
    return "resume \(JobPage.shortID(id))"
  }

  /// The jobs as they are now, some of which run.
  private func report(on ids: [JobID]) -> JobReport {
    JobReport(jobs: jobs.jobs.filter { ids.contains($0.id) }, paces: jobs.state.paces)
  }
}

/// The jobs that are watched, in one passing line.
struct JobWatch {
  private var latest: [JobID: Job] = [:]
  private var paces: [JobID: JobListModel.Pace] = [:]
  private var order: [JobID] = []

  /// Takes note of a job; `false` if nothing has changed.
  mutating func note(_ job: Job, pace: JobListModel.Pace?) -> Bool {
    guard latest[job.id] != job else { return false }
    if latest.updateValue(job, forKey: job.id) == nil { order.append(job.id) }
    paces[job.id] = pace
    return true
  }

  /// The job that runs, and how many others are not over.
  var line: String {
    let open = order.compactMap { latest[$0] }.filter { !$0.state.isFinal }
    guard let shown = open.first(where: { $0.state == .running }) ?? open.first else { return "" }
    let line = TransferText.line(shown, pace: paces[shown.id])
    return open.count > 1 ? "\(line) (and \(open.count - 1) more)" : line
  }
}
