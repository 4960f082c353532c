internal import PortolanApp
internal import PortolanGeometry

/// Tells what is seen of the open map, and moves the view.
struct ViewCommand: MapCommand {
  static let center = Parameter.option(
    "center", "LON,LAT", "The middle of the view, as longitude and latitude.")
  static let scale = Parameter.option(
    "scale", "N", "The denominator of the scale: 24000 for 1:24000.")

  static let picture = Parameter.flag(
    "picture", "Show it as a picture, coarse where the terminal has none.")

  static let declaration = CommandDeclaration(
    "view", summary: "Show the view of the map, or move it.", topic: .map,
    parameters: [center, scale, picture, MapChoice.map, MapChoice.number],
    examples: [
      .init("view", "centre, scale and extent"),
      .init("view --center -68.2,44.35 --scale 50000", "look somewhere else"),
    ])

  let choice: MapChoice
  private let center: Coordinate?
  private let scale: Double?
  private let showsPicture: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    center = try arguments.value(of: Self.center, as: .coordinate)
    scale = try arguments.value(of: Self.scale, as: .positiveNumber)
    showsPicture = arguments.isSet(Self.picture)
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
    if center != nil || scale != nil, !showsPicture { session.noteMapCloses() }
    let page = MapPage(state: map.state)
    guard showsPicture else { return CommandResult(text: page.text, json: page.json) }
    let view = try await MapView(of: map, in: session)
    return CommandResult(
      text: TextDocument(page.text.blocks + view.blocks), json: view.json(beside: page.json))
  }
}
