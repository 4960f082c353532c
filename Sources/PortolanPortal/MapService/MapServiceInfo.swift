public import Foundation
public import PortolanGeometry
public import PortolanJSON
public import PortolanTiles

/// The metadata of a map service or an image service.
///
/// Docs/REST.md, 4. Everything may be missing; ``json`` keeps what has no name here.
public struct MapServiceInfo: Hashable, Sendable {
  /// The version of the server, if it is known.
  public var currentVersion: Double?
  /// The name of the map, or of the images.
  public var name: String
  /// The description of the service.
  public var serviceDescription: String?
  /// The credits.
  public var copyrightText: String?
  /// The capabilities.
  public var capabilities: ServiceCapabilities
  /// The layers, in the order of the legend.
  public var layers: [ServiceLayerEntry]
  /// The tables.
  public var tables: [ServiceLayerEntry]
  /// The spatial reference of the coordinates.
  public var spatialReference: SpatialReference?
  /// The extent to show first, in units of ``spatialReference``.
  public var initialExtent: Envelope?
  /// The extent of the whole map, in units of ``spatialReference``.
  public var fullExtent: Envelope?
  /// The tiling scheme; `nil` for a map that is drawn for each request.
  public var tileScheme: TileScheme?
  /// The format of the tiles as written, for example `PNG8` or `MIXED`.
  public var tileFormat: String?
  /// The levels that have tiles.
  public var levels: ClosedRange<Int>?
  /// Other addresses that have the same tiles.
  public var tileServers: [URL]
  /// Whether tiles may be exported.
  public var canExportTiles: Bool
  /// The maximum number of tiles in an export.
  public var maxExportTilesCount: Int?
  /// The smallest scale at which it is drawn, 0 for no limit.
  public var minScale: Double
  /// The largest scale at which it is drawn, 0 for no limit.
  public var maxScale: Double
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject
}

extension MapServiceInfo {
  /// Reads the root of a map, tile, image or vector tile service; `nil` if it is something else.
  public init?(json: JSONValue) {
    let marks = ["mapName", "layers", "tileInfo", "pixelSizeX", "singleFusedMapCache", "tiles"]
    guard let json = json.object, marks.contains(where: { json[$0] != nil }) else { return nil }
    currentVersion = json.number("currentVersion")
    name = json.filledText("mapName") ?? json.filledText("name") ?? ""
    serviceDescription = json.filledText("serviceDescription") ?? json.filledText("description")
    copyrightText = json.filledText("copyrightText")
    capabilities = ServiceCapabilities(json.text("capabilities") ?? "")
    layers = json.objects("layers").compactMap(ServiceLayerEntry.init(json:))
    tables = json.objects("tables").compactMap(ServiceLayerEntry.init(json:))
    fullExtent = json.extent("fullExtent") ?? json.extent("extent")
    initialExtent = json.extent("initialExtent")
    tileScheme = Self.tileScheme(of: json)
    tileFormat = json["tileInfo"]?["format"]?.string
    spatialReference =
      SpatialReference(esriJSON: json["spatialReference"])
      ?? SpatialReference(esriJSON: json["fullExtent"]?["spatialReference"])
      ?? tileScheme?.spatialReference
    levels = Self.levels(of: json, tileScheme)
    tileServers = json.texts("tileServers").compactMap { URL(service: $0) }
    canExportTiles = json.flag("exportTilesAllowed") ?? false
    maxExportTilesCount = json.int("maxExportTilesCount").flatMap { $0 > 0 ? $0 : nil }
    minScale = json.number("minScale") ?? 0
    maxScale = json.number("maxScale") ?? 0
    self.json = json
  }

  private static func tileScheme(of json: JSONObject) -> TileScheme? {
    guard let info = json["tileInfo"], info.object != nil else { return nil }
    // Without levels or an origin there are no tiles, whatever else is said.
    return try? TileScheme(tileInfo: info, file: "the service")
  }

  /// The levels of the scheme, as far as the service has built them.
  private static func levels(of json: JSONObject, _ scheme: TileScheme?) -> ClosedRange<Int>? {
    let all = scheme?.levels.map(\.level) ?? []
    guard let least = all.min(), let most = all.max() else { return nil }
    let first = max(least, json.int("minLOD") ?? least)
    let last = min(most, json.int("maxLOD") ?? json.int("maxZoom") ?? most)
    return first <= last ? first...last : nil
  }
}
