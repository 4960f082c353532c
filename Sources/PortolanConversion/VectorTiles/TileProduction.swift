internal import PortolanTiles

/// Makes the tiles of rows: the coarse ones first, then the branches below them on several tasks.
///
/// Tiles are handed on in an order that does not depend on which task is faster, so that the same
/// rows give the same file.
struct TileProduction: Sendable {
  /// The weight of a branch that one task works on.
  private static let branchWeight = 200_000

  let rows: [TileRows]
  let cutting: TileCutting
  let limits: VectorTileConversion.Limits
  let keepsEmptyTiles: Bool
  /// How many tasks work on branches at a time.
  let concurrency: Int

  /// Makes all tiles; `take` gets each of them.
  func run(_ take: (TileEncoder.Encoded) throws -> Void) async throws {
    let branches = try makeCoarseTiles(take)
    try await makeTiles(of: branches, take)
  }

  /// Makes tiles until what is left can be divided among tasks; returns that.
  private func makeCoarseTiles(
    _ take: (TileEncoder.Encoded) throws -> Void
  ) throws -> [TileCutting.Branch] {
    var encoder = makeEncoder()
    var branches: [TileCutting.Branch] = []
    var queue = [
      TileCutting.Branch(id: TileID(level: 0, row: 0, column: 0), layers: rows.map(\.content))
    ]
    while let branch = queue.popLast() {
      try Task.checkCancellation()
      let isLight = branch.weight <= Self.branchWeight
      if isLight || branch.id.level == cutting.levels.upperBound {
        branches.append(branch)
        continue
      }
      if cutting.levels.contains(branch.id.level),
        let tile = try encoder.tile(branch.id, branch.layers)
      {
        try take(tile)
      }
      queue += cutting.children(of: branch)
    }
    return branches
  }

  private func makeTiles(
    of branches: [TileCutting.Branch], _ take: (TileEncoder.Encoded) throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: (Int, [TileEncoder.Encoded]).self) { group in
      var (next, written) = (0, 0)
      var waiting: [Int: [TileEncoder.Encoded]] = [:]
      func start() {
        guard next < branches.count else { return }
        let number = next
        next += 1
        group.addTask { (number, try self.tiles(of: branches[number])) }
      }
      for _ in 0..<max(concurrency, 1) * 2 { start() }
      while let (number, tiles) = try await group.next() {
        waiting[number] = tiles
        while let ready = waiting.removeValue(forKey: written) {
          for tile in ready { try take(tile) }
          written += 1
          start()
        }
      }
    }
  }

  private func tiles(of branch: TileCutting.Branch) throws -> [TileEncoder.Encoded] {
    var encoder = makeEncoder()
    var tiles: [TileEncoder.Encoded] = []
    try cutting.tiles(of: branch, &encoder, into: &tiles)
    return tiles
  }

  private func makeEncoder() -> TileEncoder {
    TileEncoder(rows, limits, levels: cutting.levels, keepsEmptyTiles: keepsEmptyTiles)
  }
}
