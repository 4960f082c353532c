internal import PortolanApp
internal import PortolanJobs

/// A command on some downloads, each named by the beginning of its id, its title, or the id of what
/// it brings.
protocol JobCommand: LibraryCommand {
  /// The names.
  var names: [String] { get }

  /// Does to one download what the command is for.
  @MainActor func change(_ job: Job, of jobs: JobListModel) async throws(Problem)

  /// Whether the command is over only when the downloads are, where they do not go on by
  /// themselves.
  static var lasts: Bool { get }
}

extension JobCommand {
  static var lasts: Bool { false }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let jobs = try await library.loadedJobs()
    let meant = try names.map { name throws(Problem) in try jobs.likelyJob(named: name) }
    for job in meant { try await change(job, of: jobs) }
    let ids = meant.map(\.id)
    if Self.lasts { return try await JobFollower(jobs: jobs, session: session).result(of: ids) }
    let page = JobPage(jobs: jobs.jobs.filter { ids.contains($0.id) })
    return CommandResult(text: page.text, json: page.json)
  }
}

/// The downloads that a line names.
enum JobChoice {
  static let jobs = Parameter.argument(
    "JOB", "A download, by the beginning of its id or by its title.", count: .atLeastOne,
    completion: .word(.job))

  static func names(_ arguments: Arguments) throws(UsageError) -> [String] {
    try arguments.values(of: jobs, as: .text)
  }
}

extension JobListModel {
  /// The job that a person means.
  ///
  /// - Throws: A problem if there is none, which names the one that was probably meant, or more
  ///   than one.
  func likelyJob(named name: String) throws(Problem) -> Job {
    try Problem.suggesting(name, among: jobs.map(\.title)) { () throws(Problem) in
      try job(named: name)
    }
  }
}
