public import Foundation
internal import PortolanLocks
internal import PortolanSQLite
public import PortolanTiles

/// The file of a cache: tiles of several sources, and the regions that keep some of them.
///
/// Several processes may use one file at a time. Times and orders that matter are counted, not read
/// from a clock, so that a clock that is wrong does no harm.
public actor TileCacheStore {
  /// The file.
  public nonisolated let url: URL
  /// The keys of its sources.
  nonisolated let keys: SourceKeyFile
  /// Its folder, whose disk has to have room.
  nonisolated let folder: URL
  /// Where SQLite keeps its log.
  nonisolated let log: URL
  /// Where a file is now that was no sound cache and stood in the way.
  public internal(set) var setAside: URL?
  /// The definitions of regions that were read.
  nonisolated let definitions = RegionDefinitions()
  /// The layers that were found in vector tiles.
  nonisolated let foundLayers = FoundLayers()
  /// What was read since it was written last.
  nonisolated let readings = Locked(TileReadings())
  /// What was received and is not written yet.
  nonisolated let arrivals = Locked(TileArrivals())
  /// Reads tiles where the caller runs; `nil` where that cannot be done.
  nonisolated private let tileReader = Locked<TileReader?>(nil)
  var opened: TileCacheFile.Opened {
    didSet {
      let reader = opened.tiles
      tileReader.withLock { $0 = reader }
    }
  }
  /// The sources whose numbers are known, by name.
  var sources: [String: RecordedSource] = [:]
  /// The definitions of sources as they were read, by name.
  var readDefinitions: [String: Set<Data>] = [:]

  /// Opens the cache at `url`, or makes an empty one.
  ///
  /// What is there and is damaged, or is of another program, is set aside. What cannot be written, as
  /// on a full disk or a read-only medium, is opened to be read, until it can be written.
  ///
  /// - Throws: ``TileCacheError/newerCache(file:version:)``,
  ///   ``TileCacheError/storage(file:reason:)``, ``TileCacheError/diskFull(file:)``.
  public init(at url: URL) throws(TileCacheError) {
    self.url = url
    keys = SourceKeyFile(of: url)
    folder = url.deletingLastPathComponent()
    log = URL(filePath: url.path(percentEncoded: false) + "-wal")
    let opened = try TileCacheFile(url: url).open()
    self.opened = opened
    setAside = opened.setAside
    tileReader.withLock { $0 = opened.tiles }
  }

  /// Forgets what was known of the file that was open before.
  func forgetFile() {
    sources = [:]
    readDefinitions = [:]
    foundLayers.forget()
    readings.withLock { $0.forgetOrder() }
  }

  /// Notes the number of a source in the file that is open.
  func note(_ source: RecordedSource) {
    let name = source.config.cacheName
    sources[name] = source
    readings.withLock { $0.note(source.id, named: name) }
  }

  // MARK: - Tiles

  /// What is known of a tile of a source that need not be known; `nil` if nothing is.
  nonisolated func tile(
    at tile: TileID, of config: MapCacheConfig
  ) async throws(TileCacheError) -> StoredTile? {
    let name = config.cacheName
    if let arrival = arrivals.withLock({ $0.find(tile, of: config) }) {
      readings.withLock { $0.note(arriving: arrival.stored, of: arrival.source, at: .now) }
      return arrival.stored
    }
    // What cannot be read at once is read on a queue, which says why it cannot.
    if let reader = tileReader.withLock({ $0 }),
      let finding = try? reader.tile(at: tile, of: config)  // as said above
    {
      note(finding.found, of: finding.source)
      return finding.found?.tile
    }
    guard let source = try await knownSource(of: config) else {
      readings.withLock { $0.noteMiss(ofSourceNamed: name) }
      return nil
    }
    return try await self.tile(at: tile, of: source)
  }

  /// What is known of a tile; `nil` if nothing is.
  public func tile(
    at tile: TileID, of source: CachedSourceID
  ) async throws(TileCacheError) -> StoredTile? {
    let found = try await read { try Self.find(tile, of: source, $0) }
    note(found, of: source)
    return found?.tile
  }

  nonisolated private func note(_ found: FoundTile?, of source: CachedSourceID) {
    let time = ContinuousClock.now
    let isFull = readings.withLock { readings in
      readings.note(found, of: source, at: time)
      return readings.isFull(at: time)
    }
    // On a full disk, or while others write, tiles are read all the same; only their order is lost.
    if isFull { beginWriting() }
  }

  /// What is known of a tile, without counting it as read.
  func peek(
    at tile: TileID, of source: CachedSourceID
  ) async throws(TileCacheError) -> StoredTile? {
    try await read { try Self.find(tile, of: source, $0)?.tile }
  }

  /// What is known of a tile of a source that need not be known, without counting it as read.
  nonisolated func peek(
    at tile: TileID, of config: MapCacheConfig
  ) async throws(TileCacheError) -> StoredTile? {
    if let arrival = arrivals.withLock({ $0.find(tile, of: config) }) { return arrival.stored }
    // What cannot be read at once is read on a queue, which says why it cannot.
    if let reader = tileReader.withLock({ $0 }),
      let finding = try? reader.tile(at: tile, of: config)  // as said above
    {
      return finding.found?.tile
    }
    guard let source = try await knownSource(of: config) else { return nil }
    return try await peek(at: tile, of: source)
  }

  /// Writes what was received, the order in which tiles were read, and how many were there.
  public func flush() async throws(TileCacheError) {
    await written()
    guard !readings.withLock(\.isEmpty) else { return }
    try await writeReadings { _ in }
  }

  /// Writes what was read since it was written last, and what `body` writes, in one transaction.
  private func writeReadings(
    and body: @Sendable (borrowing Connection) throws -> Void
  ) async throws(TileCacheError) {
    let pending = readings.withLock { $0.take() }
    let order = try await write { connection in
      try pending.write(to: connection)
      try body(connection)
      return try TileRecords.orderOfUse(connection)
    }
    readings.withLock { $0.note(newest: order.newest, tileCount: order.tileCount) }
  }

  /// Notes that a tile was found to be unchanged, unless another version of it is in the file: the one that
  /// was asked about may be on its way, and may not get there.
  ///
  /// - Parameters:
  ///   - known: The tile, with when that was.
  ///   - tile: Where it is.
  ///   - config: Its source.
  /// - Throws: `TileCacheError` if that cannot be written.
  public func refresh(
    _ known: StoredTile, at tile: TileID, of config: MapCacheConfig
  ) async throws(TileCacheError) {
    _ = try await source(storing: config)
    let (record, keys) = (sources[config.cacheName]?.record, keys)
    try await write { connection in
      let source = try Self.number(of: config, as: record, keys, connection)
      try TileRecords.refresh(known, at: tile, of: source, connection)
    }
  }

  /// Makes room until no more than `capacity` bytes belong to tiles that no region keeps.
  public func evict(to capacity: Int) async throws(TileCacheError) {
    try await writeReadings { _ = try Self.evict(to: capacity, $0) }
  }
}

