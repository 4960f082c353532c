internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSearch

// Places of the open map, by what people type.
extension WebActions {
  func search(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let map = try openMap()
    switch name {
    case "suggest":
      await map.search.suggest(try body.text("text"))
      try check(map.search)
      return ["suggestions": .array(map.search.state.suggestions.map(\.pageJSON))]
    case "find":
      await map.search.find(try body.text("text"))
      try check(map.search)
      return ["places": .array(map.search.state.results.map(\.pageJSON))]
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
    guard case .found(let results, let selection?) = map.search.state,
      results.indices.contains(selection)
    else { return ["place": .null] }
    let result = results[selection]
    return [
      "place": [
        "label": .string(result.label),
        "center": result.location.map { [.number($0.x), .number($0.y)] } ?? .null,
        "scale": .number(map.state.frame.scale),
      ],
      "popups": map.popupsJSON,
    ]
  }
}

extension LocatorSuggestion {
  fileprivate var pageJSON: JSONValue {
    [
      "label": .string(label), "layer": .string(sourceTitle), "isCollection": .bool(isCollection),
    ]
  }
}

extension LocatorResult {
  fileprivate var pageJSON: JSONValue {
    ["label": .string(label), "layer": .string(sourceTitle), "isCollection": false]
  }
}
