internal import PortolanApp

/// Switches a layer on.
struct ShowCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "show", summary: "Switch a layer on.", topic: .map,
    parameters: [LayerChoice.layer, MapChoice.map, MapChoice.number],
    discussion: ["In a group of which one layer is on at a time, the others go off."],
    examples: [.init("show \"Hiking trails\"", "a layer by its title")])

  let choice: MapChoice
  private let layer: LayerChoice

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layer = try LayerChoice(arguments)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let result = try layer.result(on: map, isOn: true)
    session.noteMapCloses("\"snapshot\" takes --show and --hide.")
    return result
  }
}

/// Switches a layer off.
struct HideCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "hide", summary: "Switch a layer off.", topic: .map,
    parameters: [LayerChoice.layer, MapChoice.map, MapChoice.number],
    examples: [.init("hide \"Hiking trails\"", "a layer by its title")])

  let choice: MapChoice
  private let layer: LayerChoice

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layer = try LayerChoice(arguments)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let result = try layer.result(on: map, isOn: false)
    session.noteMapCloses("\"snapshot\" takes --show and --hide.")
    return result
  }
}
