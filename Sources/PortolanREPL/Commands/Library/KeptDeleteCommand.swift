internal import PortolanApp

/// Deletes for good a map that was set aside.
struct KeptDeleteCommand: LibraryCommand {
  static let declaration = CommandDeclaration(
    "kept delete", summary: "Permanently delete a map that was set aside.", topic: .library,
    parameters: [KeptChoice.name],
    discussion: [
      "Asks first; --yes answers, and then NAME has to be whole. Edits in it that were not sent are "
        + "lost with it: there is no \"undo\"."
    ])

  private let choice: KeptChoice

  init(parsing arguments: Arguments) throws(UsageError) { choice = try KeptChoice(arguments) }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let storage = try await library.storage()
    let name = try await choice.item(
      in: storage, exactly: session.options.assumesYes
    ).name
    try await session.confirm(
      "Delete \"\(name)\" permanently, with any edits in it?",
      otherwise: "\"\(name)\" was not deleted.")
    let removal = try await storage.deleteKept(name)
    return CommandResult(
      text: TextDocument("\"\(name)\" is deleted, \(ByteCount.text(removal.byteCount))."),
      json: removal.json)
  }
}
