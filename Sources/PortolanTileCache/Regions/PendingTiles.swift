internal import Foundation
internal import PortolanSQLite
internal import PortolanTiles

/// The tiles of a region that a pass still has to process, a block at a time.
struct PendingTiles {
  /// How many failures are listed at a time.
  private static let failureBatch = 4_096
  /// Of how many tiles that are here the bytes are looked at at a time.
  private static let lookBatch = 256

  private let store: TileCacheStore
  private let region: CachedRegion
  private let source: CachedSourceID
  private let pass: RegionPass
  private let isFresh: @Sendable (StoredTile) -> Bool
  private var blocks: PlannedBlocks
  /// The last failure that was listed.
  private var lastFailure: TileID?
  private var tiles: [Next] = []
  private var position = 0
  /// How many of them were looked at for damage.
  private var lookedCount = 0

  init(
    _ store: TileCacheStore, _ region: CachedRegion, _ source: CachedSourceID, _ pass: RegionPass,
    isFresh: @escaping @Sendable (StoredTile) -> Bool
  ) {
    (self.store, self.region, self.source, self.pass) = (store, region, source, pass)
    self.isFresh = isFresh
    blocks = PlannedBlocks(region.plan)
  }

  /// A tile that is to be seen to.
  struct Next: Sendable {
    var tile: TileID
    /// Whether the server has to be asked for it.
    var needsRequest = true
    /// Whether anything may be known of it, such as its tag.
    var isKnown = true
  }

  /// The next tile; `nil` after the last.
  mutating func next() async throws(TileCacheError) -> Next? {
    while position == tiles.count {
      guard let more = try await nextTiles() else { return nil }
      (tiles, position, lookedCount) = (more, 0, 0)
    }
    if position == lookedCount { try await lookForDamage() }
    defer { position += 1 }
    return tiles[position]
  }

  /// Has the server asked for those of the next tiles that are here and fresh, and which the disk has damaged.
  private mutating func lookForDamage() async throws(TileCacheError) {
    let batch = position..<min(position + Self.lookBatch, tiles.count)
    lookedCount = batch.upperBound
    let here = batch.filter { !tiles[$0].needsRequest }
    guard !here.isEmpty else { return }
    let damaged = try await store.damaged(here.map { tiles[$0].tile }, of: source)
    for index in here where damaged.contains(tiles[index].tile) { tiles[index].needsRequest = true }
  }

  private mutating func nextTiles() async throws(TileCacheError) -> [Next]? {
    if pass == .failed {
      let failures = try await store.failures(
        of: region, after: lastFailure, limit: Self.failureBatch)
      guard let last = failures.last else { return nil }
      lastFailure = last.tile
      return failures.map { Next(tile: $0.tile) }
    }
    guard !Task.isCancelled else { throw .cancelled }
    guard let block = blocks.next() else { return nil }
    let isUpdate = pass == .update
    let (region, source) = (region, source)
    let found = try await store.read { connection -> Found in
      let done = try RegionBits.load(
        block, isUpdate ? .checked : .kept, of: region.id, connection)
      let rest = block.subtracting(done)
      guard !isUpdate, !rest.isEmpty else { return Found(rest: rest) }
      return Found(
        rest: rest, here: try Self.tiles(in: block, of: source, connection),
        failed: try Self.failures(in: block, of: region.id, connection))
    }
    return found.rest.tiles.filter { !found.failed.contains($0) }.map { tile in
      let known = found.here[tile]
      return Next(
        tile: tile, needsRequest: !(known.map(isFresh) ?? false), isKnown: isUpdate || known != nil)
    }
  }

  /// What is known of a block.
  private struct Found {
    /// Its tiles that are not done.
    var rest: TileBlock
    /// Its tiles that are in the cache.
    var here: [TileID: StoredTile] = [:]
    /// Its tiles that failed.
    var failed: Set<TileID> = []
  }

  /// The tiles of a block that were seen before, without their bytes.
  private static func tiles(
    in block: TileBlock, of source: CachedSourceID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> [TileID: StoredTile] {
    let query = try connection.query(
      """
      SELECT y, x, content IS NULL, fetched, lifetime FROM tile
      WHERE source = ?1 AND z = ?2 AND y >= ?3 AND y < ?4 AND x >= ?5 AND x < ?6
      """, .integer(source.number))
    try bind(block, to: query)
    var tiles: [TileID: StoredTile] = [:]
    while try query.step() {
      let tile = TileID(
        level: block.level, row: Int(query.integer(at: 0)), column: Int(query.integer(at: 1)))
      tiles[tile] = StoredTile(
        data: query.integer(at: 2) == 1 ? nil : Data(),
        fetched: Date(timeIntervalSince1970: query.real(at: 3)),
        lifetime: query.isNull(at: 4) ? nil : query.real(at: 4))
    }
    return tiles
  }

  /// The tiles of a block that failed, which wait for a pass of their own.
  static func failures(
    in block: TileBlock, of region: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Set<TileID> {
    let query = try connection.query(
      """
      SELECT y, x FROM region_failure
      WHERE region = ?1 AND z = ?2 AND y >= ?3 AND y < ?4 AND x >= ?5 AND x < ?6
      """, .integer(region))
    try bind(block, to: query)
    var tiles: Set<TileID> = []
    while try query.step() {
      tiles.insert(
        TileID(
          level: block.level, row: Int(query.integer(at: 0)), column: Int(query.integer(at: 1))))
    }
    return tiles
  }

  private static func bind(
    _ block: TileBlock, to query: borrowing Query
  ) throws(DatabaseError) {
    try query.bind(block.level, at: 2)
    try query.bind(block.rows.lowerBound, at: 3)
    try query.bind(block.rows.upperBound, at: 4)
    try query.bind(block.columns.lowerBound, at: 5)
    try query.bind(block.columns.upperBound, at: 6)
  }
}
