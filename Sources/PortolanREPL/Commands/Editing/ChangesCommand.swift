internal import PortolanApp

/// Lists the edits that are not synchronized.
struct ChangesCommand: MapCommand {
  static let map = Parameter.argument(
    "MAP", "The map, as with --map; the open one unless given.", count: .atMostOne,
    completion: .mapOrFile)

  static let declaration = CommandDeclaration(
    "changes", summary: "List the changes since the last synchronization.", topic: .editing,
    parameters: [map, MapChoice.map, MapChoice.number],
    discussion: [
      "Of tables that keep a history every edit since then is listed, whichever program made it; of "
        + "others only edits made with Portolan are known."
    ],
    examples: [.init("changes \"Around Portland\"", "of a map on this device")])

  /// A list leaves nothing to continue with, and an open map could not be deleted or updated.
  static let keepsMapOpen = false

  let choice: MapChoice

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments, orAt: Self.map)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let page = ChangesPage(changes: try await map.editing.changes())
    return CommandResult(text: page.text, json: page.json)
  }
}
