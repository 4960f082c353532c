internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles
internal import PortolanTransport

extension MapCacheConfig {
  /// Reads the document of a tiled service of ArcGIS.
  ///
  /// - Throws: ``TileCacheError/badSource(_:reason:)`` if its levels are not those of the map of the
  ///   web.
  init(service json: JSONValue, at url: URL, cacheName name: String?) throws(TileCacheError) {
    let own = url.deletingLastPathComponent().lastPathComponent
    let address = url.absoluteString.prefix { $0 != "?" }
    let scheme: TileScheme
    do throws(TileError) {
      scheme = try TileScheme(tileInfo: json["tileInfo"] ?? .null, file: own)
    } catch {
      throw .badSource(url.withoutSecrets, reason: "its levels cannot be read")
    }
    let quad = WebMercatorQuad(matching: scheme)
    let first = json["minLOD"]?.int ?? scheme.levels.first?.level ?? 0
    let last = json["maxLOD"]?.int ?? scheme.levels.last?.level ?? 0
    let numbers = scheme.levels.filter { Self.isOfWorld($0, in: scheme) }.map(\.level)
      .filter { $0 >= first && $0 <= last }
    let shift = Self.shift(of: numbers, in: quad)
    let levels = numbers.map { $0 + (shift ?? 0) }.filter { $0 <= Self.greatestZoom }
    guard let shift, let lowest = levels.first, let highest = levels.last else {
      throw .badSource(
        url.withoutSecrets, reason: "its levels are not those of Web Mercator")
    }
    let level = TileURLTemplate.placeholder(ofLevelFrom: -shift)
    let isVector = url.lastPathComponent == "VectorTileServer"
    let path = json["tiles"]?[0]?.string ?? "tile/{z}/{y}/{x}.pbf"
    let template =
      isVector
      ? Self.absolute(path, from: URL(string: "\(address)/") ?? url).replacing("{z}", with: level)
      : "\(address)/tile/\(shift == 0 ? "{level}" : level)/{row}/{col}?blankTile=false"
    try self.init(
      withUrlTemplate: Self.carrying(Self.parameters(of: url), to: template, below: address),
      cacheName: name ?? json.object?.filledText("mapName") ?? own, minimumZ: lowest)
    highestLevel = highest
    tileSize = scheme.tileWidth
    if isVector { format = .vectorTile }
    bounds = Self.bounds(ofService: json, in: scheme.spatialReference)
    attribution = json.object?.filledText("copyrightText")
    // The operator says with it that tiles may be taken along.
    policy.allowsBulk = json["exportTilesAllowed"]?.bool ?? false
    if let limit = json["maxExportTilesCount"]?.int, limit > 0 { policy.tileLimit = limit }
  }

  /// Whether tiles of a level are no larger than the world, as the coarsest one is where a service has the usual
  /// levels with tiles of 512 pixels.
  private static func isOfWorld(_ level: TileScheme.Level, in scheme: TileScheme) -> Bool {
    let worldWidth = 2 * 6_378_137 * Double.pi
    return level.resolution * Double(scheme.tileWidth) < 1.5 * worldWidth
  }

  /// How much the levels of Web Mercator exceed those of a service, which may begin with another one;
  /// `nil` where they are others, or its tiles are counted from another corner.
  private static func shift(of levels: [Int], in quad: WebMercatorQuad) -> Int? {
    let shifts = levels.map { level -> Int? in
      let first = quad.tile(for: TileID(level: level, row: 0, column: 0))
      return first.flatMap { $0.row == 0 && $0.column == 0 ? $0.level - level : nil }
    }
    return Set(shifts).count == 1 ? shifts.first ?? nil : nil
  }

  /// What the address of a service asks for beside a document, such as a token.
  private static func parameters(of url: URL) -> [Substring] {
    let query = url.query(percentEncoded: true) ?? ""
    return query.split(separator: "&").filter { $0.prefix { $0 != "=" }.lowercased() != "f" }
  }

  /// The addresses of tiles with the parameters of their service; those elsewhere get none, since a token
  /// is for its own server only.
  private static func carrying(
    _ parameters: [Substring], to template: String, below address: Substring
  ) -> String {
    guard !parameters.isEmpty, template.hasPrefix("\(address)/") else { return template }
    return template + (template.contains("?") ? "&" : "?") + parameters.joined(separator: "&")
  }
}
