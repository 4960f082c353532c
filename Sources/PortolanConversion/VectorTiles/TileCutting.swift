internal import PortolanArchives
internal import PortolanTiles

/// Cuts the content of a tile into those below it, down to the finest level.
struct TileCutting: Sendable {
  /// A tile whose content is cut on, perhaps beside others.
  struct Branch: Sendable {
    let id: TileID
    var layers: [TileLayerContent]

    /// What makes it worth a task of its own.
    var weight: Int {
      layers.reduce(0) { sum, layer in
        layer.shapes.reduce(sum + layer.points.count) {
          $0 + 8 + $1.paths.reduce(0) { $0 + $1.count }
        }
      }
    }
  }

  let levels: ClosedRange<Int>
  /// The requested extent; tiles outside of it are not made.
  let bounds: GridBox?

  /// The four tiles below one, without those in which there is nothing.
  func children(of branch: Branch) -> [Branch] {
    let level = branch.id.level + 1
    var children: [Branch] = []
    for quarter in 0..<4 {
      let id = TileID(
        level: level, row: branch.id.row * 2 + quarter / 2,
        column: branch.id.column * 2 + quarter % 2)
      let tile = GridBox(level: level, row: id.row, column: id.column, margin: 0)
      if let bounds,
        tile.low.x > bounds.high.x || tile.high.x < bounds.low.x || tile.low.y > bounds.high.y
          || tile.high.y < bounds.low.y
      {
        continue
      }
      let box = GridBox(level: level, row: id.row, column: id.column, margin: TileGrid.margin)
      let layers = branch.layers.map { $0.clipped(to: box) }
      if !layers.allSatisfy(\.isEmpty) { children.append(Branch(id: id, layers: layers)) }
    }
    return children
  }

  /// The tiles of a branch and of all below it, each before those below it.
  func tiles(
    of branch: Branch, _ encoder: inout TileEncoder, into tiles: inout [TileEncoder.Encoded]
  ) throws {
    try Task.checkCancellation()
    if levels.contains(branch.id.level), let tile = try encoder.tile(branch.id, branch.layers) {
      tiles.append(tile)
    }
    guard branch.id.level < levels.upperBound else { return }
    for child in children(of: branch) { try self.tiles(of: child, &encoder, into: &tiles) }
  }
}
