internal import PortolanApp

/// Shows one of the features that were found.
struct PopupCommand: MapCommand {
  static let number = Parameter.argument(
    "N", "The number of the feature in the answer of \"identify\", or next, previous or back.")

  static let declaration = CommandDeclaration(
    "popup", summary: "Show a feature that was found.", topic: .map,
    parameters: [number, PopupPlace.place, MapChoice.map, MapChoice.number],
    examples: [
      .init("popup 1", "the first feature of the last \"identify\""),
      .init("popup next", "the one after the last shown"),
      .init("popup back", "the one whose related record is shown"),
      .init("popup 1 --at -68.2079,44.3876 --map maine.mmpk", "in one line, outside of the shell"),
    ])

  /// The popup to show.
  private enum Target: Sendable {
    case number(Int)
    case next
    case previous
    case back
  }

  let choice: MapChoice
  private let target: Target
  private let place: PopupPlace

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    place = try PopupPlace(arguments)
    target = try arguments.required(
      Self.number,
      as: ValueFormat("a number from 1 up, next, previous or back") { text in
        switch text.lowercased() {
        case "next": .next
        case "previous", "prev": .previous
        case "back": .back
        default: Int(text).flatMap { $0 >= 1 ? .number($0) : nil }
        }
      })
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    try await place.identify(on: map, in: session)
    switch target {
    case .number(let number): try await map.popups.select(number - 1)
    case .next: try await map.popups.selectNext()
    case .previous: try await map.popups.selectPrevious()
    case .back: try await map.popups.goBack()
    }
    guard let page = PopupPage(state: map.popups.state) else { return CommandResult() }
    return CommandResult(text: page.text, json: page.json, status: page.status)
  }
}
