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
    let restored: RestoredMap
    do throws(Problem) {
      restored = try await library.loadedMaps().undoDeletion(of: name)
    } catch {
      guard error.code == .notInTrash, hasEdits(in: session) else { throw error }
      var failure = Failure(error)
      failure.suggestion = "\"edit undo\" takes back the last edit of the open map."
      throw failure
    }
    return CommandResult(
      text: TextDocument("\"\(restored.title)\" was restored."), json: restored.json)
  }

  /// Whether an edit may be meant, of which the open map has some.
  @MainActor private func hasEdits(in session: Session) -> Bool {
    (session.app.map?.editing.state.undoCount ?? 0) > 0
  }
}
