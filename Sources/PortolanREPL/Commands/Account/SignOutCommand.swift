internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanPortal

/// Signs out of a portal.
struct SignOutCommand: AccountCommand {
  static let declaration = CommandDeclaration(
    "sign-out", summary: "Sign out of a portal.", topic: .portal,
    discussion: [
      "Removes the credentials from this machine and asks the portal to take the token back. "
        + "Without a network the first is done and the second told. Maps that are stored stay."
    ],
    examples: [.init("sign-out --portal gis.example.org", "of that portal only")])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult {
    let (user, revocation) = try await account.session.signOut()
    var lines = [TextDocument.Block.line("Signed out \(user.name) of \(user.host).")]
    var json: JSONObject = [
      "portal": .string(user.portal.absoluteString),
      "user": user.username.map(JSONValue.string) ?? .null,
      "revoked": .bool(revocation == .revoked),
    ]
    if case .failed(let error) = revocation {
      let problem = Problem(error)
      lines.append(
        .paragraph("The portal could not be told: \(problem.message)", indent: 0))
      json["problem"] = .string(problem.message)
      return CommandResult(
        text: TextDocument(lines), json: .object(json), status: .partlyDone)
    }
    return CommandResult(text: TextDocument(lines), json: .object(json))
  }
}
