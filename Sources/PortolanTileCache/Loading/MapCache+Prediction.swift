internal import Foundation
internal import PortolanSQLite
public import PortolanTiles

/// What was loaded ahead of being asked for.
public struct PredictedTiles: Hashable, Sendable {
  /// How many tiles came from the server.
  public var tileCount = 0
  /// Their bytes.
  public var byteCount = 0
}

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
  ///   - budget: After how many bytes no other tile is asked for.
  /// - Returns: What was loaded.
  public func loadNeighbourhood(of viewed: [TileID], budget: Int) async -> PredictedTiles {
    await load(Self.neighbourhood(of: viewed, levels: config.levels), budget: budget)
  }

  /// Asks again for tiles that are too old, those that were used last first.
  ///
  /// - Parameter budget: After how many bytes no other tile is asked for; a tile that has not changed
  ///   costs none.
  /// - Returns: What was loaded.
  public func refreshStaleTiles(budget: Int) async -> PredictedTiles {
    // A cache that cannot be read has nothing that is too old.
    guard let source = try? await store.knownSource(named: config.cacheName),
      let recent = try? await store.recentTiles(of: source)  // as said above
    else { return PredictedTiles() }
    return await load(recent.filter { !isFresh($0.tile) }.map(\.id), budget: budget)
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

extension TileCacheStore {
  /// The tiles of a source that were used last, without their bytes.
  func recentTiles(
    of source: CachedSourceID, limit: Int = 1_000
  ) async throws(TileCacheError) -> [(id: TileID, tile: StoredTile)] {
    try await flush()
    return try await read { connection in
      let query = try connection.query(
        """
        SELECT z, y, x, fetched, lifetime FROM tile WHERE source = ?1 AND content IS NOT NULL
        ORDER BY used DESC LIMIT ?2
        """, .integer(source.number), .integer(Int64(limit)))
      var tiles: [(id: TileID, tile: StoredTile)] = []
      while try query.step() {
        let id = TileID(
          level: Int(query.integer(at: 0)), row: Int(query.integer(at: 1)),
          column: Int(query.integer(at: 2)))
        let fetched = Date(timeIntervalSince1970: query.real(at: 3))
        let lifetime = query.isNull(at: 4) ? nil : query.real(at: 4)
        tiles.append((id, StoredTile(data: Data(), fetched: fetched, lifetime: lifetime)))
      }
      return tiles
    }
  }
}
