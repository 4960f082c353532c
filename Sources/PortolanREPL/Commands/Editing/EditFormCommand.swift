internal import PortolanApp
internal import PortolanFeatures
internal import PortolanJSON

/// Shows what may be typed for a feature.
struct EditFormCommand: MapCommand {
  static let objectID = Parameter.argument(
    "ID", "The object id of a feature; a new one unless given.", count: .atMostOne)

  static let declaration = CommandDeclaration(
    "edit form", summary: "Show the form of a feature: its fields and what they take.",
    topic: .editing,
    parameters: [LayerChoice.layer, objectID, MapChoice.map, MapChoice.number],
    examples: [.init("edit form Trails", "what a new trail takes")])

  let choice: MapChoice
  private let layer: LayerChoice
  private let objectID: Int64?

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layer = try LayerChoice(arguments)
    objectID = try arguments.value(of: Self.objectID, as: .objectID)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let key = try layer.editableKey(in: map)
    let form =
      if let objectID {
        try await map.editing.form(for: objectID, in: key)
      } else {
        try await map.editing.formForNewFeature(in: key)
      }
    let page = FormPage(state: form.state)
    return CommandResult(text: page.text, json: .object(form.json))
  }
}
