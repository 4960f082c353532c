public import PortolanJSON

/// A part of a map service or of a feature collection, as the map describes it.
public struct Sublayer: Hashable, Sendable {
  /// The sublayer as it was read, with all its members.
  public let json: JSONObject

  /// Reads a sublayer.
  public init(json: JSONObject) { self.json = json }

  /// The id, which services count from 0 and viewers may make up as text.
  public var id: String? { json.filledText("id") }

  /// The name for people, if the map has one.
  public var title: String? {
    json.filledText("title") ?? json.filledText("name") ?? layerDefinition.name
  }

  /// Whether the sublayer is switched on unless the layer says which ones are.
  public var isVisible: Bool { json.flag("visibility") ?? json.flag("defaultVisibility") ?? true }

  /// The scales at which it is shown.
  public var scaleRange: ScaleRange {
    ScaleRange(
      minScale: json.number("minScale") ?? layerDefinition.scaleRange.minScale,
      maxScale: json.number("maxScale") ?? layerDefinition.scaleRange.maxScale)
  }

  /// The id of the sublayer that this one is in, if any.
  public var parentID: String? { json.text("parentLayerId").flatMap { $0 == "-1" ? nil : $0 } }

  /// Whether the legend has it.
  public var showsLegend: Bool { json.flag("showLegend") ?? true }

  /// The map's definition of fields, drawing and filters.
  public var layerDefinition: LayerDefinition {
    LayerDefinition(json: json.object("layerDefinition") ?? [:])
  }

  /// The popup definition, if the map has one.
  public var popupDefinition: PopupDefinition? {
    json.object("popupInfo").map(PopupDefinition.init(json:))
  }
}
