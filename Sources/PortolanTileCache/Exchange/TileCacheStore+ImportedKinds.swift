internal import PortolanSQLite
internal import PortolanTiles

extension TileCacheStore {
  /// Refuses a file of vector tiles for a source of pictures, and one of pictures for a source of
  /// vector tiles: its tiles would take the place of others that nothing can show any more.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - config: The source.
  ///   - number: Its number in the cache; `nil` where it need not be there.
  /// - Throws: ``TileCacheError/tiles(_:)`` where they do not fit.
  nonisolated func check(
    _ file: TileFileSummary, fits config: MapCacheConfig, numbered number: CachedSourceID? = nil
  ) async throws(TileCacheError) {
    let kept = try await isVector(config, number)
    guard let kept, kept != file.source.info.isVector else { return }
    throw .tiles(
      .unsupported(
        file: file.name,
        reason: kept
          ? "it holds pictures, and its source has vector tiles"
          : "it holds vector tiles, and its source has pictures"))
  }

  /// Whether a source has vector tiles: as it says, else as its tiles here are; `nil` if there is none.
  nonisolated func isVector(
    _ config: MapCacheConfig, _ number: CachedSourceID?
  ) async throws(TileCacheError) -> Bool? {
    if let format = config.format { return !format.isRaster }
    let known: CachedSourceID? =
      if let number { number } else { try await knownSource(of: config) }
    guard let source = known else { return nil }
    return try await read { try Self.format(ofTilesOf: source, $0) }.map { !$0.isRaster }
  }

  /// What the tiles of a source are that are here, by one of them; `nil` if there is none.
  static func format(
    ofTilesOf source: CachedSourceID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> TileFormat? {
    // A tile of no bytes says nothing.
    let query = try connection.query(
      """
      SELECT data FROM tile JOIN body ON body.id = tile.content
      WHERE source = ?1 AND length(data) > 0 LIMIT 1
      """, .integer(source.number))
    return try query.step() ? TileFormat(detecting: query.blob(at: 0)) : nil
  }

  /// Lets a region of files take as many tiles as it has, so that its figures add up at any moment.
  static func growPlan(
    of region: CachedRegion, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let query = try connection.query(
      "SELECT definition, stored + absent + blank FROM region WHERE id = ?1", .integer(region.id))
    guard try query.step(), var definition = RegionDefinition(query.blob(at: 0)) else { return }
    let done = Int(query.integer(at: 1))
    guard done > definition.planned else { return }
    definition.planned = done
    try connection.execute(
      "UPDATE region SET definition = ?2 WHERE id = ?1", .integer(region.id),
      .blob(definition.record))
  }

  /// The outcomes of a file's tiles in a region; where newer tiles of the server are here, these stay.
  ///
  /// - Returns: The outcomes, and how many tiles of the file are older than what is here.
  static func leavingNewer(
    _ outcomes: [(tile: TileID, outcome: RegionOutcome)], _ ledger: RegionLedger,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> (outcomes: [(tile: TileID, outcome: RegionOutcome)], olderCount: Int) {
    var (written, olderCount) = (outcomes, 0)
    for (index, (tile, outcome)) in outcomes.enumerated() {
      guard case .fetched(let stored) = outcome,
        try TileRecords.isNewer(
          than: stored.fetched, tile, of: ledger.source, now: ledger.now, connection),
        // Of what the disk has damaged nothing is left to be newer.
        try !isDamaged(tile, of: ledger.source, connection)
      else { continue }
      written[index].outcome = .existing
      olderCount += 1
    }
    return (written, olderCount)
  }
}
