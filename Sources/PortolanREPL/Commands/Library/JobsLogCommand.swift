internal import Foundation
internal import PortolanApp
internal import PortolanJobs

/// Shows the log of a job.
struct JobsLogCommand: LibraryCommand {
  static let job = Parameter.argument(
    "JOB", "The job, by the beginning of its id or by its title.", completion: .word(.job))

  static let declaration = CommandDeclaration(
    "jobs log", summary: "Show the log of a job.", topic: .library,
    parameters: [job])

  private let name: String

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.job, as: .text)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let jobs = try await library.loadedJobs()
    let job = try jobs.likelyJob(named: name)
    let log = try await jobs.log(of: job.id)
    let lines = log.messages.map { message in
      TextDocument.Block.line(
        "\(message.time.formatted(.iso8601))  \(message.severity.rawValue)  \(message.text)")
    }
    let text = lines.isEmpty ? [.line("The log of \"\(job.title)\" is empty.")] : lines
    return CommandResult(text: TextDocument(text), json: log.json)
  }
}
