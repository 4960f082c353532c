internal import PortolanApp

/// Gives a feature another shape.
struct EditMoveCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "edit move", summary: "Move or reshape a feature.", topic: .editing,
    parameters: [
      LayerChoice.layer, EditParameters.objectID, EditParameters.vertex, EditParameters.shape,
      EditParameters.coordinates, MapChoice.map, MapChoice.number,
    ],
    discussion: ["A point keeps its height and its measure, unless --at gives another height."],
    examples: [.init("edit move Towns 3 --at -69.11,44.12", "a point")])

  let choice: MapChoice
  private let layer: LayerChoice
  private let objectID: Int64
  private let drawing: Drawing

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layer = try LayerChoice(arguments)
    objectID = try arguments.required(EditParameters.objectID, as: .objectID)
    guard let drawing = try Drawing(arguments) else {
      throw UsageError(
        "The new position is missing.",
        suggestion: "Give positions with --at, or a file with --shape.")
    }
    self.drawing = drawing
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let layer = try layer.editableEntry(in: map)
    try await map.editing.move(objectID, in: layer.id, to: try drawing.sketch(in: session))
    return EditPage(map.editing.state, .moved, layerTitle: layer.title).result
  }
}
