public import Foundation
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanSQLite
internal import PortolanTiles

extension TileCacheStore {
  /// How many tiles are written at a time.
  private static let importBatch = 256
  /// How many bytes of them.
  private static let importBytes = 8 << 20

  /// Takes the tiles of a file over as a region: any file that `TileFile` opens, if its tiles are
  /// those of the Web Mercator scheme.
  ///
  /// The file is looked through before anything is made, so that one that is none leaves nothing.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - name: What the region is called; as the file, if `nil`.
  ///   - config: The source that the tiles are of; if `nil`, that of the region whose place it takes
  ///     where that has a server which the file fits, else one without a server, named as the region.
  ///   - conflict: What happens where a region of that name is there.
  ///   - now: The time of day.
  /// - Returns: What was taken over.
  /// - Throws: ``TileCacheError/tiles(_:)`` for what is no such file.
  @concurrent nonisolated public func importRegion(
    from url: URL, named name: String? = nil, of config: MapCacheConfig? = nil,
    onConflict conflict: ImportConflict, now: Date
  ) async throws(TileCacheError) -> ImportedRegion {
    let file = try await TileFileSummary(of: url)
    if let config { try await check(file, fits: config) }
    let name = name ?? url.deletingPathExtension().lastPathComponent
    let existing = try await region(like: name)
    switch (existing, conflict) {
    case (let existing?, _) where existing.isHalfThere:
      // A process has died while it read a file, or deleted; one that lives is not disturbed.
      _ = try await deleteRegion(named: existing.name)
    case (let existing?, .skip): return ImportedRegion(region: existing, isSkipped: true)
    case (let existing?, .merge): return try await read(file, into: existing, now: now)
    case (let existing?, .replace):
      return try await replace(existing, with: file, of: config, now: now)
    case (.some, .rename):
      let free = try await freeName(like: name)
      return try await make(free, of: file, config, sourceName: free, now: now)
    case (nil, _): break
    }
    return try await make(name, of: file, config, sourceName: name, now: now)
  }

  /// The region that has a name, or one that differs in upper and lower case only.
  nonisolated private func region(like name: String) async throws(TileCacheError) -> CachedRegion? {
    let regions = try await regions()
    let found = Self.name(like: name, among: regions.map(\.name))
    return regions.first { $0.name == found }
  }

  nonisolated private func freeName(like name: String) async throws(TileCacheError) -> String {
    Self.freeName(like: name, among: Set(try await regions().map(\.name)))
  }

  /// Makes a region of a file that continues to be of the server of another.
  ///
  /// What the file lacks can be downloaded. Nothing is left of it if that fails.
  nonisolated private func make(
    _ name: String, of file: TileFileSummary, like old: CachedRegion, from server: MapCacheConfig,
    now: Date
  ) async throws(TileCacheError) -> ImportedRegion {
    // A box around the tiles of all levels would take more of the finest ones than there were.
    let plan =
      try await file.lies(in: old.plan) ? old.plan : RegionPlan(file.ground, levels: file.levels)
    let made = try await makeRegion(
      named: name, of: server, plan, planned: plan.count, skippingBlank: old.skipsBlank,
      blankTile: old.blankTile, state: .importing, now: now)
    return try await leavingNothing(of: name) { () async throws(TileCacheError) in
      try await self.read(file, into: made.region, under: made.lock, now: now)
    }
  }

  /// The source of a region, if it has a server that tiles of a file may be of.
  nonisolated private func server(
    of region: CachedRegion, fitting file: TileFileSummary
  ) async throws(TileCacheError) -> MapCacheConfig? {
    guard !region.isImported, let config = try await config(named: region.source),
      !config.isImported
    else { return nil }
    do throws(TileCacheError) { try await check(file, fits: config) } catch {
      guard error != .cancelled else { throw error }
      return nil
    }
    return config
  }

  /// Makes a region of a file; nothing is left of it if that fails.
  nonisolated private func make(
    _ name: String, of file: TileFileSummary, _ config: MapCacheConfig?, sourceName: String,
    now: Date
  ) async throws(TileCacheError) -> ImportedRegion {
    var source: MapCacheConfig
    if let config {
      source = config
    } else {
      source = try MapCacheConfig(imported: sourceName, file)
      // The tiles of another region must not change with this one.
      let used = try await usedSources()
      if used.contains(sourceName) {
        source.cacheName = Self.freeName(like: sourceName, among: used)
      }
    }
    let made = try await makeRegion(
      named: name, of: source, RegionPlan(file.ground, levels: file.levels), planned: file.count,
      isImported: true, state: .importing, now: now)
    return try await leavingNothing(of: name) { () async throws(TileCacheError) in
      try await self.read(file, into: made.region, under: made.lock, now: now)
    }
  }

  /// The names of sources, but for those that came from a file of which nothing is left.
  nonisolated private func usedSources() async throws(TileCacheError) -> Set<String> {
    let imported = Set(try await configs().filter(\.isImported).map(\.cacheName))
    let kept = Set(try await regions().map(\.source))
    return Set(
      try await statistics().sources.filter { source in
        source.tileCount > 0 || kept.contains(source.name) || !imported.contains(source.name)
      }.map(\.name))
  }

