public import PortolanJSON

/// The search settings of a map's author (`applicationProperties.viewing.search`).
///
/// - SeeAlso: [search](https://developers.arcgis.com/web-map-specification/objects/search/)
public struct MapSearchSettings: Hashable, Sendable {
  /// A field of a layer or table by which its features are found.
  public struct Entry: Hashable, Sendable {
    /// The id of the layer or table.
    public let layerID: String
    /// The number of the sublayer, for layers with sublayers.
    public let sublayerID: Int?
    /// The name of the field.
    public let field: String
  }

  /// The layers and tables, in the order of the document; none if the author made no choice.
  public let entries: [Entry]
  /// The hint in an empty search box, if the author wrote one.
  public let hint: String?

  /// Reads settings; those that are switched off choose nothing.
  public init(json: JSONObject = [:]) {
    let isEnabled = json.flag("enabled") ?? true
    entries =
      isEnabled ? (json.objects("layers") + json.objects("tables")).compactMap(Entry.init) : []
    hint = json.filledText("hintText")
  }
}

extension MapSearchSettings.Entry {
  fileprivate init?(_ json: JSONObject) {
    guard let id = json.filledText("id"), let field = json.object("field")?.filledText("name")
    else { return nil }
    self.init(layerID: id, sublayerID: json.int("subLayer"), field: field)
  }
}

extension WebMap {
  /// The search settings of the author.
  public var searchSettings: MapSearchSettings {
    let viewing = json.object("applicationProperties")?.object("viewing")
    return MapSearchSettings(json: viewing?.object("search") ?? [:])
  }
}
