internal import PortolanSQLite
internal import PortolanTiles

extension TileCacheStore {
  /// Refuses a file of vector tiles for a source of pictures, and one of pictures for a source of
  /// vector tiles: its tiles would take the place of others that nothing can show any more.
  nonisolated func check(
    _ file: TileFileSummary, fits config: MapCacheConfig
  ) async throws(TileCacheError) {
    let kept = try await isVector(config)
    guard let kept, kept != file.source.info.isVector else { return }
    throw .tiles(
      .unsupported(
        file: file.name,
        reason: kept
          ? "it holds pictures, and its source has vector tiles"
          : "it holds vector tiles, and its source has pictures"))
  }

  /// Whether a source has vector tiles: as it says, else as its tiles here are; `nil` if there is none.
  private nonisolated func isVector(_ config: MapCacheConfig) async throws(TileCacheError) -> Bool?
  {
    if let format = config.format { return !format.isRaster }
    guard let source = try await knownSource(of: config) else { return nil }
    let data = try await read { connection in
      let query = try connection.query(
        "SELECT data FROM tile JOIN body ON body.id = tile.content WHERE source = ?1 LIMIT 1",
        .integer(source.number))
      return try query.step() ? query.blob(at: 0) : nil
    }
    return data.flatMap { TileFormat(detecting: $0) }.map { !$0.isRaster }
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
}
