internal import Foundation
internal import PortolanCrypto
internal import PortolanJSON
internal import PortolanSQLite
internal import PortolanTiles

/// Carries what can still be read of a damaged cache into a new one: its sources, its regions, and
/// every tile that is what its digest says.
///
/// A region that loses a tile by that is paused, so that the tile is loaded again; nothing is fetched
/// that was carried over. What belonged to a region or source of which nothing can be read belongs to
/// one that is called after that.
final class TileCacheSalvage {
  static let reason =
    "the file of the cache was damaged, and what could not be read has to be loaded again."
  private static let recoveredName = "Recovered"

  private let damaged: DamagedRows
  private let target: Connection
  private var regions: [Region] = []
  /// The sources that the new cache has.
  private var sources: Set<CachedSourceID> = []
  /// Whether all regions were read and understood; else tiles may belong to one that could not be
  /// recovered.
  private var knowsRegions = true
  /// The regions of what such regions kept, one for each source.
  private var recovered: [CachedSourceID: Region] = [:]

  /// A region of the new cache.
  private struct Region {
    var id: Int64
    var name: String
    var created: Date
    var source: CachedSourceID
    var definition: RegionDefinition
  }

  /// Prepares to carry what `damaged` holds into an empty cache.
  init(from damaged: consuming Connection, into target: consuming Connection) {
    self.damaged = DamagedRows(damaged)
    self.target = target
  }

  /// Opens a damaged cache; `nil` if nothing of it can be read, or it is of another program.
  ///
  /// - Throws: What keeps it from being opened now, such as another process or too many open files: it
  ///   must not pass for one that holds nothing.
  static func damagedCache(at url: URL) throws(DatabaseError) -> Connection? {
    do throws(DatabaseError) {
      let connection = try Connection(at: url, access: .readOnly)
      guard try TileCacheSchema.look(at: connection) == .ours else { return nil }
      return connection
    } catch {
      guard ![.full, .busy, .locked, .cannotOpen].contains(error.code) else { throw error }
      return nil
    }
  }

  /// Carries over what the tiles belong to, then the tiles if they are wanted.
  func run(withTiles: Bool) throws {
    try carrySources()
    try carryRegions()
    if withTiles { try carryTiles() }
    try finishRegions()
  }

  // MARK: - What tiles belong to

  private func carrySources() throws {
    try target.transaction { target in
      _ = try damaged.readAll(of: "source", "name, definition, hits, misses") {
        row throws(DatabaseError) in
        try target.execute(
          "INSERT OR IGNORE INTO source (id, name, definition, hits, misses) VALUES (?1, ?2, ?3, ?4, ?5)",
          .integer(row.integer(at: 0)), .text(row.text(at: 1)), .blob(row.blob(at: 2)),
          .integer(row.integer(at: 3)), .integer(row.integer(at: 4)))
        return CachedSourceID(number: row.integer(at: 0))
      } batch: {
        sources.formUnion($0)
      }
    }
  }

  private func carryRegions() throws {
    try target.transaction { target in
      var areUnderstood = true
      let areThere = try damaged.readAll(
        of: "region", "name, source, definition, state, created, updated"
      ) { row throws(DatabaseError) -> Region? in
        guard !["deleting", "importing"].contains(row.text(at: 4)) else { return nil }
        guard let definition = RegionDefinition(row.blob(at: 3)) else {
          areUnderstood = false
          return nil
        }
        try target.execute(
          """
          INSERT OR IGNORE INTO region (id, name, source, definition, state, created, updated)
          VALUES (?1, ?2, ?3, ?4, 'paused', ?5, ?6)
          """, .integer(row.integer(at: 0)), .text(row.text(at: 1)), .integer(row.integer(at: 2)),
          .blob(row.blob(at: 3)), .real(row.real(at: 5)),
          row.isNull(at: 6) ? .null : .real(row.real(at: 6)))
        guard target.changeCount > 0 else { return nil }
        return Region(
          id: row.integer(at: 0), name: row.text(at: 1),
          created: Date(timeIntervalSince1970: row.real(at: 5)),
          source: CachedSourceID(number: row.integer(at: 2)), definition: definition)
      } batch: {
        regions += $0.compactMap(\.self)
      }
      knowsRegions = areThere && areUnderstood
      for region in regions { try keepSource(region.source, target) }
    }
  }

  /// Sees to it that a source has a row: without it its regions would not be seen, and its number would
  /// be given to another.
  private func keepSource(
    _ source: CachedSourceID, _ target: borrowing Connection
  ) throws {
    guard sources.insert(source).inserted else { return }
    var name = "\(Self.recoveredName) \(source.number)"
    // The index may have the name where the row is lost.
    _ = try damaged.read("SELECT id, name FROM source ORDER BY name") { row in
      if row.integer(at: 0) == source.number { name = row.text(at: 1) }
    }
    name = try freeName(name, in: "source", target)
    let config = try MapCacheConfig(
      withUrlTemplate: "\(MapCacheConfig.importedRoot){z}/{x}/{y}", cacheName: name,
      maximumZ: MapCacheConfig.greatestZoom)
    try target.execute(
      "INSERT INTO source (id, name, definition) VALUES (?1, ?2, ?3)", .integer(source.number),
      .text(name), .blob(config.json.encoded()))
  }

