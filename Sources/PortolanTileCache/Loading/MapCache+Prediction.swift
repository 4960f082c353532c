internal import Foundation
public import PortolanTiles

/// Loading ahead, for an app that is idle: nothing here happens unless it is called.
extension MapCache: TilePredicting {
  /// Loads the neighbourhood of what is viewed: the tiles around it, those a level coarser, those a
  /// level finer, in this order.
  ///
  /// Tiles that are here and fresh cost nothing. Tiles that fail are left out; without a network
  /// nothing is loaded. Cancelling the task stops it.
  ///
  /// - Parameters:
  ///   - viewed: The tiles that are viewed.
  ///   - budget: After how many bytes no other tile is requested.
  /// - Returns: What was loaded.
  public func loadNeighbourhood(of viewed: [TileID], budget: Int) async -> PredictedTiles {
    await load(Self.neighbourhood(of: viewed, levels: config.levels), budget: budget)
  }

  /// Asks again for tiles that are too old, those that were used last first.
  ///
  /// - Parameter budget: After how many bytes no other tile is requested; a tile that has not changed
  ///   costs none.
  /// - Returns: What was loaded.
  public func refreshStaleTiles(budget: Int) async -> PredictedTiles {
    await load(await store.staleTiles(of: config, now: now()), budget: budget)
  }

  private func load(_ tiles: [TileID], budget: Int) async -> PredictedTiles {
    var loaded = PredictedTiles()
    for tile in tiles {
      guard loaded.byteCount < budget, !Task.isCancelled else { break }
      do {
        let answer = try await loadTile(at: tile)
        if case .fallback(let error) = answer.path, error.endsDownload { break }
        guard answer.path == .fetched, let data = answer.tile?.data else { continue }
        loaded.tileCount += 1
        loaded.byteCount += data.count
      } catch {
        if error.endsDownload { break }
      }
    }
    return loaded
  }

  /// The tiles around those that are viewed, then their parents, then their children; none twice.
  static func neighbourhood(of viewed: [TileID], levels: ClosedRange<Int>) -> [TileID] {
    var seen = Set(viewed)
    let around = viewed.flatMap { tile in
      (-1...1).flatMap { row in
        (-1...1).map { column in
          let side = 1 << tile.level
          // Beyond the antimeridian lies the other side of the world.
          let wrapped = (tile.column + column + side) % side
          return TileID(level: tile.level, row: tile.row + row, column: wrapped)
        }
      }
    }
    return (around + viewed.compactMap(\.parent) + viewed.flatMap(\.children)).filter { tile in
      levels.contains(tile.level) && (0..<1 << tile.level).contains(tile.row)
        && seen.insert(tile).inserted
    }
  }
}
