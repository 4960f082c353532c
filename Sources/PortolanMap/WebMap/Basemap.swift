public import PortolanJSON

/// The layers below the operational ones, and the reference layers above them.
///
/// The value is the JSON object it was read from; see ``Layer``.
public struct Basemap: Hashable, Sendable {
  /// The basemap as it was read, with the changes made since.
  public var json: JSONObject

  /// Reads a basemap.
  public init(json: JSONObject) { self.json = json }

  /// Creates a basemap.
  public init(title: String, layers: [Layer] = []) {
    json = ["baseMapLayers": JSONValue(layers.map(\.json)), "title": .string(title)]
  }

  /// The name for people; empty if it has none.
  public var title: String {
    get { json.filledText("title") ?? "" }
    set { json["title"] = .string(newValue) }
  }

  /// All layers, bottom first, reference layers among them.
  public var layers: [Layer] {
    get { json.objects("baseMapLayers").map { Layer(json: $0, role: .basemap) } }
    set { json["baseMapLayers"] = JSONValue(newValue.map(\.json)) }
  }

  /// The layers that are drawn below the operational layers, bottom first.
  public var baseLayers: [Layer] { layers.filter { !$0.isReference } }

  /// The layers that are drawn above the operational layers, bottom first.
  public var referenceLayers: [Layer] { layers.filter(\.isReference) }
}
