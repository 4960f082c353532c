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
  /// - Throws: ``TileCacheError/noSuchRegion(_:)``, ``TileCacheError/regionInUse(_:)`` if it is
  ///   being changed, so that the contents of the file would be undefined;
  ///   ``TileCacheError/tiles(_:)``.
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

  /// Keeps others from changing a region; where nothing can be written none can.
  private func lockForReading(_ region: CachedRegion) throws(TileCacheError) -> ByteLock? {
    do throws(TileCacheError) { return try lock(region, sharing: true) } catch {
      guard opened.isReadOnly, error != .regionInUse(region.name) else { throw error }
      return nil
    }
  }

  /// The tiles of a region that are here; also where their source is no longer known.
  public func source(
    of region: CachedRegion
  ) async throws(TileCacheError) -> CachedTileSource {
    let keys = keys
    let (number, known, format) = try await read { connection in
      let number = try Self.source(of: region, connection)
      let query = try connection.query(
        "SELECT definition FROM source WHERE id = ?1", .integer(number.number))
      let known = try query.step() ? keys.config(query.blob(at: 0)) : nil
      return (number, known, try Self.format(ofTilesOf: number, connection))
    }
    let part = (shape: region.plan.region, levels: region.plan.levels, name: region.name)
    if var known {
      // Nothing need say that its tiles are vectors but the tiles themselves.
      if known.format == nil, format?.isRaster == false { known.format = .vectorTile }
      return CachedTileSource(known, store: self, in: part)
    }
    return CachedTileSource(
      try MapCacheConfig(unknown: region.source, format), numbered: number, store: self, in: part)
  }
}
