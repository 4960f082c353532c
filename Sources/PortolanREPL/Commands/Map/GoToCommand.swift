internal import PortolanApp

/// Shows a bookmark of the open map.
struct GoToCommand: MapCommand {
  static let bookmark = Parameter.argument(
    "BOOKMARK", "The name or the number of a bookmark.", completion: .word(.bookmark))

  static let declaration = CommandDeclaration(
    "go-to", aliases: ["goto"], summary: "Show a named place of the map.", topic: .map,
    parameters: [bookmark, MapChoice.map, MapChoice.number],
    examples: [.init("go-to 1", "by number"), .init("go-to \"Old Port\"", "by name")])

  let choice: MapChoice
  private let name: String

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    name = try arguments.required(Self.bookmark, as: .text)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    try map.bookmarks.go(to: try index(in: map.bookmarks.state))
    session.noteMapCloses()
    let page = MapPage(state: map.state)
    return CommandResult(text: page.text, json: page.json)
  }

  /// The place in the list: by name without case, else by number.
  private func index(in state: BookmarksModel.State) throws -> Int {
    let names = state.bookmarks.map(\.name)
    if let index = names.firstIndex(where: { $0.lowercased() == name.lowercased() }) {
      return index
    }
    if let number = Int(name) { return number - 1 }
    throw Failure(
      .noSuchBookmark, "There is no bookmark \"\(name)\".",
      suggestion: Suggestion.sentence(for: name, among: names)
        ?? "Look at the list with \"bookmarks\".", status: .notFound)
  }
}
