internal import PortolanApp
internal import PortolanJobs

/// Pauses jobs.
struct PauseCommand: JobCommand {
  static let declaration = CommandDeclaration(
    "pause", summary: "Pause jobs.", topic: .library, parameters: [JobChoice.jobs],
    discussion: [
      "What is here already is kept; \"resume\" continues it, also after a restart."
    ])

  static let ending = JobCommandEnding.atRest

  static func applies(to state: JobState) -> Bool { state.canPause }

  let names: [String]

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try JobChoice.names(arguments)
  }

  @MainActor func change(_ job: Job, of jobs: JobListModel) async throws(Problem) {
    try await jobs.pause(job.id)
  }
}
