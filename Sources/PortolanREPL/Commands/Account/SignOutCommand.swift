internal import PortolanApp

/// Signs out of a portal.
struct SignOutCommand: AccountCommand {
  static let declaration = CommandDeclaration(
    "sign-out", summary: "Sign out of a portal.", topic: .portal,
    discussion: [
      "Removes the credentials from this machine and asks the portal to revoke the token. Without "
        + "a network only the credentials are removed, and a note says so. Stored maps stay."
    ],
    examples: [.init("sign-out --portal gis.example.org", "of that portal only")])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult {
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
