internal import PortolanApp

/// Tells who is signed in.
struct WhoAmICommand: AccountCommand {
  static let declaration = CommandDeclaration(
    "whoami", summary: "Show who is signed in.", topic: .portal,
    discussion: [
      "Shows what is stored on this machine, and asks the portal whether it still accepts that. Without a "
        + "network, or where the portal does not answer, it says that this was not checked. Exit status 4 "
        + "means that a sign-in is needed."
    ])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult {
    try await account.session.check()
    let state = account.session.state
    let isKnown = state.user.map { !$0.needsSignIn } ?? false
    return CommandResult(
      text: state.text, json: state.json, status: isKnown ? .done : .needsSignIn)
  }
}
