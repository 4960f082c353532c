internal import PortolanApp

/// Tells whether there is a network.
struct NetworkCommand: AccountCommand {
  static let watch = Parameter.flag("watch", "Print every change until interrupted.")

  static let declaration = CommandDeclaration(
    "network", summary: "Show whether there is a network.", topic: .portal, parameters: [watch],
    discussion: ["With --offline there is none, whatever the machine says."])

  private let watches: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    watches = arguments.isSet(Self.watch)
  }

  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult {
    let network = account.network
    if watches {
      await network.watch { session.presenter.note($0.sentence) }
      try Task.checkCancellation()
    }
    network.refresh()
    return CommandResult(text: TextDocument(network.state.sentence), json: network.state.json)
  }
}
