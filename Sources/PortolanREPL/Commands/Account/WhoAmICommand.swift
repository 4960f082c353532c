internal import PortolanApp

/// Tells who is signed in.
struct WhoAmICommand: AccountCommand {
  static let declaration = CommandDeclaration(
    "whoami", summary: "Show who is signed in.", topic: .portal,
    discussion: [
      "Shows what is stored on this machine, also without a network. Exit status 4 means that "
        + "a sign-in is needed."
    ])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult {
    try await account.session.restore()
    let state = account.session.state
    let isKnown = state.user.map { !$0.needsSignIn } ?? false
    return CommandResult(
      text: state.text, json: state.json, status: isKnown ? .done : .needsSignIn)
  }
}
