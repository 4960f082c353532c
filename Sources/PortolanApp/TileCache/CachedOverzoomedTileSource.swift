internal import PortolanImages
internal import PortolanJSON
internal import PortolanTileCache
internal import PortolanTiles

/// An `OverzoomedTileSource`, which enlarges tiles, with an `OverZoomCache`, which keeps what was enlarged:
/// each tile is made once.
struct CachedOverzoomedTileSource: TileSource {
  private let source: any TileSource
  private let enlarged: OverzoomedTileSource
  private let cache: OverZoomCache

  /// Enlarges the last level of `source` up to `level`, and keeps the tiles in `cache`.
  init(_ source: any TileSource, to level: Int, in cache: OverZoomCache) {
    self.source = source
    enlarged = OverzoomedTileSource(source, to: level)
    self.cache = cache
  }

  var info: TileSourceInfo { enlarged.info }

  func tile(at id: TileID) async throws(TileError) -> Tile? {
    guard let last = source.info.levels?.upperBound, id.level > last,
      let ancestor = id.ancestor(atLevel: last), let whole = try await source.tile(at: ancestor)
    else { return try await enlarged.tile(at: id) }
    return try await cache.tile(at: id, madeOf: whole) { () async throws(TileError) -> Tile? in
      try await enlarged.tile(at: id)
    }
  }

  func tileCounts() async throws(TileError) -> [Int: Int] { try await enlarged.tileCounts() }

  var tileIDs: TileIDs { enlarged.tileIDs }

  func metadata() async throws(TileError) -> JSONValue? { try await enlarged.metadata() }
}

extension TileSource {
  /// The same tiles with those that are enlarged up to `level`; these are kept if there is a cache for them.
  func overzoomed(to level: Int, keptIn cache: OverZoomCache?) -> any TileSource {
    guard let cache else { return OverzoomedTileSource(self, to: level) }
    return CachedOverzoomedTileSource(self, to: level, in: cache)
  }
}
