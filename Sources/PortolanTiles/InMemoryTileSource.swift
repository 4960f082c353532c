public import PortolanJSON

/// Tiles held in memory.
///
/// A real source, for previews, small pictures made on the spot and tests; it answers as a
/// package with the same tiles does.
public struct InMemoryTileSource: TileSource {
  public let info: TileSourceInfo
  private let tiles: [TileID: Tile]

  /// Creates a source that holds `tiles`.
  public init(info: TileSourceInfo, tiles: [TileID: Tile]) {
    self.info = info
    self.tiles = tiles
  }

  public func tile(at id: TileID) -> Tile? { tiles[id] }

  public func tileCounts() -> [Int: Int] {
    tiles.keys.reduce(into: [:]) { counts, id in counts[id.level, default: 0] += 1 }
  }

  /// Nothing, for the tiles are all there is.
  public func metadata() -> JSONValue? { nil }

  /// Level by level, each row by row from the top.
  public var tileIDs: TileIDs { TileIDs(in: [tiles]) { $0.keys.sorted() } }
}
