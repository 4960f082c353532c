internal import PortolanApp

/// Removes a feature.
struct EditRemoveCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "edit remove", summary: "Remove a feature.", topic: .editing,
    parameters: [
      LayerChoice.layer, EditParameters.objectID, MapChoice.map, MapChoice.number,
    ],
    discussion: [
      "Its attachments, and the records that are part of it, go with it; \"edit undo\" restores all "
        + "of them."
    ],
    examples: [.init("edit remove Trails 12", "by object id, as \"identify\" shows it")])

  let choice: MapChoice
  private let layer: LayerChoice
  private let objectID: Int64

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layer = try LayerChoice(arguments)
    objectID = try arguments.required(EditParameters.objectID, as: .objectID)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let layer = try layer.editableEntry(in: map)
    try await map.editing.remove(objectID, in: layer.id)
    return EditPage(map.editing.state, .removed, layerTitle: layer.title).result
  }
}
