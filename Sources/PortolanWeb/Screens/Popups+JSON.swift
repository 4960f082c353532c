internal import PortolanApp
internal import PortolanJSON

extension MapModel {
  /// The features that were found and the popup that is open, as a page reads them.
  var popupsJSON: JSONValue {
    let state = popups.state
    let editable = Set(editing.editableLayers.map(\.id))
    var selection = state.selectionJSON?.object
    if let index = state.selection?.index {
      selection?["canEdit"] = .bool(editable.contains(state.pages[index].layerID))
    }
    return [
      "pages": state.pagesJSON, "canGoBack": .bool(popups.canGoBack),
      "featureReads": JSONValue(popups.reloadCount),
      "problems": .array(
        identify.state.results.compactMap { result in
          result.problem.map {
            ["title": .string(result.title), "reason": .string($0.message)]
          }
        }),
      "selection": selection.map(JSONValue.object) ?? .null,
    ]
  }
}

extension FeatureFormModel {
  /// The form as a page reads it.
  ///
  /// - Parameter layer: The key of its layer.
  /// - Returns: Its fields, and what may be done.
  func pageJSON(layer: String) -> JSONValue {
    var members = json
    members["layerId"] = .string(layer)
    return .object(members)
  }
}
