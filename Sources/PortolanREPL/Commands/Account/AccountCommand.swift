internal import PortolanApp

/// A command on who uses the app.
protocol AccountCommand: Command {
  /// Does the work with the screens of the account.
  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult
}

extension AccountCommand {
  @MainActor func run(in session: Session) async throws -> CommandResult {
    guard let account = session.account else {
      throw Problem(message: "This build of Portolan has no accounts.", kind: .network)
    }
    do {
      let result = try await run(with: account, in: session)
      note(account.session.state.problem, in: session)
      return result
    } catch {
      let problem = account.session.state.problem
      if problem != error as? Problem { note(problem, in: session) }
      throw error
    }
  }

  /// Tells what is the matter with stored credentials, such as that damaged ones were set aside.
  @MainActor private func note(_ problem: Problem?, in session: Session) {
    if let problem { session.presenter.note(problem.message) }
  }
}

extension Failure {
  /// Says that a word is not what it must be.
  static func usage(_ message: String, suggestion: String? = nil) -> Failure {
    Failure(.usage, message, suggestion: suggestion, status: .wrongUsage)
  }
}
