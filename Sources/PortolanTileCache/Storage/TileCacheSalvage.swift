internal import Foundation
internal import PortolanCrypto
internal import PortolanSQLite
internal import PortolanTiles

/// Carries what can still be read of a damaged cache into a new one: its sources, its regions, and
/// every tile that is what its digest says.
///
/// A region that loses a tile by that is paused, so that the tile is loaded again; nothing is fetched
/// that was carried over.
struct TileCacheSalvage: ~Copyable {
  /// How many tiles are read, and written, at a time.
  private static let batchSize = 256
  /// No table has as many rows.
  private static let lastRow = Int64(1) << 40
  static let reason =
    "the file of the cache was damaged, and what could not be read has to be loaded again."

  private let damaged: Connection
  private let target: Connection
  private var regions: [Int64: (source: CachedSourceID, definition: RegionDefinition)] = [:]

  /// Prepares to carry what `damaged` holds into an empty cache.
  init(from damaged: consuming Connection, into target: consuming Connection) {
    self.damaged = damaged
    self.target = target
  }

  /// Opens a damaged cache; `nil` if nothing of it can be read, or it is of another program.
  static func damagedCache(at url: URL) throws(DatabaseError) -> Connection? {
    do throws(DatabaseError) {
      let connection = try Connection(at: url, access: .readOnly)
      guard try TileCacheSchema.look(at: connection) == .ours else { return nil }
      return connection
    } catch {
      guard error.code != .full else { throw error }
      return nil
    }
  }

  /// Carries over what the tiles belong to, then the tiles if they are wanted.
  mutating func run(withTiles: Bool) throws {
    try carrySources()
    try carryRegions()
    if withTiles { try carryTiles() }
    try finishRegions()
  }

  /// Reads rows until there is no more or the next is damaged.
  ///
  /// - Returns: Whether all were read.
  private func read(
    _ sql: String, _ values: SQLValue..., row: (borrowing Query) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> Bool {
    do throws(DatabaseError) {
      let query = try damaged.query(sql)
      for (index, value) in values.enumerated() { try query.bind(value, at: index + 1) }
      while try query.step() { try row(query) }
      return true
    } catch  where error.code == .corrupt || error.code == .inputOutput {
      return false
    }
  }

  private func carrySources() throws {
    try target.transaction { target in
      _ = try read("SELECT id, name, definition, hits, misses FROM source") {
        row throws(DatabaseError) in
        try target.execute(
          "INSERT OR IGNORE INTO source (id, name, definition, hits, misses) VALUES (?1, ?2, ?3, ?4, ?5)",
          .integer(row.integer(at: 0)), .text(row.text(at: 1)), .blob(row.blob(at: 2)),
          .integer(row.integer(at: 3)), .integer(row.integer(at: 4)))
      }
    }
  }

  private mutating func carryRegions() throws {
    var found: [Int64: (source: CachedSourceID, definition: RegionDefinition)] = [:]
    try target.transaction { target in
      _ = try read("SELECT id, name, source, definition, state, created, updated FROM region") {
        row throws(DatabaseError) in
        let isGoing = ["deleting", "importing"].contains(row.text(at: 4))
        guard !isGoing, let definition = RegionDefinition(row.blob(at: 3)) else { return }
        try target.execute(
          """
          INSERT OR IGNORE INTO region (id, name, source, definition, state, created, updated)
          VALUES (?1, ?2, ?3, ?4, 'paused', ?5, ?6)
          """, .integer(row.integer(at: 0)), .text(row.text(at: 1)), .integer(row.integer(at: 2)),
          .blob(row.blob(at: 3)), .real(row.real(at: 5)),
          row.isNull(at: 6) ? .null : .real(row.real(at: 6)))
        found[row.integer(at: 0)] = (CachedSourceID(number: row.integer(at: 2)), definition)
      }
    }
    regions = found
  }

  // MARK: - Tiles

  /// A tile as the damaged file has it.
  private struct Record {
    var id: Int64
    var tile: TileID
    var source: CachedSourceID
    var content: Int64?
    var stored: StoredTile
  }

  private func carryTiles() throws {
    var (last, step) = (Int64(0), Int64(1))
    while last < Self.lastRow {
      var records: [Record] = []
      let isWhole = try read(
        """
        SELECT id, source, z, y, x, content, etag, modified, fetched, lifetime, pins FROM tile
        WHERE id > ?1 ORDER BY id LIMIT ?2
        """, .integer(last), .integer(Int64(Self.batchSize))
      ) { row throws(DatabaseError) in records.append(Self.record(row)) }
      if records.isEmpty, isWhole { return }
      // What lies behind a damaged page is looked for ever further on.
      step = records.isEmpty ? step * 2 : 1
      last = (records.last?.id ?? last) + (isWhole ? 0 : step)
      try carry(records)
    }
  }

  private static func record(_ row: borrowing Query) -> Record {
    var stored = StoredTile(
      data: nil, entityTag: row.isNull(at: 6) ? nil : row.text(at: 6),
      lastModified: row.isNull(at: 7) ? nil : row.text(at: 7),
      fetched: Date(timeIntervalSince1970: row.real(at: 8)),
      lifetime: row.isNull(at: 9) ? nil : row.real(at: 9))
    stored.isPinned = row.integer(at: 10) > 0
    return Record(
      id: row.integer(at: 0),
      tile: TileID(
        level: Int(row.integer(at: 2)), row: Int(row.integer(at: 3)),
        column: Int(row.integer(at: 4))),
      source: CachedSourceID(number: row.integer(at: 1)),
      content: row.isNull(at: 5) ? nil : row.integer(at: 5), stored: stored)
  }

  private func carry(_ records: [Record]) throws {
    try target.transaction { target in
      var kept: [Record] = []
      for var record in records {
        if let content = record.content {
          guard let data = try bytes(of: content) else { continue }
          record.stored.data = data
        }
        try TileRecords.put(record.stored, at: record.tile, of: record.source, target)
        if record.stored.isPinned { kept.append(record) }
      }
      for (id, region) in regions {
        let tiles = kept.filter {
          $0.source == region.source && region.definition.plan.contains($0.tile)
        }
        guard let date = tiles.first?.stored.fetched else { continue }
        try RegionLedger(region: id, source: region.source, pass: .missing, now: date)
          .write(tiles.map { ($0.tile, .existing) }, target)
      }
    }
  }

  /// The bytes of a content; `nil` if they are not what their digest says.
  private func bytes(of content: Int64) throws -> Data? {
    var (data, digest) = (Data(), Data())
    let isWhole = try read(
      "SELECT data, digest FROM body JOIN content ON content.id = body.id WHERE body.id = ?1",
      .integer(content)
    ) { row throws(DatabaseError) in
      data = row.blob(at: 0)
      digest = row.blob(at: 1)
    }
    guard isWhole, !digest.isEmpty, try SHA256.hash(data) == digest else { return nil }
    return data
  }

  /// Says how far the regions are.
  private func finishRegions() throws {
    try target.transaction { target in
      for (id, region) in regions {
        let query = try target.query(
          "SELECT stored + absent + blank FROM region WHERE id = ?1", .integer(id))
        let done = try query.step() ? Int(query.integer(at: 0)) : 0
        let isWhole = done >= region.definition.planned
        try target.execute(
          "UPDATE region SET state = ?2, reason = ?3 WHERE id = ?1", .integer(id),
          .text(isWhole ? "finished" : "paused"), isWhole ? .null : .text(Self.reason))
      }
    }
  }
}
