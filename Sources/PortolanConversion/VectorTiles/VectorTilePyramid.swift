package import Foundation
internal import PortolanArchives
package import PortolanTiles

/// The vector tiles of layers whose rows are in memory, all of them or one at a time.
package struct VectorTilePyramid: Sendable {
  private let rows: [TileRows]
  private let cutting: TileCutting
  private let limits: VectorTileConversion.Limits

  /// Creates the tiles of some levels.
  package init(
    of rows: [TileRows], levels: ClosedRange<Int>, _ limits: VectorTileConversion.Limits
  ) {
    self.rows = rows
    self.limits = limits
    cutting = TileCutting(levels: levels, bounds: nil)
  }

  /// A tile, compressed with gzip; it has no layer if nothing reaches into it.
  package func tile(at id: TileID) throws -> Data? {
    let box = GridBox(level: id.level, row: id.row, column: id.column, margin: TileGrid.margin)
    let content = rows.map { $0.content.clipped(to: box) }
    var encoder = TileEncoder(rows, limits, levels: cutting.levels, keepsEmptyTiles: true)
    return try encoder.tile(id, content)?.data
  }

  /// Makes all tiles, each before those below it; `body` gets them compressed with gzip.
  ///
  /// A tile without anything to see is made too if something reaches into it: readers look for
  /// tiles from the top.
  package func forEachTile(_ body: (TileID, Data) throws -> Void) async throws {
    let production = TileProduction(
      rows: rows, cutting: cutting, limits: limits, keepsEmptyTiles: true,
      concurrency: ProcessInfo.processInfo.activeProcessorCount)
    try await production.run { try body($0.id, $0.data) }
  }

  /// Visits the tiles into which something reaches, each before those below it; these are left out
  /// where `descends` says so.
  ///
  /// - Parameter descends: Gets a tile, and how many points and shapes reach into it.
  package func visit(_ descends: (TileID, Int) -> Bool) {
    guard !rows.allSatisfy(\.isEmpty) else { return }
    let top = TileID(level: 0, row: 0, column: 0)
    var pending = [TileCutting.Branch(id: top, layers: rows.map(\.content))]
    while let branch = pending.popLast() {
      let count = branch.layers.reduce(0) { $0 + $1.points.count + $1.shapes.count }
      guard descends(branch.id, count), branch.id.level < cutting.levels.upperBound else {
        continue
      }
      pending += cutting.children(of: branch)
    }
  }
}
