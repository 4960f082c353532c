internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON

// Places of the open map, by what people type.
extension WebActions {
  func search(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let map = try openMap()
    // A page that names no layers means all of them.
    let layers = body.object["layers"]?.array.map { Set($0.compactMap(\.string)) }
    switch name {
    case "suggest":
      let text = try body.text("text")
      await map.search.suggest(text, in: layers)
      try check(map.search)
      return map.search.state.suggestionsJSON(for: text)
    case "find":
      await map.search.find(try body.text("text"), in: layers)
      try check(map.search)
      return map.search.state.placesJSON
    case "pick":
      let index = try await index(
        body, among: { map.search.state.proposals.map(\.label) },
        again: { await map.search.suggest($0, in: layers) })
      let asked = beginQuestion()
      try await map.search.choose(index)
      try requireStill(asked)
    default:
      let index = try await index(
        body, among: { map.search.state.places.map(\.label) },
        again: { await map.search.find($0, in: layers) })
      let asked = beginQuestion()
      try await map.search.select(index)
      try requireStill(asked)
    }
    return place(of: map)
  }

  /// The place of what a person has picked in the list as it is now.
  ///
  /// Another list may have taken the place of theirs, because the user typed on, or used another
  /// browser: then theirs is made again, and what was picked is looked for by its label.
  private func index(
    _ body: ActionParameters, among labels: () -> [String], again: (String) async -> Void
  ) async throws(Problem) -> Int {
    let index = Int(clamping: try body.integer("index"))
    guard let label = body.object["label"]?.string, let text = body.object["text"]?.string else {
      return index
    }
    for isAgain in [false, true] {
      if isAgain { await again(text) }
      let labels = labels()
      if labels.indices.contains(index), labels[index] == label { return index }
      if isAgain, let place = labels.firstIndex(of: label) { return place }
    }
    throw Problem(
      message: "\"\(label)\" is no longer found.", suggestion: "Search again.", kind: .absence)
  }

  private func check(_ search: SearchModel) throws(Problem) {
    if case .failed(let problem) = search.state { throw problem }
  }

  /// The place that is shown, with the popup of its feature.
  private func place(of map: MapModel) -> JSONValue {
    guard let place = map.search.state.selectedPlace else { return ["place": .null] }
    return [
      "place": [
        "label": .string(place.label),
        "center": place.location.map { [.number($0.x), .number($0.y)] } ?? .null,
        "scale": .number(map.state.frame.scale),
      ],
      "popups": popups(of: map),
    ]
  }
}
