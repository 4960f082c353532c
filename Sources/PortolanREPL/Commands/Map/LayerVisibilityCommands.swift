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
    try layer.result(on: map, isOn: true)
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
    try layer.result(on: map, isOn: false)
  }
}

/// A layer named on the command line.
struct LayerChoice: Sendable {
  static let layer = Parameter.argument(
    "LAYER", "The title or the id of a layer.", completion: .word(.layer))

  private let name: String

  init(_ arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.layer, as: .text)
  }

  /// Switches the layer and answers with the new list.
  @MainActor func result(on map: MapModel, isOn: Bool) throws -> CommandResult {
    map.tableOfContents.setOn(try key(in: map), isOn)
    let page = TableOfContentsPage(state: map.tableOfContents.state)
    return CommandResult(text: page.text, json: page.json)
  }

  /// The key of the layer: by id, else by title, without case.
  @MainActor private func key(in map: MapModel) throws -> String {
    let entries = map.tableOfContents.state.flattened
    if let entry = entries.first(where: { $0.id == name }) { return entry.id }
    let matches = entries.filter { $0.title.lowercased() == name.lowercased() }
    if matches.count > 1 {
      throw Failure(
        "ambiguous-layer", "\(matches.count) layers are called «\(name)».",
        suggestion: "Name one by its id: \(matches.map(\.id).joined(separator: ", ")).")
    }
    guard let match = matches.first else {
      throw Failure(
        "no-such-layer", "There is no layer «\(name)».",
        suggestion: Suggestion.sentence(for: name, among: entries.map(\.title))
          ?? "Look at the list with «toc».", status: .notFound)
    }
    return match.id
  }
}
