internal import Foundation
internal import PortolanApp

/// Tells what the portal is.
struct PortalInfoCommand: AccountCommand {
  static let declaration = CommandDeclaration(
    "portal", summary: "Show information about the portal.", topic: .portal,
    discussion: ["Asks the portal that --portal names, or the one in use."],
    examples: [.init("portal --portal gis.example.org", "finds the portal on that host")])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult {
    let information = try await account.portalInformation.load()
    return CommandResult(text: information.text, json: information.json)
  }
}

extension PortalInformationModel.Information {
  fileprivate var text: TextDocument {
    let facts = [
      ("Portal", url.absoluteString), ("Name", name), ("Organization", organization),
      ("Kind", product), ("Version", version), ("User", username),
      ("Sign-in", supportsOAuth ? "by OAuth or password" : "by password"),
    ]
    return TextDocument([
      .fields(facts.compactMap { name, value in value.map { TextDocument.Field(name, $0) } })
    ])
  }
}
