internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles

/// Tiles with an extent that their source does not state, so that clients know where to look.
struct ExtentTileSource: TileSource {
  let info: TileSourceInfo
  private let source: any TileSource

  /// States that the tiles of `source` cover `extent`, in the reference of their scheme.
  init(_ source: any TileSource, extent: Envelope) {
    self.source = source
    var info = source.info
    info.fullExtent = extent
    self.info = info
  }

  func tile(at id: TileID) async throws(TileError) -> Tile? { try await source.tile(at: id) }

  func tileCounts() async throws(TileError) -> [Int: Int] { try await source.tileCounts() }

  var tileIDs: TileIDs { source.tileIDs }

  func metadata() async throws(TileError) -> JSONValue? { try await source.metadata() }
}
