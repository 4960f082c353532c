internal import PortolanApp
internal import PortolanJobs

/// Takes downloads that are done in part for done.
struct AcceptCommand: JobCommand {
  static let declaration = CommandDeclaration(
    "accept", summary: "Keep a partial download and drop the parts that failed.", topic: .library,
    parameters: [JobChoice.jobs],
    discussion: [
      "The map stays on the list with what it lacks; \"download\" asks for everything again."
    ])

  static func applies(to state: JobState) -> Bool { state.canSettleFailures }

  let names: [String]

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try JobChoice.names(arguments)
  }

  @MainActor func change(_ job: Job, of jobs: JobListModel) async throws(Problem) {
    try await jobs.acceptAsPartial(job.id)
  }
}
