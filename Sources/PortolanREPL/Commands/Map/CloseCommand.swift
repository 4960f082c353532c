internal import PortolanApp
internal import PortolanJSON

/// Closes the open map.
struct CloseCommand: Command {
  static let declaration = CommandDeclaration(
    "close", summary: "Close the open map.", topic: .map,
    discussion: ["A stored map can be deleted once it is closed in every window."])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(in session: Session) async throws -> CommandResult {
    let title = session.app.map?.state.title
    await session.app.close()
    session.offerWords()
    return CommandResult(
      text: TextDocument(title.map { "\"\($0)\" is closed." } ?? "No map is open."),
      json: ["closed": title.map(JSONValue.string) ?? .null])
  }
}
