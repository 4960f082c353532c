internal import PortolanApp

/// Asks again for a layer of the open map that could not be loaded from its service.
struct LayerRetryCommand: PortalCommand {
  static let layer = Parameter.argument(
    "LAYER", "The layer, by its title or key.", completion: .word(.layer))
  static let user = Parameter.option(
    "user", "NAME", "Ask its server as this user, whom the server itself knows.")
  static let passwordDescriptor = Parameter.option(
    "password-fd", "N", "The file descriptor to read the password from.")

  static let declaration = CommandDeclaration(
    "layer retry", summary: "Load a layer that failed again.", topic: .portal,
    parameters: [layer, user, passwordDescriptor, LayerMapChoice.map],
    discussion: [
      "The layer is one of the web map that is loaded, or one that an open map of this device has from "
        + "its service. Outside of a session, name the map with --map: it is loaded, the layer is asked "
        + "for again, and the map is closed when the command ends.",
      "With --user the layer's server is asked with credentials of its own, which go nowhere else "
        + "and are not kept. The password is typed unseen, read from a file descriptor, or taken "
        + "from PORTOLAN_PASSWORD.",
    ],
    examples: [
      .init("layer retry Moorings --user harbormaster", "asks for the password"),
      .init(
        "layer retry Moorings --map 41281c51f9de45edaf1c8ed44bb10e30", "of a map that is not open"),
    ])

  private let choice: LayerMapChoice
  private let title: String
  private let username: String?
  private let descriptor: Int?

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try LayerMapChoice(arguments)
    title = try arguments.required(Self.layer, as: .text)
    username = try arguments.value(of: Self.user, as: .text)
    descriptor = try arguments.value(
      of: Self.passwordDescriptor, as: .integer(in: 0...Int(Int32.max)))
    guard descriptor == nil || username != nil else {
      throw UsageError("--password-fd needs --user.")
    }
  }

  @MainActor func run(
    with screens: PortalScreens, in session: Session
  ) async throws -> CommandResult {
    try await choice.open(screens, in: session)
    let layer = try screens.layer(named: title, in: session)
    if let username {
      try await retry(layer, as: username, in: session)
    } else {
      try await layer.retry()
    }
    let result = try layer.result
    session.noteMapCloses()
    return result
  }

  @MainActor private func retry(
    _ layer: FailedLayer, as username: String, in session: Session
  ) async throws {
    guard let account = session.account else {
      throw Failure(.noServer, "\"\(layer.title)\" has no server to sign in to.")
    }
    let password = try await session.secrets.secret(
      "password", descriptor: descriptor, variable: "PORTOLAN_PASSWORD",
      option: Self.passwordDescriptor)
    try await layer.retry(as: username, password: password, with: account)
  }
}
