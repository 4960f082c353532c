internal import PortolanApp
internal import PortolanFeatures

/// Takes back the last edit.
struct EditUndoCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "edit undo", summary: "Undo the last edit of this session.", topic: .editing,
    parameters: [MapChoice.map, MapChoice.number],
    discussion: [
      "Edits can be undone, the last one first, as long as the map is open and until it is "
        + "synchronized: in the shell, or in a script that made them."
    ])

  let choice: MapChoice

  init(parsing arguments: Arguments) throws(UsageError) { choice = try MapChoice(arguments) }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let undone = try await map.editing.undo()
    let left = map.editing.state.undoCount
    var blocks = undone.map { change in
      let layer = map.editing.layerTitle(ofTable: change.table)
      return TextDocument.Block.line("Undone: \(change.sentence(in: layer)).")
    }
    blocks.append(.line(left == 0 ? "Nothing is left to undo." : "\(left) left to undo."))
    return CommandResult(
      text: TextDocument(blocks),
      json: map.editing.state.json(undone: undone))
  }
}
