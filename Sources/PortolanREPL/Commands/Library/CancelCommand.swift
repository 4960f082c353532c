internal import PortolanApp
internal import PortolanJobs

/// Cancels jobs and deletes their partial files.
struct CancelCommand: JobCommand {
  static let declaration = CommandDeclaration(
    "cancel", summary: "Cancel jobs and delete their partial files.", topic: .library,
    parameters: [JobChoice.jobs],
    discussion: [
      "A map that is on this device already stays as it is."
    ])

  static let ending = JobCommandEnding.atRest

  static func applies(to state: JobState) -> Bool { state.canCancel }

  let names: [String]

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try JobChoice.names(arguments)
  }

  @MainActor func change(_ job: Job, of jobs: JobListModel) async throws(Problem) {
    try await jobs.cancel(job.id)
  }
}
