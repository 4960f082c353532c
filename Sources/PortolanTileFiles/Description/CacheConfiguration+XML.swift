internal import Foundation
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanTiles
internal import PortolanXML

extension CacheConfiguration {
  /// Reads `conf.xml`, and `conf.cdi` beside it.
  ///
  /// - Parameters:
  ///   - xml: The bytes of `conf.xml`.
  ///   - extent: The bytes of `conf.cdi`; without it nothing is known of the extent.
  ///   - path: The path of `conf.xml` inside the package.
  ///   - file: The package, for messages.
  /// - Throws: ``TileError`` if no tile can be found or placed by it.
  /// - SeeAlso: Docs/FORMATS.md, 3.3
  init(xml: Data, extent: Data?, path: String, file: String) throws(TileError) {
    let root = try Self.parse(xml, place: path, file: file)
    guard let cache = root.child("TileCacheInfo") else {
      throw .damaged(file: file, place: path, reason: "there is no TileCacheInfo")
    }
    let storage = root.child("CacheStorageInfo")
    self.document = path
    self.scheme = try TileScheme(cache, file: file, place: path)
    self.storage = try Self.storage(
      storage?.text(of: "StorageFormat"), packetSize: storage?.int(of: "PacketSize"), file: file)
    self.declaredFormat = root.descendant("TileImageInfo", "CacheTileFormat")?.text ?? ""
    self.tilesFolder = PackagePath.resolve("_alllayers", besides: path) ?? "_alllayers"
    if let extent {
      let place = PackagePath.resolve("conf.cdi", besides: path) ?? "conf.cdi"
      self.fullExtent = Envelope(try Self.parse(extent, place: place, file: file))
    }
  }

  private static func parse(
    _ data: Data, place: String, file: String
  ) throws(TileError) -> XMLElement {
    do { return try XMLElement(parsing: data) } catch {
      throw .damaged(file: file, place: place, reason: error.plainReason)
    }
  }
}

extension TileScheme {
  /// Reads a `TileCacheInfo` element.
  fileprivate init(_ cache: XMLElement, file: String, place: String) throws(TileError) {
    guard let x = cache.child("TileOrigin")?.double(of: "X"),
      let y = cache.child("TileOrigin")?.double(of: "Y")
    else { throw .damaged(file: file, place: place, reason: "there is no TileOrigin") }
    let levels = cache.child("LODInfos")?.children ?? []
    self = try TileScheme(
      origin: Coordinate(x: x, y: y), tileWidth: cache.int(of: "TileCols") ?? 256,
      tileHeight: cache.int(of: "TileRows") ?? 256,
      dpi: cache.double(of: "PreciseDPI") ?? cache.double(of: "DPI") ?? 96,
      spatialReference: SpatialReference(cache.child("SpatialReference")),
      levels: levels.compactMap(Level.init)
    ).validated(file: file, place: place)
  }
}

extension TileScheme.Level {
  fileprivate init?(_ element: XMLElement) {
    guard let level = element.int(of: "LevelID"), let resolution = element.double(of: "Resolution")
    else { return nil }
    self.init(level: level, resolution: resolution, scale: element.double(of: "Scale") ?? 0)
  }
}

extension SpatialReference {
  fileprivate init(_ element: XMLElement?) {
    self.init(
      wkid: element?.int(of: "WKID"), latestWKID: element?.int(of: "LatestWKID"),
      wkt: element?.text(of: "WKT"))
  }
}

extension Envelope {
  fileprivate init?(_ element: XMLElement) {
    guard let xMin = element.double(of: "XMin"), let yMin = element.double(of: "YMin"),
      let xMax = element.double(of: "XMax"), let yMax = element.double(of: "YMax")
    else { return nil }
    self.init(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax)
  }
}
