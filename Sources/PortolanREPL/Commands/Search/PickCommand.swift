internal import PortolanApp
internal import PortolanJSON

/// Shows one of the places that were suggested or found.
struct PickCommand: Command {
  static let place = Parameter.argument("N", "The number in the list, counted from 1.")

  static let declaration = CommandDeclaration(
    "pick", summary: "Show one of the places that were suggested or found.", topic: .map,
    parameters: [place, MapChoice.map, MapChoice.number],
    discussion: [
      "The view moves there, and the popup of the feature is opened. The list is that of \"suggest\" or "
        + "\"find\" before in the open map, at the prompt or in a script; --map can only name that map."
    ],
    examples: [.init("pick 1", "the best match")])

  private let choice: MapChoice
  private let index: Int

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    index = try arguments.required(Self.place, as: .integer(in: 1...1000)) - 1
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    // Results found in a map last only as long as the map is open.
    guard session.keepsMap, let map = session.app.map,
      try await choice.source(besideOpenMapOf: session) == nil
    else {
      throw UsageError(
        "There is no list to pick from, since nothing was searched for in that map while it is open.",
        suggestion: "Give \"open MAP\", \"find TEXT\" and \"pick N\" at the prompt, or in a script."
      )
    }
    if session.app.packageSearch.state.isList {
      return try await pickInPackage(session)
    }
    if map.search.state.proposals.isEmpty {
      try await map.search.select(index)
    } else {
      try await map.search.choose(index)
    }
    return try result(on: map)
  }

  /// Shows the place in the map of the package that has it, which is open then.
  @MainActor private func pickInPackage(_ session: Session) async throws -> CommandResult {
    try await session.app.packageSearch.choose(index)
    session.offerWords()
    guard let map = session.app.map else { throw CancellationError() }
    return try result(on: map)
  }

  @MainActor private func result(on map: MapModel) throws -> CommandResult {
    if case .failed(let problem) = map.search.state { throw problem }
    guard let place = map.search.state.selectedPlace else {
      return CommandResult(
        text: TextDocument("It is no longer there."),
        json: ["place": .null, "popup": .null, "map": .null])
    }
    let page = MapPage(state: map.state)
    let popup = PopupPage(state: map.popups.state)
    return CommandResult(
      text: TextDocument(
        [FoundPlacesPage.line(place), .blank]
          + (popup.map { $0.text.blocks + [.blank] } ?? []) + page.text.blocks),
      json: ["place": place.json, "popup": popup?.json ?? .null, "map": page.json],
      status: popup?.status ?? .done)
  }
}
