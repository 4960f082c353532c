internal import PortolanApp

/// Lists damaged maps that were set aside, since they may hold edits.
struct KeptCommand: LibraryCommand {
  static let declaration = CommandDeclaration(
    "kept", summary: "List maps that were set aside with their edits.", topic: .library,
    discussion: [
      "A damaged map that may hold edits is never deleted by Portolan itself, but set aside; so is a "
        + "deleted one with edits when it is downloaded again. "
        + "\"open\", \"changes\" and \"convert\" take the paths that are listed here, and read what "
        + "can still be read; \"kept restore\" puts one back on the list of maps, and "
        + "\"kept delete\" deletes one for good."
    ])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let storage = try await library.storage()
    try await storage.listKept()
    let page = KeptPage(kept: storage.kept ?? [])
    return CommandResult(text: page.text, json: page.json)
  }
}
