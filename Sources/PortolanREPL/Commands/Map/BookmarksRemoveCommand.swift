internal import PortolanApp

/// Removes a bookmark of one's own.
struct BookmarksRemoveCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "bookmarks remove", summary: "Remove a bookmark that you have added.", topic: .map,
    parameters: [BookmarkChoice.bookmark, MapChoice.map, MapChoice.number],
    examples: [.init("bookmarks remove \"Leak site\"", "by name")])

  let choice: MapChoice
  private let bookmark: BookmarkChoice

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    bookmark = try BookmarkChoice(arguments)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    try await map.bookmarks.remove(at: try bookmark.index(in: map.bookmarks.state))
    let page = BookmarksPage(state: map.bookmarks.state)
    return CommandResult(text: page.text, json: page.json)
  }
}
