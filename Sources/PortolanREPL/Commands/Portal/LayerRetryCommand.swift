internal import PortolanApp

/// Asks again for a layer of the web map that could not be loaded.
struct LayerRetryCommand: PortalCommand {
  static let layer = Parameter.argument(
    "LAYER", "The layer, by its title or key.", completion: .word(.layer))
  static let user = Parameter.option(
    "user", "NAME", "Ask its server as this user, whom the server itself knows.")
  static let passwordDescriptor = Parameter.option(
    "password-fd", "N", "The file descriptor to read the password from.")

  static let declaration = CommandDeclaration(
    "layer retry", summary: "Load a layer of the web map again.", topic: .portal,
    parameters: [layer, user, passwordDescriptor],
    discussion: [
      "With --user the layer's server is asked with credentials of its own, which go nowhere else "
        + "and are not kept. The password is typed unseen, read from a file descriptor, or taken "
        + "from PORTOLAN_PASSWORD."
    ],
    examples: [.init("layer retry Moorings --user harbormaster", "asks for the password")])

  private let title: String
  private let username: String?
  private let descriptor: Int?

  init(parsing arguments: Arguments) throws(UsageError) {
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
    let (model, row) = try screens.layer(titled: title)
    guard let username else {
      try await model.retry(row.id)
      return try screens.result(of: row)
    }
    guard let account = session.account else {
      throw Failure(.noServer, "\"\(row.title)\" has no server to sign in to.")
    }
    let password = try await session.secrets.secret(
      "password", descriptor: descriptor, variable: "PORTOLAN_PASSWORD",
      option: Self.passwordDescriptor)
    try await account.retry(row.id, of: model, as: username, password: password)
    return try screens.result(of: row)
  }
}
