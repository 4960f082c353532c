internal import PortolanApp

/// Does without a layer of the web map that could not be loaded.
struct LayerSkipCommand: PortalCommand {
  static let layer = Parameter.argument(
    "LAYER", "The layer, by its title or key.", completion: .word(.layer))

  static let declaration = CommandDeclaration(
    "layer skip", summary: "Leave a layer out of the web map.", topic: .portal,
    parameters: [layer])

  private let title: String

  init(parsing arguments: Arguments) throws(UsageError) {
    title = try arguments.required(Self.layer, as: .text)
  }

  @MainActor func run(
    with screens: PortalScreens, in session: Session
  ) async throws -> CommandResult {
    let (model, row) = try screens.layer(titled: title)
    try await model.skip(row.id)
    return try screens.result(of: row)
  }
}

extension PortalScreens {
  /// That a command is about a web map, and none is loaded.
  static var noWebMap: UsageError {
    UsageError("No web map is loaded.", suggestion: "Load one with \"web-map ID\".")
  }

  /// A layer of the web map that is loaded, by title or key.
  ///
  /// - Throws: A usage error if no web map is loaded; a problem if there is no such layer, or more than
  ///   one.
  func layer(titled title: String) throws -> (model: WebMapModel, row: WebMapModel.Row) {
    guard let webMap, let contents = webMap.state.contents else { throw Self.noWebMap }
    let rows = contents.layers.filter { $0.id == title }
    let titled = contents.layers.filter { $0.title.lowercased() == title.lowercased() }
    let found = rows.isEmpty ? titled : rows
    guard let row = found.first else {
      throw Problem(
        message: "The web map has no layer \"\(title)\".", suggestion: "\"web-map\" lists them.",
        kind: .absence)
    }
    guard found.count == 1 else {
      let keys = found.map(\.id).joined(separator: ", ")
      throw Problem(
        message: "Several layers are called \"\(title)\".",
        suggestion: "Name one by its key: \(keys).")
    }
    return (webMap, row)
  }

  /// The web map's page after a layer was treated; the layer's own problem if it still fails.
  func result(of row: WebMapModel.Row) throws -> CommandResult {
    guard let contents = webMap?.state.contents else { throw Self.noWebMap }
    if let problem = contents.layers.first(where: { $0.id == row.id })?.problem { throw problem }
    let page = WebMapPage(contents: contents)
    return CommandResult(text: page.text, json: page.json)
  }
}
