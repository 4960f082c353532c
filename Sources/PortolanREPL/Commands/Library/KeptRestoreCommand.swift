internal import PortolanApp

/// Puts a map that was set aside back on the list.
struct KeptRestoreCommand: LibraryCommand {
  static let declaration = CommandDeclaration(
    "kept restore", summary: "Put a map that was set aside back on the list.", topic: .library,
    parameters: [KeptChoice.name],
    discussion: [
      "It comes back with the edits in it; of several versions the one that was in use, while the "
        + "others stay set aside. Where another map has its title, a number is added. A map that does not open "
        + "stays where it is."
    ])

  private let choice: KeptChoice

  init(parsing arguments: Arguments) throws(UsageError) { choice = try KeptChoice(arguments) }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let storage = try await library.storage()
    let restored = try await storage.putBackKept(choice.item(in: storage).name)
    return CommandResult(
      text: TextDocument("\"\(restored.title)\" is on the list again, with the edits in it."),
      json: restored.json)
  }
}
