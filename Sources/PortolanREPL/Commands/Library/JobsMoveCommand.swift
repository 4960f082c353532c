internal import PortolanApp
internal import PortolanJobs

/// Moves a job to another position in the queue.
struct JobsMoveCommand: LibraryCommand {
  static let job = Parameter.argument(
    "JOB", "The job, by the beginning of its id or by its title.", completion: .word(.job))
  static let place = Parameter.argument("PLACE", "Its new position, counted from 1.")

  static let declaration = CommandDeclaration(
    "jobs move", summary: "Move a job to another position in the queue.", topic: .library,
    parameters: [job, place], examples: [.init("jobs move Acadia 1", "the next one to run")])

  private let name: String
  private let place: Int

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.job, as: .text)
    place = try arguments.required(Self.place, as: .integer(in: 1...1_000_000)) - 1
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let jobs = try await library.loadedJobs()
    try await jobs.move(try jobs.likelyJob(named: name).id, to: place)
    let page = await JobPage(jobs, in: session)
    return CommandResult(text: page.text, json: page.json)
  }
}
