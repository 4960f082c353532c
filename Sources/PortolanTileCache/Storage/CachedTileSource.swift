internal import Foundation
internal import PortolanFiles
internal import PortolanGeometry
public import PortolanJSON
public import PortolanTiles

/// The tiles of one source that are in a cache, all or those of a region, without the server.
public struct CachedTileSource: DatedTileSource {
  /// How many addresses are listed at a time.
  private static let batchSize = 4_096

  public private(set) var info: TileSourceInfo
  let config: MapCacheConfig
  /// The number of the source where its record is lost, so that it is not known by its name.
  private let number: CachedSourceID?
  let store: TileCacheStore
  let region: TileRegion?
  let shape: RegionShape?
  let levels: ClosedRange<Int>
  /// Whether all tiles are copied, so that none is looked at singly.
  private var isCopied = false

  /// Lists and reads the tiles of a source; only those of `region` on its levels if that is given.
  public init(
    _ config: MapCacheConfig, store: TileCacheStore,
    in region: (shape: TileRegion, levels: ClosedRange<Int>, name: String)? = nil
  ) {
    self.init(config, numbered: nil, store: store, in: region)
  }

  init(
    _ config: MapCacheConfig, numbered number: CachedSourceID?, store: TileCacheStore,
    in region: (shape: TileRegion, levels: ClosedRange<Int>, name: String)?
  ) {
    self.config = config
    self.number = number
    self.store = store
    self.region = region?.shape
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

  /// The same tiles for a copy of all of them, which do not count as used by that.
  var copied: CachedTileSource {
    var copy = self
    copy.isCopied = true
    return copy
  }

  public func tile(at id: TileID) async throws(TileError) -> Tile? {
    do throws(TileCacheError) {
      guard let data = try await stored(at: id)?.data else { return nil }
      guard let format = TileFormat(detecting: data) else {
        throw .tiles(
          .damagedTile(
            id, file: info.name, reason: "its first bytes are those of no known format"))
      }
      return Tile(data: data, format: format)
    } catch {
      if case .tiles(let error) = error { throw error }
      throw TileError(error, of: config)
    }
  }

  private func stored(at id: TileID) async throws(TileCacheError) -> StoredTile? {
    guard !isCopied else { return try await peek(at: id) }
    if let number { return try await store.tile(at: id, of: number) }
    return try await store.tile(at: id, of: config)
  }

  /// What is known of a tile, without counting it as read.
  func peek(at id: TileID) async throws(TileCacheError) -> StoredTile? {
    if let number { return try await store.peek(at: id, of: number) }
    return try await store.peek(at: id, of: config)
  }

  /// The number of the source in the cache; `nil` if there is none of its name and address.
  func sourceID() async throws(TileCacheError) -> CachedSourceID? {
    if let number { return number }
    return try await store.knownSource(of: config)
  }

  public func tileCounts() async throws(TileError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for try await id in tileIDs { counts[id.level, default: 0] += 1 }
    return counts
  }

  public var tileIDs: TileIDs {
    if let shape { return tileIDs(in: RegionStretches(shape: shape, levels: levels)) }
    return TileIDs {
      var last = TileID(level: levels.lowerBound, row: -1, column: 0)
      return { () async throws(TileError) -> [TileID]? in
        do throws(TileCacheError) {
          guard let source = try await sourceID() else { return nil }
          let batch = try await store.addresses(
            after: last, of: source, throughLevel: levels.upperBound, limit: Self.batchSize)
          guard let end = batch.last else { return nil }
          last = end
          return batch
        } catch {
          throw TileError(error, of: config)
        }
      }
    }
  }

  private func tileIDs(in stretches: RegionStretches) -> TileIDs {
    TileIDs {
      var next: TileID? = TileID(level: levels.lowerBound, row: 0, column: 0)
      return { () async throws(TileError) -> [TileID]? in
        do throws(TileCacheError) {
          guard let start = next, let source = try await sourceID() else { return nil }
          let batch = try await store.addresses(
            from: start, of: source, in: stretches, limit: Self.batchSize)
          next = batch.next
          return batch.tiles
        } catch {
          throw TileError(error, of: config)
        }
      }
    }
  }

  /// When the tiles of a region were fetched; `nil` for a whole source, and where its tiles are of a file.
  public func tileDates() async throws(TileError) -> TileDates? {
    guard let shape, !config.isImported else { return nil }
    let stretches = RegionStretches(shape: shape, levels: levels)
    var dates = TileDates()
    do throws(TileCacheError) {
      guard let source = try await sourceID() else { return nil }
      var next: TileID? = TileID(level: levels.lowerBound, row: 0, column: 0)
      while let start = next {
        let part = try await store.addresses(
          from: start, of: source, in: stretches, limit: Self.batchSize)
        for (id, date) in zip(part.tiles, part.dates) { dates.append(id, date) }
        next = part.next
      }
    } catch {
      throw TileError(error, of: config)
    }
    return dates.isEmpty ? nil : dates
  }

  /// What the source says about its layers, else what was found in the tiles that are here: all of
  /// them for a copy, some more with each question otherwise.
  public func metadata() async throws(TileError) -> JSONValue? {
    guard info.isVector else { return nil }
    let told = config.vectorMetadata
    if let told, !isCopied || Self.namesFields(told) { return told }
    guard isCopied else { return try await foundLayers().metadata }
    var layers = VectorTileLayers()
    for try await id in tileIDs {
      if let data = try await vectors(at: id) { layers.add(data, at: id) }
    }
    return layers.metadata(completing: told)
  }

  /// The bytes of a vector tile; `nil` for any other, and for damaged ones, which say nothing of the layers in
  /// the others.
  private func vectors(at id: TileID) async throws(TileError) -> Data? {
    do throws(TileCacheError) {
      let data = try await stored(at: id)?.data
      return data.flatMap { TileFormat(detecting: $0)?.isRaster == false ? $0 : nil }
    } catch {
      throw TileError(error, of: config)
    }
  }

  /// Whether the metadata of layers has fields; a style has only the names of layers.
  private static func namesFields(_ told: JSONValue) -> Bool {
    (told["vector_layers"]?.array ?? []).contains { $0["fields"]?.object?.isEmpty == false }
  }
}

extension TileError {
  init(_ error: TileCacheError, of config: MapCacheConfig) {
    self =
      error == .cancelled
      ? .cancelled
      : .unreadable(file: config.cacheName, reason: error.plainReason)
  }
}

extension TileCacheStore {
  /// The addresses of tiles that are here, in order.
  func addresses(
    after last: TileID, of source: CachedSourceID, throughLevel level: Int, limit: Int
  ) async throws(TileCacheError) -> [TileID] {
    try await records(after: last, of: source, throughLevel: level, limit: limit).map(\.tile)
  }
}