/// A source with its number and its record in the file.
struct RecordedSource: Sendable {
  var id: CachedSourceID
  var config: MapCacheConfig
  /// The definition as it is written, whose keys are marks.
  var record: Data
}

extension TileCacheStore {
  /// Finds a tile with its number.
  static let finding = """
    SELECT tile.id, etag, modified, fetched, lifetime, pins, content, data, used
    FROM tile LEFT JOIN body ON body.id = tile.content
    WHERE source = ?1 AND z = ?2 AND y = ?3 AND x = ?4
    """

  /// What is known of a tile, with its number.
  static func find(
    _ tile: TileID, of source: CachedSourceID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> FoundTile? {
    let query = try connection.query(finding)
    return try find(tile, of: source, by: query)
  }

  /// What is known of a tile, by a query of ``finding`` that has not begun.
  static func find(
    _ tile: TileID, of source: CachedSourceID, by query: borrowing Query
  ) throws(DatabaseError) -> FoundTile? {
    try query.bind(source.number, at: 1)
    try query.bind(tile.level, at: 2)
    try query.bind(tile.row, at: 3)
    try query.bind(tile.column, at: 4)
    guard try query.step() else { return nil }
    var stored = StoredTile(
      data: query.isNull(at: 6) ? nil : query.blob(at: 7),
      entityTag: query.isNull(at: 1) ? nil : query.text(at: 1),
      lastModified: query.isNull(at: 2) ? nil : query.text(at: 2),
      fetched: Date(timeIntervalSince1970: query.real(at: 3)),
      lifetime: query.isNull(at: 4) ? nil : query.real(at: 4))
    stored.isPinned = query.integer(at: 5) > 0
    return FoundTile(id: query.integer(at: 0), used: query.integer(at: 8), tile: stored)
  }

  /// Removes the tiles that were used least recently, at most so many, until the others fit.
  ///
  /// - Returns: How many were removed.
  static func evict(
    to capacity: Int, limit: Int = .max, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Int {
    var count = 0
    while count < limit, try TileRecords.ambientBytes(connection) > capacity {
      try connection.execute(
        """
        DELETE FROM tile WHERE id =
          (SELECT id FROM tile WHERE pins = 0 ORDER BY used LIMIT 1)
        """)
      guard connection.changeCount > 0 else { return count }
      count += 1
    }
    return count
  }
}
