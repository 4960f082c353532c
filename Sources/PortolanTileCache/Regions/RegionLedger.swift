internal import Foundation
internal import PortolanSQLite
internal import PortolanTiles

/// Writes the outcomes of a region's tiles, inside a transaction of the caller.
///
/// The bit of a tile, what keeps it from being removed, and the figures of the region change together,
/// so that they agree after a crash.
struct RegionLedger: Sendable {
  /// What a tile of a region is.
  private enum Kind { case missing, stored, absent, blank }

  let region: Int64
  let name: String
  /// When the region was made; by it it is known again in a file that has taken the place of another.
  let created: Date
  let source: CachedSourceID
  let pass: RegionPass
  let now: Date

  /// Writes the tiles of a region.
  init(_ region: CachedRegion, of source: CachedSourceID, _ pass: RegionPass, now: Date) {
    self.init(
      region: region.id, name: region.name, created: region.created, source: source, pass: pass,
      now: now)
  }

  /// Writes the tiles of a region of which there is no more than its row.
  init(
    region: Int64, name: String, created: Date, source: CachedSourceID, pass: RegionPass, now: Date
  ) {
    (self.region, self.name, self.created) = (region, name, created)
    (self.source, self.pass, self.now) = (source, pass, now)
  }

  private struct Bits {
    var kept: TileBlock
    var blank: TileBlock
    var checked: TileBlock
  }

  /// What holds for all tiles that are written together.
  private struct Batch {
    var change = Change()
    /// The number of the next tile in the order of use.
    var used: Int64
    /// Whether other regions may keep the same tiles.
    var isShared: Bool
    /// Whether anything of the region has failed.
    var hasFailures: Bool
    /// How many more tiles have failed than before.
    var failures = RegionFailureCount.zero
  }

  private struct Change {
    var stored = 0
    var absent = 0
    var blank = 0
    var bytes = 0
    var saved = 0
  }

  /// Writes a batch.
  ///
  /// - Returns: How many more tiles have failed than before.
  /// - Throws: ``TileCacheError/noSuchRegion(_:)`` where the file is another that has no such region.
  @discardableResult
  func write(
    _ outcomes: [(tile: TileID, outcome: RegionOutcome)], _ connection: borrowing Connection
  ) throws -> RegionFailureCount {
    guard try isThere(connection) else { throw TileCacheError.noSuchRegion(name) }
    var batch = Batch(
      used: try TileRecords.count(up: outcomes.count, connection),
      isShared: try exists("region WHERE source = ?1 AND id <> ?2", connection),
      hasFailures: try exists("region_failure WHERE region = ?2", connection))
    var blocks: [TileBlock.Place: Bits] = [:]
    for (tile, outcome) in outcomes {
      let place = TileBlock.Place(of: tile)
      // Taken out of the list, so that its bits are changed and not copied.
      var bits =
        try blocks.removeValue(forKey: place) ?? load(TileBlock(around: tile), connection)
      try apply(outcome, to: tile, &bits, &batch, connection)
      if pass == .update { bits.checked.insert(tile) }
      blocks[place] = bits
    }
    for bits in blocks.values { try save(bits, connection) }
    try add(batch.change, connection)
    return batch.failures
  }

  private func isThere(_ connection: borrowing Connection) throws(DatabaseError) -> Bool {
    let query = try connection.query(
      "SELECT created FROM region WHERE id = ?1 AND source = ?2", .integer(region),
      .integer(source.number))
    return try query.step() && Date(timeIntervalSince1970: query.real(at: 0)) == created
  }

  /// Whether there is a row, with the source as the first value and the region as the second.
  private func exists(
    _ rows: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    let query = try connection.query(
      "SELECT ?1, ?2 FROM \(rows) LIMIT 1", .integer(source.number), .integer(region))
    return try query.step()
  }

