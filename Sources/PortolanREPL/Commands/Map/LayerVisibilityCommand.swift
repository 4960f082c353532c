internal import PortolanApp

/// A command that switches a layer on or off.
protocol LayerVisibilityCommand: MapCommand {
  /// Whether the layer is on afterwards.
  static var isOn: Bool { get }

  /// The layer.
  var layer: LayerChoice { get }

  /// Creates the command for a layer.
  init(choice: MapChoice, layer: LayerChoice)
}

extension LayerVisibilityCommand {
  init(parsing arguments: Arguments) throws(UsageError) {
    self.init(choice: try MapChoice(arguments), layer: try LayerChoice(arguments))
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let result = try layer.result(on: map, isOn: Self.isOn)
    session.noteMapCloses("\"snapshot\" takes --show and --hide.")
    return result
  }
}

/// Switches a layer on.
struct ShowCommand: LayerVisibilityCommand {
  static let declaration = CommandDeclaration(
    "show", summary: "Switch a layer on.", topic: .map,
    parameters: [LayerChoice.layer, MapChoice.map, MapChoice.number],
    discussion: ["In a group of which one layer is on at a time, the others go off."],
    examples: [.init("show \"Hiking trails\"", "a layer by its title")])
  static let isOn = true

  let choice: MapChoice
  let layer: LayerChoice
}

/// Switches a layer off.
struct HideCommand: LayerVisibilityCommand {
  static let declaration = CommandDeclaration(
    "hide", summary: "Switch a layer off.", topic: .map,
    parameters: [LayerChoice.layer, MapChoice.map, MapChoice.number],
    examples: [.init("hide \"Hiking trails\"", "a layer by its title")])
  static let isOn = false

  let choice: MapChoice
  let layer: LayerChoice
}
