internal import PortolanApp
internal import PortolanJSON
internal import PortolanTransport

/// Tells whether there is a network.
struct NetworkCommand: AccountCommand {
  static let watch = Parameter.flag("watch", "Tell every change until interrupted.")

  static let declaration = CommandDeclaration(
    "network", summary: "Tell whether there is a network.", topic: .portal, parameters: [watch],
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

extension NetworkStatus {
  fileprivate var sentence: String {
    switch self {
    case .online(isMetered: true): "There is a network, on which bytes cost money."
    case .online: "There is a network."
    case .offline(.asked): "There is no network, since --offline was asked for."
    case .offline(.notConnected): "There is no network."
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .online(let isMetered):
      ["online": true, "metered": isMetered.map(JSONValue.bool) ?? .null, "reason": .null]
    case .offline(let reason):
      ["online": false, "metered": .null, "reason": .string(reason.rawValue)]
    }
  }
}
