internal import PortolanApp

/// Takes a deleted map back.
struct UndoCommand: LibraryCommand {
  static let map = Parameter.argument(
    "MAP", "The id or the title of a deleted map; the last one unless given.",
    count: .atMostOne, completion: .word(.deletedMap))

  static let declaration = CommandDeclaration(
    "undo", summary: "Restore a deleted map.", topic: .library, parameters: [map],
    discussion: ["\"storage\" lists what was deleted. For edits there is \"edit undo\"."])

  private let name: String?

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.value(of: Self.map, as: .text)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let restored = try await library.loadedMaps().undoDeletion(of: name)
    return CommandResult(
      text: TextDocument("\"\(restored.title)\" was restored."), json: restored.json)
  }
}