  /// The region of what unknown regions have kept of a source.
  private func recoveredRegion(
    of source: CachedSourceID, around tile: Record, _ target: borrowing Connection
  ) throws -> Region {
    if let known = recovered[source] { return known }
    let name = try freeName(Self.recoveredName, in: "region", target)
    let seconds = tile.stored.fetched.timeIntervalSince1970
    let level = tile.tile.level
    let definition = RegionDefinition(
      RegionPlan(.world, levels: level...level), planned: 0, skipsBlank: false, blankTile: nil,
      isImported: true)
    try target.execute(
      """
      INSERT INTO region (name, source, definition, state, created)
      VALUES (?1, ?2, ?3, 'paused', ?4)
      """, .text(name), .integer(source.number), .blob(definition.record), .real(seconds))
    let region = Region(
      id: target.lastInsertedRowID, name: name, created: Date(timeIntervalSince1970: seconds),
      source: source, definition: definition)
    recovered[source] = region
    return region
  }

  /// A name that no row of a table has.
  private func freeName(
    _ name: String, in table: String, _ target: borrowing Connection
  ) throws(DatabaseError) -> String {
    var names: Set<String> = []
    let query = try target.query("SELECT name FROM \(table)")
    while try query.step() { names.insert(query.text(at: 0)) }
    return names.contains(name) ? TileCacheStore.freeName(like: name, among: names) : name
  }

  // MARK: - Tiles

  /// A tile as the damaged file has it.
  private struct Record {
    var tile: TileID
    var source: CachedSourceID
    var content: Int64?
    var stored: StoredTile
  }

  private func carryTiles() throws {
    _ = try damaged.readAll(
      of: "tile", "source, z, y, x, content, etag, modified, fetched, lifetime, pins"
    ) { row in
      Self.record(row)
    } batch: {
      try carry($0)
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
        try keepSource(record.source, target)
        try TileRecords.put(record.stored, at: record.tile, of: record.source, target)
        if record.stored.isPinned { kept.append(record) }
      }
      for region in regions {
        try keep(kept.filter { Self.belongs($0, to: region) }, in: region, target)
      }
      guard !knowsRegions else { return }
      // What may be evicted now was kept by a region.
      let strays = kept.filter { tile in !regions.contains { Self.belongs(tile, to: $0) } }
      for (source, tiles) in Dictionary(grouping: strays, by: \.source) {
        try recover(tiles, of: source, target)
      }
    }
  }

  private static func belongs(_ tile: Record, to region: Region) -> Bool {
    tile.source == region.source && region.definition.plan.contains(tile.tile)
  }

  private func keep(
    _ tiles: [Record], in region: Region, _ target: borrowing Connection
  ) throws {
    guard let date = tiles.first?.stored.fetched else { return }
    try RegionLedger(
      region: region.id, name: region.name, created: region.created, source: region.source,
      pass: .missing, now: date
    ).write(tiles.map { ($0.tile, .existing) }, target)
  }

  private func recover(
    _ tiles: [Record], of source: CachedSourceID, _ target: borrowing Connection
  ) throws {
    guard let first = tiles.first else { return }
    var region = try recoveredRegion(of: source, around: first, target)
    let levels = region.definition.plan.levels
    let found = tiles.map(\.tile.level)
    region.definition.plan = RegionPlan(
      .world,
      levels: found.reduce(levels.lowerBound, min)...found.reduce(levels.upperBound, max))
    recovered[source] = region
    try keep(tiles, in: region, target)
  }

  /// The bytes of a content; `nil` if they are not what their digest says.
  private func bytes(of content: Int64) throws -> Data? {
    var (data, digest) = (Data(), Data())
    let isWhole = try damaged.read(
      "SELECT data, digest FROM body JOIN content ON content.id = body.id WHERE body.id = ?1",
      .integer(content)
    ) { row throws(DatabaseError) in
      data = row.blob(at: 0)
      digest = row.blob(at: 1)
    }
    guard isWhole, !digest.isEmpty, try SHA256.hash(data) == digest else { return nil }
    return data
  }

  // MARK: - Figures

  /// Says how far the regions are.
  private func finishRegions() throws {
    try target.transaction { target in
      for region in regions {
        let isWhole = try done(region, target) >= region.definition.planned
        try target.execute(
          "UPDATE region SET state = ?2, reason = ?3 WHERE id = ?1", .integer(region.id),
          .text(isWhole ? "finished" : "paused"), isWhole ? .null : .text(Self.reason))
      }
      for var region in recovered.values {
        region.definition.planned = try done(region, target)
        try target.execute(
          "UPDATE region SET state = 'finished', definition = ?2 WHERE id = ?1",
          .integer(region.id), .blob(region.definition.record))
      }
    }
  }

  private func done(
    _ region: Region, _ target: borrowing Connection
  ) throws(DatabaseError) -> Int {
    let query = try target.query(
      "SELECT stored + absent + blank FROM region WHERE id = ?1", .integer(region.id))
    return try query.step() ? Int(query.integer(at: 0)) : 0
  }
}
