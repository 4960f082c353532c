internal import PortolanApp
internal import PortolanJobs

/// Retries the failed parts of jobs.
struct RetryCommand: JobCommand {
  static let declaration = CommandDeclaration(
    "retry", summary: "Retry the failed parts of a job.",
    topic: .library, parameters: [JobChoice.jobs],
    discussion: [
      "For jobs that are done in part; \"resume\" is for those that have failed."
    ])

  static let ending = JobCommandEnding.over

  static func applies(to state: JobState) -> Bool { state.canSettleFailures }

  let names: [String]

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try JobChoice.names(arguments)
  }

  @MainActor func change(_ job: Job, of jobs: JobListModel) async throws(Problem) {
    try await jobs.retryFailedItems(job.id)
  }
}
