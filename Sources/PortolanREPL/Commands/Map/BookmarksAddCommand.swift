internal import PortolanApp
internal import PortolanGeometry

/// Keeps what is seen of the open map as a bookmark of one's own.
struct BookmarksAddCommand: MapCommand {
  static let name = Parameter.argument("NAME", "The name of the bookmark.")

  static let declaration = CommandDeclaration(
    "bookmarks add", summary: "Keep what is seen as a bookmark of your own.", topic: .map,
    parameters: [name, ViewCommand.center, ViewCommand.scale, MapChoice.map, MapChoice.number],
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
  private let center: Coordinate?
  private let scale: Double?

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    name = try arguments.required(Self.name, as: .text)
    center = try arguments.value(of: ViewCommand.center, as: .coordinate)
    scale = try arguments.value(of: ViewCommand.scale, as: .positiveNumber)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    if let center {
      session.noteIfSwapped([center])
      try map.go(
        to: Viewpoint(
          target: .center(center), scale: scale, rotation: map.state.frame.rotation,
          spatialReference: .wgs84))
    } else if let scale {
      map.setScale(scale)
    }
    try await map.bookmarks.add(name)
    let page = BookmarksPage(state: map.bookmarks.state)
    return CommandResult(text: page.text, json: page.json)
  }
}
