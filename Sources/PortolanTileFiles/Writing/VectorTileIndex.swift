internal import PortolanJSON
internal import PortolanTiles

/// The index of an indexed vector tile package that is written: which tiles there are.
///
/// - SeeAlso: Docs/FORMATS.md, 3.4
struct VectorTileIndex: Sendable {
  private var tiles: Set<TileID> = []
  /// The tiles between the top and those that were added.
  private var ancestors: Set<TileID> = []

  /// Notes a tile.
  mutating func add(_ id: TileID) {
    tiles.insert(id)
    var next = id.parent
    while let parent = next, ancestors.insert(parent).inserted { next = parent.parent }
  }

  /// The tiles above others that were not added, without which readers find nothing below.
  var missing: [TileID] { ancestors.subtracting(tiles).sorted() }

  /// `tilemap/root.json`; 0 for no tile, 1 for one without children, else the four children.
  var json: JSONValue {
    ["index": node(TileID(level: 0, row: 0, column: 0))]
  }

  /// Levels are bounded by those of the scheme.
  private func node(_ id: TileID) -> JSONValue {
    if ancestors.contains(id) { return .array(id.children.map(node)) }
    return tiles.contains(id) ? 1 : 0
  }
}
