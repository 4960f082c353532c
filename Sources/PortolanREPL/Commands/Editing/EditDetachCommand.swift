internal import PortolanApp

/// Removes an attachment of a feature.
struct EditDetachCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "edit detach", summary: "Remove an attachment of a feature.", topic: .editing,
    parameters: [
      LayerChoice.layer, EditParameters.objectID, EditParameters.attachment, MapChoice.map,
      MapChoice.number,
    ],
    discussion: ["\"edit undo\" restores the file."],
    examples: [
      .init("edit detach Lighthouses 4 2", "by its id, as \"attachments\" lists it")
    ])

  let choice: MapChoice
  private let layer: LayerChoice
  private let objectID: Int64
  private let attachment: Int64

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layer = try LayerChoice(arguments)
    objectID = try arguments.required(EditParameters.objectID, as: .objectID)
    attachment = try arguments.required(EditParameters.attachment, as: .objectID)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let layer = try layer.editableEntry(in: map)
    try await map.editing.removeAttachment(attachment, of: objectID, in: layer.id)
    return EditPage(map.editing.state, .detached, layerTitle: layer.title).result
  }
}
