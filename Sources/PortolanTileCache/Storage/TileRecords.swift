internal import Foundation
internal import PortolanCrypto
internal import PortolanSQLite
internal import PortolanTiles

/// Writes tiles, inside a transaction of the caller.
enum TileRecords {
  /// Keeps a tile, or that there is none.
  ///
  /// - Parameters:
  ///   - stored: What is kept.
  ///   - tile: The tile.
  ///   - source: Its source.
  ///   - used: Its number in the order of use; the next one if `nil`.
  ///   - pins: How many regions keep it that did not before.
  ///   - connection: In a transaction of the caller.
  /// - Throws: ``DatabaseError``.
  static func put(
    _ stored: StoredTile, at tile: TileID, of source: CachedSourceID, used: Int64? = nil,
    pins: Int = 0, _ connection: borrowing Connection
  ) throws {
    var content = SQLValue.null
    if let data = stored.data { content = .integer(try self.content(data, connection)) }
    let query = try connection.query(
      """
      INSERT INTO tile (source, z, y, x, content, etag, modified, fetched, lifetime, used, pins)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      ON CONFLICT (source, z, y, x) DO UPDATE SET content = excluded.content,
        etag = excluded.etag, modified = excluded.modified, fetched = excluded.fetched,
        lifetime = excluded.lifetime, used = excluded.used, pins = pins + excluded.pins
      """)
    try bind(tile, of: source, to: query)
    try query.bind(content, at: 5)
    try query.bind(stored.entityTag.map { .text($0) } ?? .null, at: 6)
    try query.bind(stored.lastModified.map { .text($0) } ?? .null, at: 7)
    try query.bind(stored.fetched.timeIntervalSince1970, at: 8)
    try query.bind(stored.lifetime.map { .real($0) } ?? .null, at: 9)
    try query.bind(try used ?? count(up: 1, connection), at: 10)
    try query.bind(pins, at: 11)
    while try query.step() {}
  }

  /// Whether the bytes of a tile are here.
  static func isHere(
    _ tile: TileID, of source: CachedSourceID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    let query = try connection.query(
      """
      SELECT 1 FROM tile WHERE source = ?1 AND z = ?2 AND y = ?3 AND x = ?4
        AND content IS NOT NULL
      """)
    try bind(tile, of: source, to: query)
    return try query.step()
  }

  /// Whether the bytes of a tile are here and newer than `date`; how old those are that seem to come from
  /// the future is unknown.
  static func isNewer(
    than date: Date, _ tile: TileID, of source: CachedSourceID, now: Date,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    let query = try connection.query(
      """
      SELECT 1 FROM tile WHERE source = ?1 AND z = ?2 AND y = ?3 AND x = ?4
        AND content IS NOT NULL AND fetched > ?5 AND fetched <= ?6
      """)
    try bind(tile, of: source, to: query)
    try query.bind(date.timeIntervalSince1970, at: 5)
    try query.bind(now.timeIntervalSince1970, at: 6)
    return try query.step()
  }

  /// Whether the bytes of a tile are here and a region keeps them.
  static func isKept(
    _ tile: TileID, of source: CachedSourceID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    let query = try connection.query(
      """
      SELECT 1 FROM tile WHERE source = ?1 AND z = ?2 AND y = ?3 AND x = ?4 AND pins > 0
        AND content IS NOT NULL
      """)
    try bind(tile, of: source, to: query)
    return try query.step()
  }

