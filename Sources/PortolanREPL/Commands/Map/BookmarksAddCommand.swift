internal import PortolanApp

/// Keeps what is seen of the open map as a bookmark of one's own.
struct BookmarksAddCommand: MapCommand {
  static let name = Parameter.argument("NAME", "The name of the bookmark.")

  static let declaration = CommandDeclaration(
    "bookmarks add", summary: "Keep what is seen as a bookmark of your own.", topic: .map,
    parameters: [name, ViewChoice.center, ViewChoice.scale, MapChoice.map, MapChoice.number],
    discussion: [
      "The bookmark is listed behind those of the map, also after the next start and after an update of "
        + "the map. It is kept in the home folder; the map is not changed."
    ],
    examples: [
      .init("bookmarks add \"Leak site\"", "what is seen now"),
      .init(
        "bookmarks add \"Leak site\" --center -88.155,41.7705 --scale 2000 --map waterworks.mmpk",
        "a place of a map that is not open"),
    ])

  let choice: MapChoice
  private let name: String
  private let view: ViewChoice

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    name = try arguments.required(Self.name, as: .text)
    view = try ViewChoice(arguments)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    try view.apply(to: map, in: session)
    try await map.bookmarks.add(name)
    let page = BookmarksPage(state: map.bookmarks.state)
    return CommandResult(text: page.text, json: page.json)
  }
}