  /// Writes what became of one tile.
  private func apply(
    _ outcome: RegionOutcome, to tile: TileID, _ bits: inout Bits, _ batch: inout Batch,
    _ connection: borrowing Connection
  ) throws {
    let isKept = bits.kept.contains(tile)
    switch outcome {
    case .failed(let error):
      // What is here serves although it is old.
      if !isKept, try TileRecords.isHere(tile, of: source, connection) {
        try keep(tile, &bits, &batch, connection)
      }
      try note(error, at: tile, isKept: bits.kept.contains(tile), &batch, connection)
    case .unasked(let error):
      guard !isKept, try TileRecords.isHere(tile, of: source, connection) else { return }
      try keep(tile, &bits, &batch, connection)
      try note(error, at: tile, isKept: true, &batch, connection)
    case .notModified(let known):
      try TileRecords.refresh(known, at: tile, of: source, connection)
      // An update takes along what is missing and here, as it does what the server sends.
      guard isKept else { return try keep(tile, &bits, &batch, connection) }
      return try forgetFailure(of: tile, &batch, connection)
    case .blank(let byteCount):
      try leaveOut(tile, byteCount, &bits, &batch, connection)
    case .existing:
      guard !isKept else { return }
      try keep(tile, &bits, &batch, connection)
    case .fetched(let stored):
      try put(stored, at: tile, &bits, &batch, connection)
    case .gone(let stored, let reason):
      guard try TileRecords.isKept(tile, of: source, connection) else {
        return try put(stored, at: tile, &bits, &batch, connection)
      }
      // What a region keeps stays, though the server has lost it.
      guard isKept else { return try keep(tile, &bits, &batch, connection) }
      if !bits.blank.contains(tile) {
        try note(reason, at: tile, isKept: true, &batch, connection)
      }
    }
  }

  /// Keeps what the server has sent.
  private func put(
    _ stored: StoredTile, at tile: TileID, _ bits: inout Bits, _ batch: inout Batch,
    _ connection: borrowing Connection
  ) throws {
    let (before, size) = try kind(of: tile, bits, connection)
    let isNew = !bits.kept.contains(tile) || bits.blank.contains(tile)
    let used = batch.used
    batch.used += 1
    func replace(_ connection: borrowing Connection) throws {
      try TileRecords.put(
        stored, at: tile, of: source, used: used, pins: isNew ? 1 : 0, connection)
    }
    if batch.isShared {
      try RegionFigures(tile, of: source, except: region).change(connection, replace)
    } else {
      try replace(connection)
    }
    bits.kept.insert(tile)
    bits.blank.remove(tile)
    Self.count(before, -1, size, &batch.change)
    Self.count(
      stored.data == nil ? .absent : .stored, 1, stored.data?.count ?? 0, &batch.change)
    try forgetFailure(of: tile, &batch, connection)
  }

  /// Lets the region keep a tile that is there, and counts it.
  private func keep(
    _ tile: TileID, _ bits: inout Bits, _ batch: inout Batch,
    _ connection: borrowing Connection
  ) throws(DatabaseError) {
    if !bits.kept.contains(tile) || bits.blank.contains(tile) {
      // A tile that was there a moment ago may be gone; it stays to be done.
      guard try TileRecords.pin(tile, of: source, connection) else { return }
      bits.kept.insert(tile)
      bits.blank.remove(tile)
    }
    let (after, size) = try kind(of: tile, bits, connection)
    Self.count(after, 1, size, &batch.change)
    try forgetFailure(of: tile, &batch, connection)
  }

  /// Leaves out a blank tile.
  private func leaveOut(
    _ tile: TileID, _ byteCount: Int, _ bits: inout Bits, _ batch: inout Batch,
    _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let (before, size) = try kind(of: tile, bits, connection)
    if before == .stored || before == .absent {
      try TileRecords.unpin(
        row: tile.row, columns: tile.column..<tile.column + 1, level: tile.level, of: source,
        connection)
    }
    Self.count(before, -1, size, &batch.change)
    Self.count(.blank, 1, before == .blank ? size : byteCount, &batch.change)
    bits.kept.insert(tile)
    bits.blank.insert(tile)
    try forgetFailure(of: tile, &batch, connection)
  }

  private static func count(_ kind: Kind, _ sign: Int, _ size: Int, _ change: inout Change) {
    switch kind {
    case .missing: break
    case .stored:
      change.stored += sign
      change.bytes += sign * size
    case .absent: change.absent += sign
    case .blank:
      change.blank += sign
      change.saved += sign * size
    }
  }

