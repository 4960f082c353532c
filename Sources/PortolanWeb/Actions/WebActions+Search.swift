internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON

// Places of the open map, by what people type.
extension WebActions {
  func search(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let map = try openMap()
    switch name {
    case "suggest":
      let text = try body.text("text")
      await map.search.suggest(text)
      try check(map.search)
      return map.search.state.suggestionsJSON(for: text)
    case "find":
      await map.search.find(try body.text("text"))
      try check(map.search)
      return map.search.state.placesJSON
    case "pick": try await map.search.choose(Int(clamping: try body.integer("index")))
    default: try await map.search.select(Int(clamping: try body.integer("index")))
    }
    return place(of: map)
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
      "popups": map.popupsJSON,
    ]
  }
}
