internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles

extension CacheConfiguration {
  /// Reads the `root.json` of a tile package or a vector tile package.
  ///
  /// - Parameters:
  ///   - root: The document.
  ///   - path: Its path inside the package.
  ///   - file: The package, for messages.
  /// - Throws: ``TileError`` if no tile can be found or placed by it.
  /// - SeeAlso: Docs/FORMATS.md, 3.2 and 3.4
  init(root: JSONValue, path: String, file: String) throws(TileError) {
    let scheme = try TileScheme(tileInfo: root["tileInfo"] ?? .null, file: file)
    let storage = root["storageInfo"] ?? root["resourceInfo"]?["cacheInfo"]?["storageInfo"]
    let folder = root["tileBundlesPath"]?.string ?? Self.folder(ofTemplate: root["tiles"]?[0])
    guard let tilesFolder = PackagePath.resolve(folder, besides: path) else {
      throw .damaged(
        file: file, place: path, reason: "the folder \"\(folder)\" lies outside the package")
    }
    self.document = path
    self.name = root["name"]?.string
    self.scheme = scheme
    // Packages with this document hold the newest format, whether they say so or not.
    let format = storage?["storageFormat"]?.string ?? CacheStorageFormat.compactV2.rawValue
    self.storage = try Self.storage(
      format, packetSize: storage?["packetSize"]?.int, file: file)
    self.declaredFormat =
      root["tileImageInfo"]?["format"]?.string ?? root["tileInfo"]?["format"]?.string ?? ""
    self.fullExtent = Self.extent(root["fullExtent"], in: scheme.spatialReference)
    self.levels = Self.levels(from: root["minLOD"]?.int, to: root["maxLOD"]?.int)
    self.tilesFolder = tilesFolder
  }

  /// The fixed part of `tile/{z}/{y}/{x}.pbf`; `tile` where there is no template.
  private static func folder(ofTemplate template: JSONValue?) -> String {
    guard let text = template?.string, let brace = text.firstIndex(of: "{") else { return "tile" }
    return String(text[..<brace])
  }

  /// An extent, unless it is absent, senseless or in another reference than the one wanted.
  private static func extent(_ json: JSONValue?, in reference: SpatialReference) -> Envelope? {
    // An extent that cannot be read is as good as none: the tiles are what counts.
    guard let json, let extent = try? Envelope(esriJSON: json), !extent.isEmpty else { return nil }
    let own = SpatialReference(esriJSON: json["spatialReference"])
    guard own?.isEquivalent(to: reference) ?? true else { return nil }
    // No tile lies beyond the antimeridian.
    return extent.widenedToWorld(worldWidth: reference.worldWidth)
  }

  private static func levels(from minimum: Int?, to maximum: Int?) -> ClosedRange<Int>? {
    guard let minimum, let maximum, minimum <= maximum else { return nil }
    return minimum...maximum
  }
}
