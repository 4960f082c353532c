public import PortolanGeometry
public import PortolanJSON

/// The URL template of the tiles of a server.
public struct WebTileTemplate: Hashable, Sendable {
  /// The address with `{level}`, `{col}`, `{row}` and `{subDomain}`.
  public let templateURL: String?
  /// The values of `{subDomain}`, used in turn.
  public let subDomains: [String]
  /// The attribution of the tiles.
  public let copyright: String?
  /// The extent of the tiles, in the spatial reference of the layer.
  public let fullExtent: Envelope?

  /// Reads the layer of a map.
  public init(json: JSONObject) {
    templateURL = json.filledText("templateUrl")
    subDomains = json.texts("subDomains")
    copyright = json.filledText("copyright")
    // An extent that cannot be read limits nothing.
    fullExtent = json["fullExtent"].flatMap { try? Envelope(esriJSON: $0) }
  }
}
