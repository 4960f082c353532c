internal import PortolanGeometry
public import PortolanJSON
internal import PortolanSQLite
public import PortolanTiles

/// The tiles of one source that are in a cache, all or those of a region, without the server.
public struct CachedTileSource: TileSource {
  /// How many addresses are listed at a time.
  private static let batchSize = 4_096

  public private(set) var info: TileSourceInfo
  private let config: MapCacheConfig
  private let store: TileCacheStore
  private let shape: RegionShape?
  private let levels: ClosedRange<Int>
  private let found = FoundLayers()

  /// Lists and reads the tiles of a source; only those of `region` on its levels if that is given.
  public init(
    _ config: MapCacheConfig, store: TileCacheStore,
    in region: (shape: TileRegion, levels: ClosedRange<Int>, name: String)? = nil
  ) {
    self.config = config
    self.store = store
    shape = region.map { RegionShape($0.shape) }
    levels = region?.levels ?? config.levels
    let isVector = config.format?.isRaster == false
    info = TileSourceInfo(
      name: region?.name ?? config.cacheName,
      scheme: .webMercator(
        tileSide: config.isHighResolution ? 512 : config.tileSize, levels: 0...levels.upperBound),
      levels: levels, fullExtent: shape?.extent,
      declaredFormat: isVector ? "pbf" : config.format?.rawValue ?? "",
      attribution: config.attribution, summary: config.summary)
    info.center = shape?.center
  }

  public func tile(at id: TileID) async throws(TileError) -> Tile? {
    do throws(TileCacheError) {
      guard let data = try await store.tile(at: id, of: config)?.data else { return nil }
      guard let format = TileFormat(detecting: data) else { return nil }
      return Tile(data: data, format: format)
    } catch {
      throw TileError(error, of: config)
    }
  }

  public func tileCounts() async throws(TileError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for try await id in tileIDs { counts[id.level, default: 0] += 1 }
    return counts
  }

  public var tileIDs: TileIDs {
    TileIDs {
      var last = TileID(level: levels.lowerBound, row: -1, column: 0)
      var row = shape.map { RegionRow($0) }
      return { () async throws(TileError) -> [TileID]? in
        do throws(TileCacheError) {
          guard let source = try await store.knownSource(named: config.cacheName) else {
            return nil
          }
          let batch = try await store.addresses(
            after: last, of: source, throughLevel: levels.upperBound, limit: Self.batchSize)
          guard let end = batch.last else { return nil }
          last = end
          return batch.filter { row?.contains($0) ?? true }
        } catch {
          throw TileError(error, of: config)
        }
      }
    }
  }

  /// What the source says of its layers, else what is in the tiles that are here, which are read for that
  /// once.
  public func metadata() async throws(TileError) -> JSONValue? {
    guard info.isVector else { return nil }
    if let told = config.vectorMetadata { return told }
    if let known = found.metadata { return known }
    var layers = VectorTileLayers()
    for try await id in tileIDs {
      if let tile = try await tile(at: id), !tile.format.isRaster { layers.add(tile.data, at: id) }
    }
    found.metadata = layers.metadata
    return layers.metadata
  }
}

extension TileError {
  init(_ error: TileCacheError, of config: MapCacheConfig) {
    self =
      error == .cancelled
      ? .cancelled
      : .unreadable(file: config.cacheName, reason: error.errorDescription ?? "\(error)")
  }
}

extension TileCacheStore {
  /// The addresses of tiles that are here, in order.
  func addresses(
    after last: TileID, of source: CachedSourceID, throughLevel level: Int, limit: Int
  ) async throws(TileCacheError) -> [TileID] {
    try await read { connection in
      let query = try connection.query(
        """
        SELECT z, y, x FROM tile WHERE source = ?1 AND (z, y, x) > (?2, ?3, ?4) AND z <= ?5
          AND content IS NOT NULL ORDER BY z, y, x LIMIT ?6
        """)
      try query.bind(source.number, at: 1)
      try query.bind(last.level, at: 2)
      try query.bind(last.row, at: 3)
      try query.bind(last.column, at: 4)
      try query.bind(level, at: 5)
      try query.bind(limit, at: 6)
      var found: [TileID] = []
      while try query.step() {
        found.append(
          TileID(
            level: Int(query.integer(at: 0)), row: Int(query.integer(at: 1)),
            column: Int(query.integer(at: 2))))
      }
      return found
    }
  }
}