  /// Puts a region made of a file in place of another, which stays until the file is read.
  nonisolated private func replace(
    _ old: CachedRegion, with file: TileFileSummary, of config: MapCacheConfig?, now: Date
  ) async throws(TileCacheError) -> ImportedRegion {
    try lock(old).release()
    let name = try await freeName(like: old.name)
    var imported =
      if config == nil, let server = try await server(of: old, fitting: file) {
        try await make(name, of: file, like: old, from: server, now: now)
      } else {
        try await make(name, of: file, config, sourceName: old.name, now: now)
      }
    let (new, oldName) = (imported.region, try await freeName(like: old.name))
    try await leavingNothing(of: new.name) { () async throws(TileCacheError) in
      let lock = try self.lock(old)
      defer { lock.release() }
      _ = try await self.current(old)
      try await self.write { connection in
        let rename = "UPDATE region SET name = ?2, state = ?3 WHERE id = ?1"
        try connection.execute(
          rename, .integer(old.id), .text(oldName), .text(CachedRegion.State.deleting.rawValue))
        try connection.execute(
          rename, .integer(new.id), .text(old.name), .text(new.state.rawValue))
      }
    }
    _ = try await deleteRegion(named: oldName)
    imported.region = try await region(named: old.name)
    return imported
  }

  /// Deletes a region that was made for `body` where that fails.
  nonisolated private func leavingNothing<T: Sendable>(
    of name: String, _ body: () async throws(TileCacheError) -> T
  ) async throws(TileCacheError) -> T {
    do throws(TileCacheError) { return try await body() } catch {
      try await unstoppably { () async throws(TileCacheError) in
        _ = try await self.deleteRegion(named: name)
      }
      throw error
    }
  }

  /// Takes those tiles of a file into a region that lie in it; one that was just made is locked already.
  nonisolated private func read(
    _ file: TileFileSummary, into target: CachedRegion, under held: ByteLock? = nil, now: Date
  ) async throws(TileCacheError) -> ImportedRegion {
    let lock = if let held { held } else { try self.lock(target) }
    defer { lock.release() }
    let current = try await current(target)
    let source = try await read { try Self.source(of: current, $0) }
    let config = try await self.source(of: current).config
    try await check(file, fits: config, numbered: source)
    let region = try await current.isOfFile ? widened(current, to: file) : current
    let record = file.record(in: config, now: now)
    let ledger = RegionLedger(region, of: source, .missing, now: now)
    var imported = ImportedRegion(region: region)
    var batch: [(tile: TileID, outcome: RegionOutcome)] = []
    var byteCount = 0
    do throws(TileError) {
      for try await id in file.source.tileIDs {
        guard let target = file.quad.tile(for: id), region.plan.contains(target) else {
          imported.leftOutCount += 1
          continue
        }
        let outcome = try await file.outcome(
          at: id, file.record(of: id, record, in: config, now: now))
        if case .failed = outcome { imported.damagedCount += 1 }
        batch.append((target, outcome))
        byteCount += outcome.byteCount
        guard batch.count >= Self.importBatch || byteCount >= Self.importBytes else { continue }
        byteCount = 0
        try await write(&batch, ledger, region, countedIn: &imported)
      }
      try await write(&batch, ledger, region, countedIn: &imported)
    } catch {
      throw error == .cancelled ? .cancelled : .tiles(error)
    }
    imported.tileCount -= imported.damagedCount
    guard imported.tileCount + imported.olderCount > 0 || imported.damagedCount == 0 else {
      throw .tiles(.damaged(file: file.name, place: "tiles", reason: "none of them can be read"))
    }
    let progress = try await self.region(named: region.name).progress
    if region.isOfFile { try await setPlanned(progress.done + progress.failed, of: region) }
    let isWhole = region.isOfFile || progress.remaining == 0
    // The region is as old as its oldest tiles may be; a file that has none for it changes nothing.
    let oldest = min(file.dates?.oldest ?? record.fetched, now)
    let age = imported.tileCount > 0 ? min(region.updated ?? now, oldest) : nil
    let updated = config.isImported ? now : age
    try await setState(isWhole ? .finished : .paused, of: region.id, updated: updated)
    imported.region = try await self.region(named: region.name)
    return imported
  }

  /// A region of files with the ground and the levels of another file as well.
  nonisolated private func widened(
    _ region: CachedRegion, to file: TileFileSummary
  ) async throws(TileCacheError) -> CachedRegion {
    guard try await !file.lies(in: region.plan) else { return region }
    var wider = region
    wider.plan = region.plan.joined(with: RegionPlan(file.ground, levels: file.levels))
    try await setPlanned(region.progress.planned, of: wider)
    return wider
  }

  nonisolated private func write(
    _ batch: inout [(tile: TileID, outcome: RegionOutcome)], _ ledger: RegionLedger,
    _ region: CachedRegion, countedIn imported: inout ImportedRegion
  ) async throws(TileError) {
    let results = batch
    batch = []
    do throws(TileCacheError) {
      try prepare(forBytes: results.reduce(0) { $0 + $1.outcome.byteCount })
      let olderCount = try await patiently { connection in
        let (outcomes, olderCount) = try Self.leavingNewer(results, ledger, connection)
        try ledger.write(outcomes, connection)
        if region.isOfFile { try Self.growPlan(of: region, connection) }
        try reserveRoomForLog(connection)
        return olderCount
      }
      imported.tileCount += results.count - olderCount
      imported.olderCount += olderCount
    } catch {
      throw error == .cancelled
        ? .cancelled
        : .unwritable(file: url.lastPathComponent, reason: error.plainReason)
    }
  }
}
