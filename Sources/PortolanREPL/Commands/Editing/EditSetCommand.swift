internal import PortolanApp

/// Changes the values of a feature.
struct EditSetCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "edit set", summary: "Change values of a feature.", topic: .editing,
    parameters: [
      LayerChoice.layer, EditParameters.objectID, EditParameters.values, MapChoice.map,
      MapChoice.number,
    ],
    examples: [.init("edit set Trails 12 TRLNAME=\"Elephant Hill\"", "one field")])

  let choice: MapChoice
  private let layer: LayerChoice
  private let objectID: Int64
  private let assignments: [(field: String, text: String)]

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layer = try LayerChoice(arguments)
    objectID = try arguments.required(EditParameters.objectID, as: .objectID)
    assignments = try EditParameters.assignments(arguments)
    guard !assignments.isEmpty else {
      throw UsageError("FIELD=VALUE is missing.", suggestion: Self.declaration.usageAdvice)
    }
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let form = try await map.editing.form(for: objectID, in: try layer.editableKey(in: map))
    for (field, text) in assignments { try form.setText(text, of: field) }
    try await form.submit()
    return EditPage(map.editing.state, .changed, layerTitle: form.state.layerTitle).result
  }
}
