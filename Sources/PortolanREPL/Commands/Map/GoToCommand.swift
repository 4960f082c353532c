internal import PortolanApp

/// Shows a bookmark of the open map.
struct GoToCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "go-to", aliases: ["goto"], summary: "Show a named place of the map.", topic: .map,
    parameters: [BookmarkChoice.bookmark, MapChoice.map, MapChoice.number],
    examples: [.init("go-to 1", "by number"), .init("go-to \"Old Port\"", "by name")])

  let choice: MapChoice
  private let bookmark: BookmarkChoice

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    bookmark = try BookmarkChoice(arguments)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    try map.bookmarks.go(to: try bookmark.index(in: map.bookmarks.state))
    session.noteMapCloses()
    let page = MapPage(state: map.state)
    return CommandResult(text: page.text, json: page.json)
  }
}
