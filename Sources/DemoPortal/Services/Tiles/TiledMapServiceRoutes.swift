internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles

/// The addresses of a map service that is a cache of pictures.
struct TiledMapServiceRoutes: Sendable {
  let options: TileServiceOptions
  let renderer: any TileRenderer
  let cache: TileCache
  let itemID: String
  /// The path of the service, which ends with `MapServer`.
  let path: String

  /// Adds the addresses.
  func add(to router: inout Router) {
    router.add(path) { _ in .json(root) }
    router.add(path + "/legend") { _ in .json(["layers": []]) }
    router.add(path + "/layers") { _ in .json(["layers": [], "tables": []]) }
    router.add(path + "/tile/{level}/{row}/{column}") { try await tile($0) }
    router.add(path + "/tilemap/{level}/{row}/{column}/{width}/{height}") { try tileMap($0) }
  }

  private var root: JSONValue {
    let scheme = renderer.scheme
    let extent = renderer.fullExtent.esriJSON(spatialReference: scheme.spatialReference)
    var tileInfo = scheme.tileInfo.object ?? [:]
    tileInfo["format"] = "PNG32"
    tileInfo["compressionQuality"] = 0
    tileInfo["storageFormat"] = "esriMapCacheStorageModeCompactV2"
    return [
      "currentVersion": 11.5, "serviceItemId": .string(itemID),
      "serviceDescription": .string(options.summary), "mapName": .string(options.name),
      "description": .string(options.summary),
      "copyrightText": .string(DemoContent.pictureCredits),
      "supportsDynamicLayers": false, "layers": [], "tables": [],
      "spatialReference": scheme.spatialReference.esriJSON, "singleFusedMapCache": true,
      "tileInfo": .object(tileInfo),
      "storageInfo": [
        "storageFormat": "esriMapCacheStorageModeCompactV2", "packetSize": 128,
      ],
      "initialExtent": extent, "fullExtent": extent,
      "minLOD": .integer(Int64(renderer.levels.lowerBound)),
      "maxLOD": .integer(Int64(renderer.levels.upperBound)),
      "minScale": .number(scheme.level(renderer.levels.lowerBound)?.scale ?? 0),
      "maxScale": .number(scheme.level(renderer.levels.upperBound)?.scale ?? 0),
      "units": "esriMeters", "supportedImageFormatTypes": "PNG32",
      "capabilities": "Map,TilesOnly,Tilemap", "supportedQueryFormats": "JSON",
      "exportTilesAllowed": .bool(options.allowsExport),
      "maxExportTilesCount": .integer(
        Int64(options.allowsExport ? options.maxExportTilesCount : 0)),
      "resampling": false, "maxRecordCount": 2000, "maxImageHeight": 4096,
      "maxImageWidth": 4096, "documentInfo": ["Title": .string(options.name)],
    ]
  }

  private func tile(_ request: DemoRequest) async throws -> DemoResponse {
    guard let id = Self.tileID(request), let tile = try await cache.tile(at: id) else {
      throw DemoFailure(code: 404, "Tile not found", status: 404)
    }
    return .download(.bytes(tile), type: "image/png", tag: "\(options.name)-\(id)")
  }

  private func tileMap(_ request: DemoRequest) throws -> DemoResponse {
    guard let first = Self.tileID(request), let width = Int(request.capture("width")),
      let height = Int(request.capture("height")), (1...128).contains(width),
      (1...128).contains(height)
    else { throw DemoFailure.badRequest("The block of tiles is invalid.") }
    let data = (0..<height).flatMap { row in
      (0..<width).map { column in
        renderer.covers(
          TileID(level: first.level, row: first.row + row, column: first.column + column))
      }
    }
    guard data.contains(true) else { throw DemoFailure(code: 422, "Tiles not present") }
    return .json([
      "adjusted": false,
      "location": [
        "left": .integer(Int64(first.column)), "top": .integer(Int64(first.row)),
        "width": .integer(Int64(width)), "height": .integer(Int64(height)),
      ], "data": .array(data.map { $0 ? 1 : 0 }), "valid": true,
    ])
  }

  /// The tile in an address, with or without an extension after its last number.
  static func tileID(_ request: DemoRequest) -> TileID? {
    let column = request.capture("column").prefix { $0 != "." }
    let sides = 0..<TileScheme.maximumSide
    guard let level = Int(request.capture("level")), let row = Int(request.capture("row")),
      let column = Int(column), (0...62).contains(level), sides.contains(row),
      sides.contains(column)
    else { return nil }
    return TileID(level: level, row: row, column: column)
  }
}
