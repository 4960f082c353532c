internal import PortolanApp
internal import PortolanJobs

/// Retries the failed parts of jobs.
struct RetryCommand: JobCommand {
  static let declaration = CommandDeclaration(
    "retry", summary: "Retry the failed parts of a job.",
    topic: .library, parameters: [JobChoice.jobs],
    discussion: [
      "For jobs that are done in part. One that has failed as a whole is resumed, as by \"resume\"."
    ])

  static let ending = JobCommandEnding.over

  static func applies(to state: JobState) -> Bool { state.canSettleFailures }

  let names: [String]

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try JobChoice.names(arguments)
  }

  @MainActor func change(_ job: Job, of jobs: JobListModel) async throws(Problem) {
    if case .failed = job.state { return try await jobs.resume(job.id) }
    try await jobs.retryFailedItems(job.id)
  }
}
