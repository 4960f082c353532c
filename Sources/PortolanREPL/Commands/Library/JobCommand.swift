internal import PortolanApp
internal import PortolanJobs

/// A command on some jobs, each named by the beginning of its id, its title, or the id of what
/// it brings.
protocol JobCommand: LibraryCommand {
  /// The names.
  var names: [String] { get }

  /// Does to one job what the command is for.
  @MainActor func change(_ job: Job, of jobs: JobListModel) async throws(Problem)

  /// Whether it can be done with a job in that state.
  static func applies(to state: JobState) -> Bool

  /// The point at which the command ends.
  static var ending: JobCommandEnding { get }
}

/// The point at which a command on jobs ends.
enum JobCommandEnding: Hashable, Sendable {
  /// As soon as the jobs are changed.
  case atOnce
  /// When the jobs have stopped, which they soon do.
  case atRest
  /// When the jobs are over, or at once at a prompt, beside which they continue.
  case over
}

extension JobCommand {
  static var ending: JobCommandEnding { .atOnce }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let jobs = try await library.loadedJobs()
    let meant = try names.map { name throws(Problem) in
      try jobs.likelyJob(named: name) { Self.applies(to: $0.state) }
    }
    for job in meant {
      do throws(Problem) { try await change(job, of: jobs) } catch {
        let isAttended = session.attends(to: jobs.jobs)
        throw Self.failure(of: error, job, isAttended: isAttended)
      }
    }
    let ids = meant.map(\.id)
    if Self.ending != .atOnce {
      let waits = Self.ending == .atRest
      return try await JobFollower(jobs: jobs, session: session, waits: waits, stops: waits)
        .result(of: ids)
    }
    let page = await JobPage(jobs, of: ids, in: session)
    return CommandResult(text: page.text, json: page.json)
  }
}

extension JobCommand {
  /// The reason why the command was not carried out on a job; one that waits for a worker is
  /// stopped, as the list of jobs calls it.
  static func failure(of problem: Problem, _ job: Job, isAttended: Bool) -> Failure {
    var failure = Failure(problem)
    guard problem.code == .notPossible, !isAttended, case .waiting(.slot) = job.state else {
      return failure
    }
    failure.message = "\"\(declaration.name)\" is not for \"\(job.title)\", which is stopped."
    failure.suggestion = "\"resume \(JobPage.shortID(job))\" continues it."
    return failure
  }
}

/// The jobs that a line names.
enum JobChoice {
  static let jobs = Parameter.argument(
    "JOB", "A job, by the beginning of its id or by its title.", count: .atLeastOne,
    completion: .word(.job))

  static func names(_ arguments: Arguments) throws(UsageError) -> [String] {
    try arguments.values(of: jobs, as: .text)
  }
}

extension JobListModel {
  /// The job that a person means, see ``JobListModel/job(named:preferring:)``.
  ///
  /// - Throws: A problem if there is none, which names the one that was probably meant, or more
  ///   than one.
  func likelyJob(
    named name: String, preferring isMeant: (Job) -> Bool = { _ in true }
  ) throws(Problem) -> Job {
    try Problem.suggesting(name, among: jobs.map(\.title)) { () throws(Problem) in
      try job(named: name, preferring: isMeant)
    }
  }
}
