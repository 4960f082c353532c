internal import PortolanApp
internal import PortolanGeometry

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
        + "takes a code or its name, or both as in 2 (Ash) where one of them may mean another value; "
        + "a date is ISO 8601. What may stand in a field is shown by \"edit form LAYER\". A feature of a layer needs its shape; a row of a table has none.",
      "The map must be an unpacked package, a geodatabase or a GeoPackage: archives are not written "
        + "to.",
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
    if let drawing { try form.draw(drawing.sketch(in: session)) }
    try requireShape(of: form.state)
    try await form.submit()
    return EditPage(map.editing.state, .added, layerTitle: form.state.layerTitle).result
  }

  /// Says how a shape is given, where the form lacks one.
  private func requireShape(of form: FeatureFormModel.State) throws(UsageError) {
    guard form.lacksShape else { return }
    let way =
      form.geometryType == .point
      ? "its place with --at X,Y" : "its vertices with --at X,Y --at X,Y ..."
    throw UsageError(
      "Features of \"\(form.layerTitle)\" have a shape, and the line gives none.",
      suggestion: "Give \(way), or a file with --shape FILE.")
  }
}
