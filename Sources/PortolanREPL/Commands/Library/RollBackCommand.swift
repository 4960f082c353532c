internal import PortolanApp

/// Brings the version of a map before its last update back.
struct RollBackCommand: LibraryCommand {
  static let map = Parameter.argument(
    "MAP", "The id of a stored map, or its title.", completion: .word(.storedMap))

  static let declaration = CommandDeclaration(
    "rollback", summary: "Restore the version of a map before its last update.",
    topic: .library, parameters: [map],
    discussion: [
      "The version before an update is kept until its space is needed; \"storage\" lists it. A "
        + "second rollback restores the update. What was synchronized since stays so. A map that is being edited, or was edited "
        + "since the update without sending that, stays as it is, and so does one whose version before is damaged.",
      "With --yes, and without a terminal, MAP has to be the id or the whole title.",
    ])

  private let name: String

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.map, as: .text)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let maps = try await library.loadedMaps()
    let item = try maps.storedItem(named: name, exactly: session.takesWholeNames)
    let restored = try await maps.rollBack(item.id)
    return CommandResult(
      text: TextDocument(
        restored.origin == .rollback
          ? "The update of \"\(restored.title)\" is back; \"rollback\" restores the version before it."
          : "The earlier version of \"\(restored.title)\" was restored."),
      json: restored.json)
  }
}
