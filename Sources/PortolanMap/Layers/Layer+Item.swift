public import PortolanJSON

extension Layer {
  /// The layer, completed with what its portal item says about a layer of its service: definition,
  /// popup, labels and opacity.
  ///
  /// Map Viewer keeps there what was set for all maps. It goes member by member, as in Esri's
  /// clients: a map that filters the layer keeps the renderer of its item.
  ///
  /// - Parameters:
  ///   - document: The document of the item, its `data`.
  ///   - id: The number of the layer in the service.
  /// - Returns: The layer.
  /// - SeeAlso: Docs/REST.md, 3
  public func inheriting(from document: JSONValue, ofLayer id: Int) -> Layer {
    let entries = (document["layers"]?.array ?? []) + (document["tables"]?.array ?? [])
    guard itemID != nil, let entry = entries.first(where: { $0["id"]?.int == id })?.object else {
      return self
    }
    var item = LayerDefinition(json: entry.object("layerDefinition") ?? [:])
    var drawing = item.drawingInfo
    if let shows = entry.flag("showLabels"), drawing.showsLabels == nil {
      drawing.json["showLabels"] = .bool(shows)
    }
    if let opacity = entry.number("opacity"), drawing.json.number("transparency") == nil {
      drawing.transparency = 100 * (1 - min(max(opacity, 0), 1))
    }
    item.drawingInfo = drawing
    var layer = self
    layer.layerDefinition = layerDefinition.inheriting(from: item)
    guard popupDefinition == nil else { return layer }
    for name in ["popupInfo", "disablePopup"] where layer.json[name]?.isNull ?? true {
      layer.json[name] = entry[name]
    }
    return layer
  }
}

extension LayerDefinition {
  /// This definition, completed member by member with that of `item`.
  fileprivate func inheriting(from item: LayerDefinition) -> LayerDefinition {
    var merged = self
    for member in item.json.members where merged.json[member.name]?.isNull ?? true {
      merged.json[member.name] = member.value
    }
    merged.drawingInfo = drawingInfo.inheriting(from: item.drawingInfo)
    return merged
  }
}
