internal import Foundation
internal import PortolanSQLite
internal import PortolanTiles

/// The places of a region in the order of their addresses, found one stretch of a row at a time.
struct RegionStretches: Sendable {
  /// Some tiles of a row that follow each other.
  struct Stretch {
    let level: Int
    let row: Int
    let columns: Range<Int>

    /// Its first tile.
    var start: TileID { TileID(level: level, row: row, column: columns.lowerBound) }
    /// What follows its last tile.
    var end: TileID { TileID(level: level, row: row, column: columns.upperBound) }
  }

  let shape: RegionShape
  let levels: ClosedRange<Int>

  /// The first stretch that does not precede a tile, without what of it does; `nil` if there is none.
  func first(from tile: TileID) -> Stretch? {
    var place = max(tile, TileID(level: levels.lowerBound, row: 0, column: 0))
    while place.level <= levels.upperBound {
      let rows = shape.rows(level: place.level) ?? 0..<0
      if place.row < rows.lowerBound {
        place = TileID(level: place.level, row: rows.lowerBound, column: 0)
      }
      while place.row < rows.upperBound {
        let columns = shape.columns(level: place.level, row: place.row)
          .first { $0.upperBound > place.column }
        if let columns {
          let start = max(columns.lowerBound, place.column)
          return Stretch(
            level: place.level, row: place.row, columns: start..<columns.upperBound)
        }
        place = TileID(level: place.level, row: place.row + 1, column: 0)
      }
      place = TileID(level: place.level + 1, row: 0, column: 0)
    }
    return nil
  }
}

/// Some tiles of a region that are here.
struct RegionAddresses: Sendable {
  /// The addresses, in order.
  var tiles: [TileID] = []
  /// When each of them was fetched.
  var dates: [Date] = []
  /// Where to continue; `nil` at the end.
  var next: TileID?
}

extension TileCacheStore {
  /// How many stretches of a region are looked at in one transaction.
  private static let mostStretchesAtOnce = 1_024

  /// The addresses of tiles that are here and lie in a region, in order.
  ///
  /// Only places of the region are looked at, and of these only such behind which there are tiles: neither
  /// many other tiles of the source nor a region with few tiles take long.
  ///
  /// - Parameters:
  ///   - start: Where to begin.
  ///   - source: The source.
  ///   - stretches: The places of the region.
  ///   - limit: How many addresses are enough.
  /// - Returns: The addresses, and where to continue.
  /// - Throws: ``TileCacheError`` if the cache cannot be read.
  func addresses(
    from start: TileID, of source: CachedSourceID, in stretches: RegionStretches, limit: Int
  ) async throws(TileCacheError) -> RegionAddresses {
    try await read { connection -> RegionAddresses in
      var found = RegionAddresses(next: start)
      for _ in 0..<Self.mostStretchesAtOnce {
        guard let place = found.next, found.tiles.count < limit else { break }
        guard let there = try Self.firstTile(from: place, of: source, connection),
          let stretch = stretches.first(from: there)
        else {
          found.next = nil
          break
        }
        // Before the next stretch there may be other tiles, and in it none.
        let count = found.tiles.count
        try Self.add(stretch, of: source, limit: limit, to: &found, connection)
        let isWhole = found.tiles.count - count < limit
        found.next = isWhole ? stretch.end : found.tiles.last.map(Self.place(behind:))
      }
      return found
    }
  }

  private static func place(behind tile: TileID) -> TileID {
    TileID(level: tile.level, row: tile.row, column: tile.column + 1)
  }

  /// The first address from `place` on of which anything is known; `nil` if there is none.
  private static func firstTile(
    from place: TileID, of source: CachedSourceID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> TileID? {
    let query = try connection.query(
      """
      SELECT z, y, x FROM tile WHERE source = ?1 AND (z, y, x) >= (?2, ?3, ?4)
      ORDER BY z, y, x LIMIT 1
      """)
    try query.bind(source.number, at: 1)
    try query.bind(place.level, at: 2)
    try query.bind(place.row, at: 3)
    try query.bind(place.column, at: 4)
    guard try query.step() else { return nil }
    return TileID(
      level: Int(query.integer(at: 0)), row: Int(query.integer(at: 1)),
      column: Int(query.integer(at: 2)))
  }

  /// Adds the tiles of a stretch that are here.
  private static func add(
    _ stretch: RegionStretches.Stretch, of source: CachedSourceID, limit: Int,
    to found: inout RegionAddresses, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let query = try connection.query(
      """
      SELECT x, fetched FROM tile WHERE source = ?1 AND z = ?2 AND y = ?3 AND x >= ?4 AND x < ?5
        AND content IS NOT NULL ORDER BY x LIMIT ?6
      """)
    try query.bind(source.number, at: 1)
    try query.bind(stretch.level, at: 2)
    try query.bind(stretch.row, at: 3)
    try query.bind(stretch.columns.lowerBound, at: 4)
    try query.bind(stretch.columns.upperBound, at: 5)
    try query.bind(limit, at: 6)
    while try query.step() {
      found.tiles.append(
        TileID(level: stretch.level, row: stretch.row, column: Int(query.integer(at: 0))))
      found.dates.append(Date(timeIntervalSince1970: query.real(at: 1)))
    }
  }
}
