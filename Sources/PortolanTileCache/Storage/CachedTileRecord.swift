internal import Foundation
internal import PortolanSQLite
internal import PortolanTiles

/// The record of a cached tile, without its bytes.
struct CachedTileRecord: Sendable {
  let tile: TileID
  /// Its data are empty.
  let stored: StoredTile
}

extension TileCacheStore {
  /// Those of some tiles whose bytes are here and are not whole any more.
  func damaged(
    _ tiles: [TileID], of source: CachedSourceID
  ) async throws(TileCacheError) -> Set<TileID> {
    try await read { connection in
      Set(try tiles.filter { try Self.isDamaged($0, of: source, connection) })
    }
  }

  /// Whether the bytes of a tile are here, and not whole any more.
  static func isDamaged(
    _ tile: TileID, of source: CachedSourceID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    guard let stored = try find(tile, of: source, connection)?.tile else { return false }
    return stored.data != nil && !stored.isWhole
  }

  /// The records of tiles that are here, in the order of their addresses.
  func records(
    after last: TileID, of source: CachedSourceID, throughLevel level: Int, limit: Int
  ) async throws(TileCacheError) -> [CachedTileRecord] {
    try await read { connection -> [CachedTileRecord] in
      let query = try connection.query(
        """
        SELECT z, y, x, fetched, lifetime FROM tile
        WHERE source = ?1 AND (z, y, x) > (?2, ?3, ?4) AND z <= ?5
          AND content IS NOT NULL ORDER BY z, y, x LIMIT ?6
        """)
      try query.bind(source.number, at: 1)
      try query.bind(last.level, at: 2)
      try query.bind(last.row, at: 3)
      try query.bind(last.column, at: 4)
      try query.bind(level, at: 5)
      try query.bind(limit, at: 6)
      var found: [CachedTileRecord] = []
      while try query.step() {
        let tile = TileID(
          level: Int(query.integer(at: 0)), row: Int(query.integer(at: 1)),
          column: Int(query.integer(at: 2)))
        let stored = StoredTile(
          data: Data(), fetched: Date(timeIntervalSince1970: query.real(at: 3)),
          lifetime: query.isNull(at: 4) ? nil : query.real(at: 4))
        found.append(CachedTileRecord(tile: tile, stored: stored))
      }
      return found
    }
  }
}
