internal import Foundation
internal import PortolanApp

/// Adds a feature to a layer.
struct EditAddCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "edit add", summary: "Add a feature.", topic: .editing,
    parameters: [
      LayerChoice.layer, EditParameters.values, EditParameters.vertex, EditParameters.shape,
      EditParameters.coordinates, EditParameters.template, MapChoice.map, MapChoice.number,
    ],
    discussion: [
      "Fields that are not named start with their default values. A field with a list of values "
        + "takes a code or its name; a date is ISO 8601. What may stand in a field is shown by «edit "
        + "form LAYER».",
      "The map must be an unpacked package or a geodatabase: archives are not written to.",
    ],
    examples: [
      .init(
        "edit add Trails --at -109.90,38.30 --at -109.91,38.31 \"TRLNAME=New trail\"",
        "a line through two positions"),
      .init("edit add Towns --at -69.1,44.1 NAME=Camden POPULATION=5232", "a point"),
    ])

  let choice: MapChoice
  private let layer: LayerChoice
  private let assignments: [(field: String, text: String)]
  private let template: String?
  private let drawing: Drawing?

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    layer = try LayerChoice(arguments)
    assignments = try EditParameters.assignments(arguments)
    template = try arguments.value(of: EditParameters.template, as: .text)
    drawing = try Drawing(arguments)
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let form = try await map.editing.formForNewFeature(in: try layer.editableKey(in: map))
    if let template { try form.useTemplate(named: template) }
    for (field, text) in assignments { try form.setText(text, of: field) }
    if let drawing { try form.draw(drawing.sketch()) }
    try await form.submit()
    return EditPage(map.editing.state, .added, layerTitle: form.state.layerTitle).result
  }
}

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
      throw UsageError("FIELD=VALUE is missing.", suggestion: "Usage: \(Self.declaration.usage)")
    }
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let form = try await map.editing.form(for: objectID, in: try layer.editableKey(in: map))
    for (field, text) in assignments { try form.setText(text, of: field) }
    try await form.submit()
    return EditPage(map.editing.state, .changed, layerTitle: form.state.layerTitle).result
  }
}

/// Gives a feature another shape.
struct EditMoveCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "edit move", summary: "Give a feature another place or shape.", topic: .editing,
    parameters: [
      LayerChoice.layer, EditParameters.objectID, EditParameters.vertex, EditParameters.shape,
      EditParameters.coordinates, MapChoice.map, MapChoice.number,
    ],
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
        "Nothing says where to.", suggestion: "Give positions with --at, or a file with --shape.")
    }
    self.drawing = drawing
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    let layer = try layer.editableEntry(in: map)
    try await map.editing.move(objectID, in: layer.id, to: try drawing.sketch())
    return EditPage(map.editing.state, .moved, layerTitle: layer.title).result
  }
}

/// Removes a feature.
struct EditRemoveCommand: MapCommand {
  static let declaration = CommandDeclaration(
    "edit remove", summary: "Remove a feature.", topic: .editing,
    parameters: [
      LayerChoice.layer, EditParameters.objectID, MapChoice.map, MapChoice.number,
    ],
    discussion: [
      "Its attachments, and the records that are part of it, go with it; «edit undo» brings all of "
        + "them back."
    ],
    examples: [.init("edit remove Trails 12", "by object id, as «identify» shows it")])

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
