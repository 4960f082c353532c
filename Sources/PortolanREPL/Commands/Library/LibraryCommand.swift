internal import PortolanApp

/// A command on what is on this device.
protocol LibraryCommand: Command {
  /// Does the work with the library's screens.
  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult
}

extension LibraryCommand {
  @MainActor func run(in session: Session) async throws -> CommandResult {
    guard let library = session.app.library else {
      throw Problem(message: "This build of Portolan keeps no maps.", kind: .absence)
    }
    let result = try await run(with: library, in: session)
    // No later process may deliver the messages that this command has left for servers.
    await library.deliverMessages()
    session.offerWords()
    return result
  }
}

extension Presenter {
  /// Shows why some of several things were not done, each once.
  ///
  /// - Parameters:
  ///   - problems: Why.
  ///   - isAll: Whether nothing was done.
  /// - Throws: The first problem, which is shown as the failure of the line, if nothing was done.
  func settle(_ problems: [Problem], isAll: Bool) throws(Problem) {
    for problem in problems.dropFirst(isAll ? 1 : 0) { note("error: \(problem.message)") }
    if isAll, let first = problems.first { throw first }
  }
}

extension LibraryScreens {
  /// The list of maps as stored on this device.
  func loadedMaps() async throws(Problem) -> MapListModel {
    let maps = try await maps()
    try await maps.load()
    return maps
  }

  /// The current list of jobs.
  func loadedJobs() async throws(Problem) -> JobListModel {
    let jobs = try await jobs()
    await jobs.load()
    return jobs
  }
}
