internal import PortolanApp

/// Lists the edits that are not synchronized.
struct ChangesCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "changes", summary: "List the changes since the last synchronization.", topic: .editing,
    parameters: [MapChoice.map, MapChoice.number],
    discussion: [
      "Of tables that keep a history every edit since then is listed, whichever program made it; of "
        + "others only edits made with Portolan are known."
    ],
    examples: [.init("changes --map canyonlands", "of a map on disk")])

  /// A list leaves nothing to go on with, and an open map could not be deleted or updated.
  static let keepsMapOpen = false

  let choice: MapChoice

  init(parsing arguments: Arguments) throws(UsageError) { choice = try MapChoice(arguments) }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let page = ChangesPage(changes: try await map.editing.changes())
    return CommandResult(text: page.text, json: page.json)
  }
}
