internal import PortolanApp
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Finds the features at a point.
struct IdentifyCommand: MapCommand {
  static let place = Parameter.argument(
    "X,Y", "The place as longitude and latitude; with --screen a position in points.")
  static let screen = Parameter.flag(
    "screen", "X,Y is a position in the view, in points from its top left corner.")
  static let tolerance = Parameter.option(
    "tolerance", "POINTS", "The distance from there, in points; 12 unless given.")

  static let declaration = CommandDeclaration(
    "identify", summary: "Find the features at a place.", topic: .map,
    parameters: [place, screen, tolerance, MapChoice.map, MapChoice.number],
    discussion: [
      "Layers that are drawn are asked, the topmost first, for features within 12 points, or "
        + "--tolerance, at the scale of the view; each answers with its ten nearest. \"popup N\" shows "
        + "one of them, by the number in front; the id behind is its object id, by which \"edit\" names it."
    ],
    examples: [.init("identify -68.2079,44.3876", "a place in degrees")])

  let choice: MapChoice
  private let place: Coordinate
  private let isOnScreen: Bool
  private let tolerance: Double?

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    isOnScreen = arguments.isSet(Self.screen)
    tolerance = try arguments.value(of: Self.tolerance, as: .positiveNumber)
    place = try arguments.required(
      Self.place, as: isOnScreen ? .screenPoint : .coordinate)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let tolerance = tolerance ?? IdentifyModel.tolerance
    if isOnScreen {
      await map.identify.identify(screenX: place.x, y: place.y, tolerance: tolerance)
    } else {
      session.noteIfSwapped([place])
      await map.identify.identify(
        longitude: place.x, latitude: place.y, tolerance: tolerance)
    }
    if case .failed(let problem) = map.identify.state { throw problem }
    let page = IdentifyPage(state: map.identify.state, popups: map.popups.state)
    return CommandResult(text: page.text, json: page.json, status: page.status)
  }
}

extension ValueFormat<Coordinate> {
  /// `x,y` in points of the screen.
  static let screenPoint = ValueFormat("two numbers, such as 512,384") { text in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else {
      return nil
    }
    return Coordinate(x: x, y: y)
  }
}
