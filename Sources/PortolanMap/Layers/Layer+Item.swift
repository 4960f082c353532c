public import PortolanJSON

extension Layer {
  /// Whether the portal item that the layer is of says how it is shown, since the map itself says nothing of
  /// that.
  public var inheritsFromItem: Bool {
    itemID != nil && role != .basemap && layerDefinition.json.isEmpty
  }

  /// What the map says about the layer, and where it says nothing what its portal item says about a
  /// layer of its service: definition, popup, labels and opacity.
  ///
  /// Map Viewer keeps there what was set for all maps.
  ///
  /// - Parameters:
  ///   - document: The document of the item, its `data`.
  ///   - id: The number of the layer in the service.
  /// - Returns: The layer.
  /// - SeeAlso: Docs/REST.md, 3
  public func inheriting(from document: JSONValue, ofLayer id: Int) -> Layer {
    let entries = (document["layers"]?.array ?? []) + (document["tables"]?.array ?? [])
    guard inheritsFromItem, let entry = entries.first(where: { $0["id"]?.int == id })?.object else {
      return self
    }
    var layer = self
    var definition = entry.object("layerDefinition") ?? [:]
    var drawing = definition.object("drawingInfo") ?? [:]
    if let shows = entry.flag("showLabels"), drawing.flag("showLabels") == nil {
      drawing["showLabels"] = .bool(shows)
    }
    if let opacity = entry.number("opacity"), drawing.number("transparency") == nil {
      drawing["transparency"] = JSONValue(100 * (1 - min(max(opacity, 0), 1)))
    }
    if !drawing.isEmpty { definition["drawingInfo"] = .object(drawing) }
    layer.layerDefinition = LayerDefinition(json: definition)
    guard popupDefinition == nil else { return layer }
    for name in ["popupInfo", "disablePopup"] where layer.json[name]?.isNull ?? true {
      layer.json[name] = entry[name]
    }
    return layer
  }
}
