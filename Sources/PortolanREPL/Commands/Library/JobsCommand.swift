internal import PortolanApp
internal import PortolanJobs

/// Lists running, waiting and finished jobs.
struct JobsCommand: LibraryCommand {
  static let watch = Parameter.flag(
    "watch", "Run the jobs and show their progress until they end.")

  static let declaration = CommandDeclaration(
    "jobs", summary: "List downloads, updates and other jobs, and their progress.", topic: .library,
    parameters: [watch],
    discussion: [
      "Jobs are in the order in which they get their turn; a few run at a time, the others "
        + "wait for a place, a network, a sign-in or free space. They outlive Portolan: what was "
        + "under way when it ended goes on at the prompt, or with \"jobs --watch\".",
      "The kind of a job is download, update, take offline, sync or export tiles; an update that is "
        + "done is listed as a download. Regions of tiles are in \"tiles regions\".",
      "A job is named by the beginning of its id, or by its title.",
    ],
    examples: [
      .init("jobs --watch", "resumes everything that is not finished"),
      .init("jobs move Acadia 1", "the next one to run"),
    ])

  private let watches: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    watches = arguments.isSet(Self.watch)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let jobs = try await library.loadedJobs()
    if watches {
      let open = jobs.jobs.filter { !$0.state.isFinal }.map(\.id)
      if !open.isEmpty {
        return try await JobFollower(jobs: jobs, session: session, waits: true).result(of: open)
      }
    }
    let page = await JobPage(jobs, in: session)
    return CommandResult(text: page.text, json: page.json)
  }
}
