internal import PortolanApp

/// Does without a layer of the web map that could not be loaded.
struct LayerSkipCommand: PortalCommand {
  static let layer = Parameter.argument(
    "LAYER", "The layer, by its title or key.", completion: .word(.layer))

  static let declaration = CommandDeclaration(
    "layer skip", summary: "Leave a layer out of the web map.", topic: .portal,
    parameters: [layer, LayerMapChoice.map],
    discussion: [
      "The web map is the one that is loaded. The layer is left out until the map is closed: outside of "
        + "a session, where --map names the map, that is when the command ends."
    ])

  private let choice: LayerMapChoice
  private let title: String

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try LayerMapChoice(arguments)
    title = try arguments.required(Self.layer, as: .text)
  }

  @MainActor func run(
    with screens: PortalScreens, in session: Session
  ) async throws -> CommandResult {
    try await choice.open(screens, in: session)
    let layer = try screens.layer(named: title, in: session)
    guard case .ofWebMap(let model, let row) = layer else {
      throw Problem(
        .notPossible, message: "\"\(layer.title)\" is a layer of a map of this device.",
        suggestion: "\"hide LAYER\" switches it off.")
    }
    try await model.skip(row.id)
    let result = try layer.result
    session.noteMapCloses()
    return result
  }
}
