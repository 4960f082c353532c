internal import PortolanApp

/// Tells what is seen of the open map, and moves the view.
struct ViewCommand: MapCommand {
  static let picture = Parameter.flag(
    "picture", "Show it as a picture, coarse where the terminal has none.")

  static let declaration = CommandDeclaration(
    "view", summary: "Show the view of the map, or move it.", topic: .map,
    parameters: [ViewChoice.center, ViewChoice.scale, picture, MapChoice.map, MapChoice.number],
    examples: [
      .init("view", "centre, scale and extent"),
      .init("view --center -68.2,44.35 --scale 50000", "look somewhere else"),
    ])

  let choice: MapChoice
  private let view: ViewChoice
  private let showsPicture: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    view = try ViewChoice(arguments)
    showsPicture = arguments.isSet(Self.picture)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    try view.apply(to: map, in: session)
    if view.isGiven, !showsPicture { session.noteMapCloses() }
    let page = MapPage(state: map.state)
    guard showsPicture else { return CommandResult(text: page.text, json: page.json) }
    let picture = try await MapView(of: map, in: session)
    return CommandResult(
      text: TextDocument(page.text.blocks + picture.blocks), json: picture.json(beside: page.json))
  }
}
