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
    return try await run(with: account, in: session)
  }
}

extension Failure {
  /// Says that a word is not what it must be.
  static func usage(_ message: String, suggestion: String? = nil) -> Failure {
    Failure("usage", message, suggestion: suggestion, status: .wrongUsage)
  }
}