  /// How many bytes a tile has that regions keep; `nil` if none keeps it.
  static func keptSize(
    of tile: TileID, of source: CachedSourceID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> KeptSize? {
    let query = try connection.query(
      """
      SELECT size FROM tile LEFT JOIN content ON content.id = tile.content
      WHERE source = ?1 AND z = ?2 AND y = ?3 AND x = ?4 AND pins > 0
      """)
    try bind(tile, of: source, to: query)
    guard try query.step() else { return nil }
    return query.isNull(at: 0) ? .absent : .bytes(Int(query.integer(at: 0)))
  }

  /// What regions keep of a tile.
  enum KeptSize: Equatable {
    /// That the server has none.
    case absent
    /// So many bytes.
    case bytes(Int)
  }

  /// Notes that a tile was found to be unchanged, unless another version of it is here.
  static func refresh(
    _ known: StoredTile, at tile: TileID, of source: CachedSourceID,
    _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let query = try connection.query(
      """
      UPDATE tile SET fetched = ?5, lifetime = coalesce(?6, lifetime)
      WHERE source = ?1 AND z = ?2 AND y = ?3 AND x = ?4 AND etag IS ?7 AND modified IS ?8
      """)
    try bind(tile, of: source, to: query)
    try query.bind(known.fetched.timeIntervalSince1970, at: 5)
    try query.bind(known.lifetime.map { .real($0) } ?? .null, at: 6)
    try query.bind(known.entityTag.map { .text($0) } ?? .null, at: 7)
    try query.bind(known.lastModified.map { .text($0) } ?? .null, at: 8)
    while try query.step() {}
  }

  /// Lets one more region keep a tile.
  ///
  /// - Returns: Whether the tile is there.
  static func pin(
    _ tile: TileID, of source: CachedSourceID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    let query = try connection.query(
      "UPDATE tile SET pins = pins + 1 WHERE source = ?1 AND z = ?2 AND y = ?3 AND x = ?4")
    try bind(tile, of: source, to: query)
    while try query.step() {}
    return connection.changeCount > 0
  }

  /// Lets one region less keep tiles of a row; those that no region keeps are removed.
  static func unpin(
    row: Int, columns: Range<Int>, level: Int, of source: CachedSourceID,
    _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let place = "source = ?1 AND z = ?2 AND y = ?3 AND x >= ?4 AND x < ?5"
    for statement in [
      "DELETE FROM tile WHERE \(place) AND pins <= 1",
      "UPDATE tile SET pins = pins - 1 WHERE \(place)",
    ] {
      let first = TileID(level: level, row: row, column: columns.lowerBound)
      let query = try connection.query(statement)
      try bind(first, of: source, to: query)
      try query.bind(columns.upperBound, at: 5)
      while try query.step() {}
    }
  }

  /// The first of a range of numbers that were never used before.
  static func count(
    up count: Int, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Int64 {
    try connection.execute("UPDATE totals SET counter = counter + ?1", .integer(Int64(count)))
    let query = try connection.query("SELECT counter FROM totals")
    return try query.step() ? query.integer(at: 0) - Int64(count) + 1 : 0
  }

  /// The last number in the order of use, and how many tiles there are.
  static func orderOfUse(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> (newest: Int64, tileCount: Int64) {
    let query = try connection.query("SELECT counter, tiles + absent FROM totals")
    return try query.step() ? (query.integer(at: 0), query.integer(at: 1)) : (0, 0)
  }

  /// The bytes of tiles that no region keeps.
  static func ambientBytes(_ connection: borrowing Connection) throws(DatabaseError) -> Int {
    let query = try connection.query("SELECT bytes - pinned FROM totals")
    return try query.step() ? Int(query.integer(at: 0)) : 0
  }

  /// The number of these bytes, kept once however many tiles have them.
  private static func content(_ data: Data, _ connection: borrowing Connection) throws -> Int64 {
    let digest = try SHA256.hash(data)
    let id = try content(of: digest, size: data.count, connection)
    // What the disk has damaged since is no longer what its digest says.
    try connection.execute(
      """
      INSERT INTO body (id, data) VALUES (?1, ?2)
      ON CONFLICT (id) DO UPDATE SET data = excluded.data WHERE body.data <> excluded.data
      """, .integer(id), .blob(data))
    return id
  }

  /// The number of bytes with a digest, a new one if there are none.
  private static func content(
    of digest: Data, size: Int, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Int64 {
    let known = try connection.query("SELECT id FROM content WHERE digest = ?1", .blob(digest))
    if try known.step() { return known.integer(at: 0) }
    try connection.execute(
      "INSERT INTO content (digest, size) VALUES (?1, ?2)", .blob(digest), .integer(Int64(size)))
    return connection.lastInsertedRowID
  }

  private static func bind(
    _ tile: TileID, of source: CachedSourceID, to query: borrowing Query
  ) throws(DatabaseError) {
    try query.bind(source.number, at: 1)
    try query.bind(tile.level, at: 2)
    try query.bind(tile.row, at: 3)
    try query.bind(tile.column, at: 4)
  }
}
