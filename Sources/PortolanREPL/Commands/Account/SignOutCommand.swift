internal import PortolanApp

/// Signs out of a portal.
struct SignOutCommand: AccountCommand {
  static let server = Parameter.option(
    "server", "URL",
    "A server that keeps users of its own, or a service on it, instead of a portal.")

  static let declaration = CommandDeclaration(
    "sign-out", summary: "Sign out of a portal.", topic: .portal, parameters: [server],
    discussion: [
      "Removes the credentials from this machine and asks the portal to revoke the token. Without "
        + "a network only the credentials are removed, and a note says so. Stored maps stay."
    ],
    examples: [.init("sign-out --portal gis.example.org", "of that portal only")])

  private let server: String?

  init(parsing arguments: Arguments) throws(UsageError) {
    server = try arguments.value(of: Self.server, as: .text)
  }

  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult {
    if let server {
      let user = try await account.session.signOut(ofServer: server)
      return CommandResult(
        text: TextDocument("Signed out \(user.name) of \(user.host)."), json: user.document)
    }
    let result = try await account.session.signOut()
    var lines = [TextDocument.Block.line("Signed out \(result.user.name) of \(result.user.host).")]
    if let problem = result.problem {
      lines.append(.paragraph("The portal could not be notified: \(problem.message)", indent: 0))
    }
    return CommandResult(
      text: TextDocument(lines), json: result.json,
      status: result.problem == nil ? .done : .partlyDone)
  }
}
