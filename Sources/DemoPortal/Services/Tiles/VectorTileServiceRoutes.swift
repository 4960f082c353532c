internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles
internal import PortolanTransport

/// The addresses of a service of vector tiles.
struct VectorTileServiceRoutes: Sendable {
  let options: TileServiceOptions
  let tiles: FeatureTiles
  let style: VectorTileStyle
  let cache: TileCache
  let itemID: String
  /// The path of the service, which ends with `VectorTileServer`.
  let path: String

  /// Adds the addresses.
  ///
  /// Clients leave `f` away for styles and the index (Docs/DEMO-PORTAL.md).
  func add(to router: inout Router) {
    router.add(path) { _ in .json(root) }
    router.add(path + "/tile/{level}/{row}/{column}") { try await tile($0) }
    for address in ["/tilemap", "/tilemap/root.json"] {
      router.add(path + address) { _ in .json(tiles.index) }
    }
    for address in ["/resources/styles", "/resources/styles/root.json"] {
      router.add(path + address) { _ in .json(VectorTileStyle.json) }
    }
    for address in ["/resources/info", "/resources/info/root.json"] {
      router.add(path + address) { _ in
        .json(["resourceInfo": .array(style.resources.map { .string("../" + $0.path) })])
      }
    }
    router.add(path + "/resources/{file...}") { request in
      let name = request.capture("file")
      guard let file = style.resources.first(where: { $0.path == name }) else {
        throw DemoFailure(code: 404, "Resource not found", status: 404)
      }
      return .bytes(file.data, type: Self.type(of: name))
    }
  }

  private static func type(of name: String) -> String {
    if name.hasSuffix(".png") { return "image/png" }
    return name.hasSuffix(".json") ? "application/json" : "application/x-protobuf"
  }

  private func tile(_ request: DemoRequest) async throws -> DemoResponse {
    guard let id = TiledMapServiceRoutes.tileID(request), let tile = try await cache.tile(at: id)
    else { throw DemoFailure(code: 404, "Tile not found", status: 404) }
    var response = DemoResponse.bytes(tile, type: "application/octet-stream")
    // Whether or not the client accepts gzip.
    response.headers["Content-Encoding"] = "gzip"
    return response
  }

  private var root: JSONValue {
    let scheme = tiles.scheme
    let extent = tiles.fullExtent.esriJSON(spatialReference: scheme.spatialReference)
    var tileInfo = scheme.tileInfo.object ?? [:]
    tileInfo["preciseDpi"] = 96
    tileInfo["format"] = "indexedVector"
    return [
      "currentVersion": 11.5, "name": .string(options.name),
      "capabilities": "TilesOnly,Tilemap", "type": "indexedVector",
      "serviceItemId": .string(itemID), "serviceDescription": .string(options.summary),
      "description": .string(options.summary), "isEnabled": true,
      "exportTilesAllowed": .bool(options.allowsExport),
      "maxExportTilesCount": .integer(Int64(options.maxExportTilesCount)),
      "tileMap": "tilemap", "defaultStyles": "resources/styles",
      "copyrightText": .string(DemoContent.credits),
      "tiles": ["tile/{z}/{y}/{x}.pbf"], "initialExtent": extent, "fullExtent": extent,
      "minScale": .number(scheme.levels.first?.scale ?? 0),
      "maxScale": .number(scheme.levels.last?.scale ?? 0),
      "maxZoom": .integer(Int64(scheme.levels.last?.level ?? 0)),
      "minLOD": .integer(Int64(tiles.levels.lowerBound)),
      "maxLOD": .integer(Int64(tiles.levels.upperBound)),
      "tileInfo": .object(tileInfo),
      "resourceInfo": [
        "styleVersion": 8, "tileCompression": "gzip",
        "cacheInfo": ["storageInfo": ["packetSize": 128, "storageFormat": "compactV2"]],
      ],
    ]
  }
}
