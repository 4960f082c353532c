public import Foundation
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanTiles

/// What happens where a region of that name is there already.
public enum ImportConflict: String, Hashable, Sendable, CaseIterable {
  /// Nothing is read.
  case skip
  /// The region is deleted once a new one is made of the file, which then gets its name.
  case replace
  /// The file gets another name.
  case rename
  /// The file's tiles go into the region, those that lie in it.
  case merge
}

/// What became of a file that was imported.
public struct ImportedRegion: Hashable, Sendable {
  /// The region; the one that was there where the file was skipped.
  public var region: CachedRegion
  /// How many tiles were taken over.
  public var tileCount = 0
  /// How many were not: they lie outside of the region, or are damaged.
  public var leftOutCount = 0
  /// Whether nothing was read, since a region of that name is there.
  public var isSkipped = false
}

extension TileCacheStore {
  /// How many tiles are written at a time.
  private static let importBatch = 256

  /// Takes the tiles of a file over as a region: any file that `TileFile` opens, if its tiles are
  /// those of the map of the web.
  ///
  /// The file is looked through before anything is made, so that one that is none leaves nothing.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - name: What the region is called; as the file, if `nil`.
  ///   - config: The source that the tiles are of; one without a server, named as the region, if
  ///     `nil`.
  ///   - conflict: What happens where a region of that name is there.
  ///   - now: The time of day.
  /// - Returns: What was taken over.
  /// - Throws: ``TileCacheError/tiles(_:)`` for what is no such file.
  @concurrent nonisolated public func importRegion(
    from url: URL, named name: String? = nil, of config: MapCacheConfig? = nil,
    onConflict conflict: ImportConflict, now: Date
  ) async throws(TileCacheError) -> ImportedRegion {
    let file = try await TileFileSummary(of: url)
    var name = name ?? url.deletingPathExtension().lastPathComponent
    let names = Set(try await regions().map(\.name))
    if names.contains(name) {
      let existing = try await region(named: name)
      switch conflict {
      case .skip: return ImportedRegion(region: existing, isSkipped: true)
      case .merge: return try await read(file, into: existing, now: now)
      case .replace:
        return try await replace(existing, with: file, of: config, among: names, now: now)
      case .rename: name = Self.freeName(like: name, among: names)
      }
    }
    let region = try await makeRegion(name, of: config, named: name, file, now)
    return try await read(file, into: region, now: now)
  }

  /// Makes a region for the tiles of a file, of a source that is given or has a name of its own.
  nonisolated private func makeRegion(
    _ name: String, of config: MapCacheConfig?, named sourceName: String, _ file: TileFileSummary,
    _ now: Date
  ) async throws(TileCacheError) -> CachedRegion {
    let source: MapCacheConfig
    if let config {
      source = config
    } else {
      source = try MapCacheConfig(imported: sourceName, file)
    }
    return try await createRegion(
      named: name, of: source, RegionPlan(file.ground, levels: file.levels), planned: file.count,
      isImported: true, now: now)
  }

  /// Makes a region beside the one that is there, which goes once the new one is whole: whatever breaks
  /// off leaves one of them, or both.
  nonisolated private func replace(
    _ existing: CachedRegion, with file: TileFileSummary, of config: MapCacheConfig?,
    among names: Set<String>, now: Date
  ) async throws(TileCacheError) -> ImportedRegion {
    try lock(existing).release()
    let name = Self.freeName(like: existing.name, among: names)
    let region = try await makeRegion(name, of: config, named: existing.name, file, now)
    var imported: ImportedRegion
    do throws(TileCacheError) { imported = try await read(file, into: region, now: now) } catch {
      // What remains is listed under its own name, and can be deleted.
      _ = try? await unstoppably { () async throws(TileCacheError) in
        try await self.deleteRegion(named: name)
      }
      throw error
    }
    _ = try await deleteRegion(named: existing.name)
    try await rename(region, to: existing.name)
    imported.region = try await self.region(named: existing.name)
    return imported
  }

  nonisolated private func read(
    _ file: TileFileSummary, into region: CachedRegion, now: Date
  ) async throws(TileCacheError) -> ImportedRegion {
    let lock = try lock(region)
    defer { lock.release() }
    let source = try await read { try Self.source(of: region, $0) }
    let ledger = RegionLedger(region: region.id, source: source, pass: .missing, now: now)
    var imported = ImportedRegion(region: region)
    var batch: [(tile: TileID, outcome: RegionOutcome)] = []
    do throws(TileError) {
      for try await id in file.source.tileIDs {
        guard let target = file.quad.tile(for: id), region.plan.contains(target),
          let tile = try await file.tile(at: id)
        else {
          imported.leftOutCount += 1
          continue
        }
        batch.append((target, .fetched(StoredTile(data: tile.data, fetched: now))))
        guard batch.count >= Self.importBatch else { continue }
        imported.tileCount += try await write(&batch, ledger)
      }
      imported.tileCount += try await write(&batch, ledger)
    } catch {
      throw error == .cancelled ? .cancelled : .tiles(error)
    }
    let remaining = try await self.region(named: region.name).progress.remaining
    try await setState(remaining == 0 ? .finished : .paused, of: region.id, updated: now)
    imported.region = try await self.region(named: region.name)
    return imported
  }

  nonisolated private func write(
    _ batch: inout [(tile: TileID, outcome: RegionOutcome)], _ ledger: RegionLedger
  ) async throws(TileError) -> Int {
    let results = batch
    batch = []
    do throws(TileCacheError) {
      try await write { try ledger.write(results, $0) }
    } catch {
      throw error == .cancelled
        ? .cancelled
        : .unwritable(file: url.lastPathComponent, reason: error.errorDescription ?? "\(error)")
    }
    return results.count
  }
}

extension MapCacheConfig {
  /// A source of which there is only what a file held: nobody can be asked for more.
  init(imported name: String, _ file: TileFileSummary) throws(TileCacheError) {
    try self.init(
      withUrlTemplate: "\(Self.importedRoot){z}/{x}/{y}", cacheName: name,
      minimumZ: file.levels.lowerBound, maximumZ: max(1, file.levels.upperBound))
    loadTileMode = .cacheOnly
    attribution = file.source.info.attribution
    tileSize = file.source.info.scheme.tileWidth
    if file.source.info.isVector { format = .vectorTile }
  }
}
