internal import PortolanJSON

extension Layer {
  /// The scales at which the layer is shown: its own, else those of its definition.
  public var scaleRange: ScaleRange {
    get { scaleRange(over: nil) }
    set {
      json["minScale"] = JSONValue(newValue.minScale)
      json["maxScale"] = JSONValue(newValue.maxScale)
    }
  }

  /// The scales at which the layer is shown where its service has a range of its own.
  ///
  /// Each limit is the layer's own, else that of its definition, else the service's.
  public func scaleRange(over service: ScaleRange?) -> ScaleRange {
    let definition = json.object("layerDefinition")
    return ScaleRange(
      minScale: json.number("minScale") ?? definition?.number("minScale") ?? service?.minScale ?? 0,
      maxScale: json.number("maxScale") ?? definition?.number("maxScale") ?? service?.maxScale ?? 0)
  }

  /// Whether a scale, as a denominator, is one at which the layer is shown.
  ///
  /// Only the layer's own range counts, not that of the groups it is in.
  public func isVisible(atScale scale: Double) -> Bool { scaleRange.contains(scale) }

  /// The display of the layer in a table of contents.
  public var listMode: ListMode {
    get { json.text("listMode").flatMap(ListMode.init) ?? .show }
    set { json["listMode"] = .string(newValue.rawValue) }
  }

  /// Whether the legend has the layer.
  public var showsLegend: Bool {
    get { json.flag("showLegend") ?? true }
    set { json["showLegend"] = .bool(newValue) }
  }

  /// Whether labels are drawn; documents must ask for them.
  public var showsLabels: Bool {
    get { showsLabels(over: nil) }
    set { json["showLabels"] = .bool(newValue) }
  }

  /// Whether labels are drawn: as the map says, else as the service of the layer says.
  public func showsLabels(over service: Bool?) -> Bool {
    json.flag("showLabels") ?? layerDefinition.drawingInfo.showsLabels ?? service ?? false
  }

  /// Whether the map itself says how opaque the layer is, so that its service has no say.
  public var setsOpacity: Bool { json.number("opacity") != nil }

  /// The refresh interval of the layer, in minutes; `nil` for never.
  public var refreshInterval: Double? {
    get { json.number("refreshInterval").flatMap { $0 > 0 ? $0 : nil } }
    set { json["refreshInterval"] = JSONValue(newValue ?? 0) }
  }

  /// The custom parameters of every request to the layer's service.
  public var customParameters: [String: String] {
    (json.object("customParameters") ?? [:]).members.reduce(into: [:]) { parameters, member in
      parameters[member.name] = member.value.string ?? member.value.text()
    }
  }

  /// The blend mode of its colours with those below, as CSS names it; `nil` for `normal`.
  public var blendMode: String? {
    get { json.filledText("blendMode").flatMap { $0 == "normal" ? nil : $0 } }
    set { json["blendMode"] = newValue.map { .string($0) } }
  }

  /// Whether a basemap layer is drawn above the operational layers.
  public var isReference: Bool {
    get { json.flag("isReference") ?? false }
    set { json["isReference"] = newValue ? true : nil }
  }

  /// The capabilities to which the map limits the layer; `nil` if it does not.
  public var capabilities: [String]? {
    json.filledText("capabilities")?.split(separator: ",").map {
      String($0).trimmingBlanks()
    }
  }
}

extension Layer {
  /// The map's definition of fields, drawing and filters, which overrides the service's.
  public var layerDefinition: LayerDefinition {
    get { LayerDefinition(json: json.object("layerDefinition") ?? [:]) }
    set { json["layerDefinition"] = newValue.json.isEmpty ? nil : .object(newValue.json) }
  }

  /// The popup definition, if the map has one; whether popups are to be shown is
  /// ``isPopupEnabled``.
  public var popupDefinition: PopupDefinition? {
    get { json.object("popupInfo").map(PopupDefinition.init(json:)) }
    set { json["popupInfo"] = newValue.map { .object($0.json) } }
  }

  /// Whether features of the layer can be identified.
  public var isPopupEnabled: Bool {
    get { !(json.flag("disablePopup") ?? false) }
    set { json["disablePopup"] = newValue ? nil : true }
  }
}
