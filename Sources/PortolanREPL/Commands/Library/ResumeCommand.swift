internal import PortolanApp
internal import PortolanJobs

/// Resumes jobs, also failed ones.
struct ResumeCommand: JobCommand {
  static let declaration = CommandDeclaration(
    "resume", summary: "Resume jobs, also failed ones.", topic: .library,
    parameters: [JobChoice.jobs],
    discussion: [
      "What is here already is not fetched again. Outside of the prompt the command ends when the "
        + "jobs do."
    ])

  static let ending = JobCommandEnding.over

  static func applies(to state: JobState) -> Bool {
    // One that is stopped waits for its turn, which the command gives it.
    state.canResume || !state.isFinal
  }

  let names: [String]

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try JobChoice.names(arguments)
  }

  @MainActor func change(_ job: Job, of jobs: JobListModel) async throws(Problem) {
    try await jobs.resume(job.id)
  }
}