  /// What a tile is, by what is written so far.
  private func kind(
    of tile: TileID, _ bits: Bits, _ connection: borrowing Connection
  ) throws(DatabaseError) -> (Kind, size: Int) {
    guard bits.kept.contains(tile) else { return (.missing, 0) }
    guard !bits.blank.contains(tile) else { return (.blank, try blankSize(connection)) }
    let query = try connection.query(
      """
      SELECT size FROM tile LEFT JOIN content ON content.id = tile.content
      WHERE source = ?1 AND z = ?2 AND y = ?3 AND x = ?4
      """, .integer(source.number), .integer(Int64(tile.level)), .integer(Int64(tile.row)),
      .integer(Int64(tile.column)))
    guard try query.step() else { return (.missing, 0) }
    return query.isNull(at: 0) ? (.absent, 0) : (.stored, Int(query.integer(at: 0)))
  }

  /// The bytes that a blank tile has which was left out: all of a region were the same when it was.
  private func blankSize(_ connection: borrowing Connection) throws(DatabaseError) -> Int {
    let query = try connection.query(
      "SELECT saved / blank FROM region WHERE id = ?1 AND blank > 0", .integer(region))
    return try query.step() ? Int(query.integer(at: 0)) : 0
  }

  private func note(
    _ error: TileCacheError, at tile: TileID, isKept: Bool, _ batch: inout Batch,
    _ connection: borrowing Connection
  ) throws(DatabaseError) {
    if batch.hasFailures { batch.failures -= try failures(at: tile, connection) }
    batch.hasFailures = true
    batch.failures += isKept ? .oneKept : .oneMissing
    try connection.execute(
      """
      INSERT INTO region_failure VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?7)
      ON CONFLICT (region, z, y, x) DO UPDATE SET reason = excluded.reason,
        attempts = attempts + 1, time = excluded.time, kept = excluded.kept
      """, .integer(region), .integer(Int64(tile.level)), .integer(Int64(tile.row)),
      .integer(Int64(tile.column)), .text(error.errorDescription ?? "\(error)"),
      .real(now.timeIntervalSince1970), .integer(isKept ? 1 : 0))
  }

  /// How often a tile counts among those that have failed.
  private func failures(
    at tile: TileID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> RegionFailureCount {
    let query = try connection.query(
      "SELECT kept FROM region_failure WHERE region = ?1 AND z = ?2 AND y = ?3 AND x = ?4",
      .integer(region), .integer(Int64(tile.level)), .integer(Int64(tile.row)),
      .integer(Int64(tile.column)))
    guard try query.step() else { return .zero }
    return query.integer(at: 0) != 0 ? .oneKept : .oneMissing
  }

  private func forgetFailure(
    of tile: TileID, _ batch: inout Batch, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    guard batch.hasFailures else { return }
    let failures = try failures(at: tile, connection)
    guard failures != .zero else { return }
    batch.failures -= failures
    try connection.execute(
      "DELETE FROM region_failure WHERE region = ?1 AND z = ?2 AND y = ?3 AND x = ?4",
      .integer(region), .integer(Int64(tile.level)), .integer(Int64(tile.row)),
      .integer(Int64(tile.column)))
  }

  private func add(
    _ change: Change, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.execute(
      """
      UPDATE region SET stored = stored + ?2, absent = absent + ?3, blank = blank + ?4,
        bytes = bytes + ?5, saved = saved + ?6 WHERE id = ?1
      """, .integer(region), .integer(Int64(change.stored)), .integer(Int64(change.absent)),
      .integer(Int64(change.blank)), .integer(Int64(change.bytes)),
      .integer(Int64(change.saved)))
  }

  // MARK: - Bits

  /// The bits of a block; none where nothing is written.
  private func load(
    _ place: TileBlock, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bits {
    Bits(
      kept: try RegionBits.load(place, .kept, of: region, connection),
      blank: try RegionBits.load(place, .blank, of: region, connection),
      checked: try RegionBits.load(place, .checked, of: region, connection))
  }

  private func save(_ bits: Bits, _ connection: borrowing Connection) throws(DatabaseError) {
    try RegionBits.save(bits.kept, .kept, of: region, connection)
    try RegionBits.save(bits.blank, .blank, of: region, connection)
    try RegionBits.save(bits.checked, .checked, of: region, connection)
  }
}
