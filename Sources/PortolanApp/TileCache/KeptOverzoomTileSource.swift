internal import PortolanImages
internal import PortolanJSON
internal import PortolanTileCache
internal import PortolanTiles

/// A source whose tiles beyond its last level are enlarged, and kept.
struct KeptOverzoomTileSource: TileSource {
  private let source: any TileSource
  private let enlarged: OverzoomedTileSource
  private let cache: OverZoomCache

  /// Keeps in `cache` what `enlarged` makes of the last level of `source`.
  init(_ source: any TileSource, _ enlarged: OverzoomedTileSource, in cache: OverZoomCache) {
    self.source = source
    self.enlarged = enlarged
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
