internal import PortolanApp

/// A layer named on the command line.
struct LayerChoice: Sendable {
  static let layer = Parameter.argument(
    "LAYER", "The title or the id of a layer.", completion: .word(.layer))

  private let name: String

  init(named name: String) { self.name = name }

  init(_ arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.layer, as: .text)
  }

  /// Switches the layer and answers with the new list.
  @MainActor func result(on map: MapModel, isOn: Bool) throws -> CommandResult {
    map.tableOfContents.setOn(try key(in: map), isOn)
    let page = TableOfContentsPage(state: map.tableOfContents.state)
    return CommandResult(text: page.text, json: page.json)
  }

  /// The key of the layer.
  @MainActor func key(in map: MapModel) throws -> String {
    let layers = map.tableOfContents.state.flattened.map { (id: $0.id, title: $0.title) }
    return try found(among: layers).id
  }

  /// The layer or table with features, which the name of its table finds too.
  @MainActor func editableEntry(in map: MapModel) throws -> (id: String, title: String) {
    let layers = map.editing.layers
    let byTable = layers.filter { $0.table.lowercased() == name.lowercased() }
    if let layer = byTable.first, byTable.count == 1 { return (layer.id, layer.title) }
    return try found(among: layers.map { ($0.id, $0.title) })
  }

  /// The key of the layer or table, one with features.
  @MainActor func editableKey(in map: MapModel) throws -> String {
    try editableEntry(in: map).id
  }

  /// The key of the layer or table, of those that can be searched if one of them is called so.
  @MainActor func searchableKey(in map: MapModel) throws -> String {
    let layers = map.search.layers.map { (id: $0.id, title: $0.title) }
    return try isAny(of: layers) ? found(among: layers).id : key(in: map)
  }

  /// The layer found by id, else by title, without case.
  private func found(
    among layers: [(id: String, title: String)]
  ) throws -> (id: String, title: String) {
    if let layer = layers.first(where: { $0.id == name }) { return layer }
    let matches = layers.filter { $0.title.lowercased() == name.lowercased() }
    if matches.count > 1 {
      throw Failure(
        .ambiguousLayer, "\(matches.count) layers are called \"\(name)\".",
        suggestion: "Name one by its id: \(matches.map(\.id).joined(separator: ", ")).")
    }
    guard let match = matches.first else {
      throw absence(among: layers.map(\.title))
    }
    return match
  }

  /// Whether one of the layers has the name as its id or, without case, its title.
  func isAny(of layers: [(id: String, title: String)]) -> Bool {
    layers.contains { $0.id == name || $0.title.lowercased() == name.lowercased() }
  }

  /// The failure that there is no such layer, with the layers that there are.
  func absence(among titles: [String]) -> Failure {
    Failure(
      .noSuchLayer, "There is no layer \"\(name)\".",
      suggestion: Suggestion.sentence(for: name, orListing: titles), status: .notFound)
  }
}
