public import Foundation
internal import PortolanFiles
internal import PortolanSQLite
public import PortolanTileFiles
internal import PortolanTiles

extension TileCacheStore {
  /// Writes the tiles of a region to a file: `.mbtiles`, `.pmtiles`, `.tpkx` or `.tpk`, by its ending.
  ///
  /// - Parameters:
  ///   - name: The region.
  ///   - url: The file; it appears when it is whole.
  ///   - replaces: Whether it takes the place of what is there by then.
  ///   - progress: Called now and then with the part that is done.
  /// - Returns: What was written: the tiles that are here, which need not be all of the region.
  /// - Throws: ``TileCacheError/noSuchRegion(_:)``, ``TileCacheError/regionInUse(_:)`` if somebody
  ///   changes it, so that nobody could say what is in the file; ``TileCacheError/tiles(_:)``.
  @concurrent nonisolated public func exportRegion(
    named name: String, to url: URL, replacing replaces: Bool = true,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(TileCacheError) -> TileConversionSummary {
    guard let format = TileFileFormat(pathExtension: url.pathExtension) else {
      throw .tiles(.unknownEnding(file: url.lastPathComponent))
    }
    let found = try await region(named: name)
    let lock = try await lockForReading(found)
    defer { lock?.release() }
    let region = try await current(found)
    let source = try await source(of: region).copied
    do {
      return try await TileConversion(
        from: source, to: url, as: format, replacing: replaces
      ).run {
        progress($0.fraction)
      }
    } catch {
      throw error == .cancelled ? .cancelled : .tiles(error)
    }
  }

  /// Keeps others from changing a region; where nothing can be written nobody does.
  private func lockForReading(_ region: CachedRegion) throws(TileCacheError) -> ByteLock? {
    do throws(TileCacheError) { return try lock(region, sharing: true) } catch {
      guard opened.isReadOnly, error != .regionInUse(region.name) else { throw error }
      return nil
    }
  }

  /// The tiles of a region that are here.
  public func source(
    of region: CachedRegion
  ) async throws(TileCacheError) -> CachedTileSource {
    var known = try await config(named: region.source)
    if known == nil { known = try await recoverSource(of: region) }
    guard let found = known else {
      throw .badSource(
        region.source, reason: "its record cannot be read; a newer Portolan may have written it")
    }
    return CachedTileSource(
      found, store: self,
      in: (shape: region.plan.region, levels: region.plan.levels, name: region.name))
  }

  /// Gives a region whose source is lost one again, of which nobody is asked for more, so that its tiles are
  /// found.
  ///
  /// - Returns: The source; `nil` if there is a record of it, which cannot be read.
  private func recoverSource(
    of region: CachedRegion
  ) async throws(TileCacheError) -> MapCacheConfig? {
    let keys = keys
    let recovered = try await write { connection -> MapCacheConfig? in
      let source = try Self.source(of: region, connection)
      var names: Set<String> = []
      let query = try connection.query("SELECT id, name FROM source")
      while try query.step() {
        guard query.integer(at: 0) != source.number else { return nil }
        names.insert(query.text(at: 1))
      }
      var config = try MapCacheConfig(
        withUrlTemplate: "\(MapCacheConfig.importedRoot){z}/{x}/{y}",
        cacheName: names.contains(region.source)
          ? Self.freeName(like: region.source, among: names) : region.source,
        minimumZ: region.plan.levels.lowerBound, maximumZ: max(1, region.plan.levels.upperBound))
      config.loadTileMode = .cacheOnly
      try connection.execute(
        "INSERT INTO source (id, name, definition) VALUES (?1, ?2, ?3)",
        .integer(source.number), .text(config.cacheName), .blob(try keys.keep(config)))
      return config
    }
    // It stays a region that no server is asked for.
    if recovered != nil { try await setPlanned(region.progress.planned, of: region) }
    return recovered
  }
}
