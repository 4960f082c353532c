public import Foundation
internal import PortolanArchives
public import PortolanTiles

/// Tiles beyond the highest level of a source that are kept as they were made of the tiles of that level.
///
/// They belong to a source of their own beside the other, so that none is ever taken for a tile of the server: not
/// by a region, nor when the source has finer levels one day. One is rebuilt where the tile that it was made of
/// is another. The capacity of the source is for them, too. Nothing is enlarged here: that is for an
/// `OverzoomedTileSource`, of which this is the store.
public struct OverZoomCache: Sendable {
  private let config: MapCacheConfig
  private let store: TileCacheStore
  private let now: @Sendable () -> Date

  /// Keeps the enlarged tiles of a source; `nil` where those are not to be kept.
  public init?(
    of source: MapCacheConfig, in store: TileCacheStore, now: @escaping @Sendable () -> Date
  ) {
    guard source.cachesOverZoom, let config = source.overZoomed else { return nil }
    self.config = config
    self.store = store
    self.now = now
  }

  /// The part of a tile that is enlarged to another: from the cache where it was made of the same bytes.
  ///
  /// - Parameters:
  ///   - id: The tile beyond the highest level.
  ///   - ancestor: The tile that it is made of.
  ///   - make: Makes it; what that returns is kept.
  /// - Returns: The tile; `nil` where none can be made.
  /// - Throws: What `make` throws.
  public func tile(
    at id: TileID, madeOf ancestor: Tile, _ make: () async throws(TileError) -> Tile?
  ) async throws(TileError) -> Tile? {
    let version = String(CRC64.checksum(of: ancestor.data), radix: 36)
    // A cache that cannot be read keeps no tile from being made.
    if let known = try? await store.tile(at: id, of: config), known.entityTag == version,
      let data = known.data, let format = TileFormat(detecting: data)
    {
      return Tile(data: data, format: format)
    }
    guard let made = try await make() else { return nil }
    let stored = StoredTile(data: made.data, entityTag: version, fetched: now())
    // One that cannot be kept is shown all the same.
    try? await store.add(stored, at: id, of: config, capacity: config.capacity)
    return made
  }
}

extension MapCacheConfig {
  /// Names below .invalid lead nowhere (RFC 2606).
  private static let overZoomRoot = "https://over-zoom.invalid/"

  /// Whether its tiles are enlarged ones of another source.
  public var isOverZoomed: Bool { urlTemplate.text.hasPrefix(Self.overZoomRoot) }

  /// What the source is called that has the enlarged tiles of this one.
  public var overZoomName: String { "\(cacheName) (over-zoom)" }

  /// The source that has the enlarged tiles of this one.
  var overZoomed: MapCacheConfig? {
    // The address is one of tiles, whatever the name.
    let made = try? MapCacheConfig(
      withUrlTemplate: "\(Self.overZoomRoot){z}/{x}/{y}", cacheName: overZoomName,
      maximumZ: Self.greatestZoom)
    guard var config = made else { return nil }
    config.capacity = capacity
    config.loadTileMode = .cacheOnly
    return config
  }
}

extension TileCacheStore {
  /// Removes the enlarged tiles of a source that are kept.
  ///
  /// - Returns: What was removed.
  @discardableResult
  public func removeOverZoom(of source: MapCacheConfig) async throws(TileCacheError) -> ClearedTiles
  {
    guard let kept = try await config(named: source.overZoomName), kept.isOverZoomed else {
      return ClearedTiles()
    }
    return try await removeSource(named: kept.cacheName)
  }
}
