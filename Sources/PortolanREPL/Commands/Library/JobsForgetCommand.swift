internal import PortolanApp
internal import PortolanJobs

/// Removes finished jobs from the list.
struct JobsForgetCommand: LibraryCommand {
  static let jobs = Parameter.argument(
    "JOB", "The jobs; all finished ones unless given.", count: .any,
    completion: .word(.job))

  static let declaration = CommandDeclaration(
    "jobs forget", summary: "Remove finished jobs from the list.", topic: .library,
    parameters: [jobs],
    discussion: [
      "The maps stay. Jobs that can still go on are forgotten by name only, with what they have "
        + "fetched."
    ])

  private let names: [String]

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try arguments.values(of: Self.jobs, as: .text)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let jobs = try await library.loadedJobs()
    if names.isEmpty { try await jobs.forgetEnded() }
    for name in names { try await jobs.forget(try jobs.likelyJob(named: name).id) }
    let page = await JobPage(jobs, in: session)
    return CommandResult(text: page.text, json: page.json)
  }
}
