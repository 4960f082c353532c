public import Foundation
internal import PortolanFiles
internal import PortolanTileCache
internal import PortolanTileFiles
internal import PortolanTiles

extension TileRegionsModel {
  /// Writes the tiles of a region to a file: `.mbtiles`, `.pmtiles`, `.tpkx` or `.tpk`, by its
  /// ending.
  ///
  /// - Parameters:
  ///   - name: The region.
  ///   - url: The file; it appears when it is whole.
  ///   - replaces: Whether it may take the place of a file that is there.
  ///   - progress: Gets every report, one by one, and is finished at the end.
  /// - Returns: What was written.
  /// - Throws: A problem if there is no such region, or the file cannot be written.
  public func export(
    _ name: String, to url: URL, replacing replaces: Bool = false,
    progress: AsyncStream<WorkProgress>.Continuation? = nil
  ) async throws(Problem) -> TileExportResult {
    defer { progress?.finish() }
    do {
      guard replaces || !FileSystem.live.exists(url) else { throw Problem.targetExists(url) }
      let store = try await store(orNoRegion: name)
      let counts = try await store.region(named: name).progress
      let summary = try await store.exportRegion(named: name, to: url, replacing: replaces) {
        progress?.yield(
          WorkProgress(
            part: name, unit: .tiles, completed: Int($0 * Double(counts.stored)),
            total: counts.stored))
      }
      return TileExportResult(
        region: name, file: url.path(percentEncoded: false),
        levels: summary.tileCounts.sorted { $0.key < $1.key }.map {
          TileRegionPlan.Level(level: $0.key, count: $0.value)
        }, missingCount: Self.missingCount(counts, in: summary), damagedCount: summary.damagedCount,
        damages: summary.damages.map { $0.errorDescription ?? "\($0)" },
        byteCount: try FileStatus(at: url)?.byteCount ?? 0)
    } catch TileCacheError.tiles(.alreadyExists) {
      // It has appeared meanwhile, and stays.
      throw .targetExists(url)
    } catch {
      throw Problem(error, suggestingAmong: state.regions.map(\.name), for: name)
    }
  }

  /// The number of tiles of a region that its file lacks: tiles that others have put into the cache
  /// are in the file though the region has not come to them yet, as many as it has more of than the
  /// region does at least.
  private static func missingCount(
    _ counts: RegionProgress, in summary: TileConversionSummary
  ) -> Int {
    let more = summary.tileCount + summary.damagedCount - counts.stored - counts.blank
    return max(0, counts.remaining + counts.failed - max(0, more))
  }

  /// Takes the tiles of a file over as a region.
  ///
  /// - Parameters:
  ///   - url: A file of tiles in Web Mercator: `.mbtiles`, `.pmtiles`, `.tpkx`, `.tpk`, ...
  ///   - name: What the region is called; as the file, if `nil`.
  ///   - source: The name of the source that the tiles are of; one of its own if `nil`.
  ///   - policy: What happens where a region of that name is there.
  /// - Returns: What was taken over.
  /// - Throws: A problem if the file holds no such tiles, or the name is blank; then nothing is made.
  public func importFile(
    _ url: URL, named name: String? = nil, of source: String? = nil,
    _ policy: TileImportPolicy = .skip
  ) async throws(Problem) -> TileImportResult {
    do {
      try Problem.refuseBlank(name, of: "A tile region", word: "name")
      guard FileSystem.live.exists(url) else {
        throw InspectionError.noSuchFile(file: url.path(percentEncoded: false))
      }
      let config = if let source { try await config(named: source) } else { nil as MapCacheConfig? }
      let store = try await store()
      let imported = try await store.importRegion(
        from: url, named: name, of: config,
        onConflict: ImportConflict(rawValue: policy.rawValue) ?? .skip, now: surroundings.now())
      try await reload(store)
      return TileImportResult(
        region: summary(of: imported.region, in: store), tileCount: imported.tileCount,
        leftOutCount: imported.leftOutCount, olderCount: imported.olderCount,
        damagedCount: imported.damagedCount, isSkipped: imported.isSkipped)
    } catch {
      throw Problem(error)
    }
  }

  /// Deletes a region with the tiles that no other region keeps; one that is being downloaded here
  /// is paused first.
  ///
  /// - Returns: What was freed.
  /// - Throws: A problem if there is no such region, or another process works on it.
  @discardableResult
  public func delete(_ name: String) async throws(Problem) -> FreedTiles {
    if let task = started[name] {
      task.cancel()
      await task.value
    }
    do {
      let store = try await store(orNoRegion: name)
      let deleted = try await store.deleteRegion(named: name)
      try await reload(store)
      return FreedTiles(
        tileCount: deleted.tileCount, byteCount: deleted.byteCount,
        sharedByteCount: deleted.sharedByteCount, fileByteCount: deleted.fileByteCount)
    } catch {
      throw Problem(error, suggestingAmong: state.regions.map(\.name), for: name)
    }
  }

  /// Removes tiles that no region keeps.
  ///
  /// - Returns: What was freed.
  /// - Throws: A problem if there is no such source.
  @discardableResult
  public func clear(_ request: TileClearingRequest) async throws(Problem) -> FreedTiles {
    if case .everything = request { await surroundings.clearDocuments() }
    do {
      guard let store = try await existingStore() else { return FreedTiles() }
      var freed = FreedTiles(try await store.clear(try await clearing(request, in: store)))
      if case .source(let name) = request {
        freed.add(try await store.removeOverZoom(of: try await keptSource(name)))
      }
      try await reload(store)
      return freed
    } catch {
      throw Problem(error)
    }
  }

  private func clearing(
    _ request: TileClearingRequest, in store: TileCacheStore
  ) async throws -> TileClearing {
    switch request {
    case .everything: .everything
    case .olderThan(let seconds): .olderThan(seconds: seconds, now: surroundings.now())
    case .source(let name): .source(try await store.source(try await keptSource(name)))
    case .extent(let extent, let levels, let source):
      .shape(
        extent.region, levels: levels, try await store.source(try await keptSource(source)))
    case .capacity(let bytes): .capacity(bytes)
    }
  }

  /// Removes a source: its tiles, its address and what is kept of it.
  ///
  /// - Parameter name: Its name or address.
  /// - Returns: What was freed.
  /// - Throws: A problem if there is no such source, or regions use it.
  @discardableResult
  public func removeSource(_ name: String) async throws(Problem) -> FreedTiles {
    do {
      let config = try await keptSource(name)
      guard let store = try await existingStore() else { return FreedTiles() }
      // One that regions use stays, and so do its enlarged tiles.
      var freed = FreedTiles(try await store.removeSource(named: config.cacheName))
      freed.add(try await store.removeOverZoom(of: config))
      caches[config.cacheName] = nil
      try await reload(store)
      return freed
    } catch {
      throw Problem(error)
    }
  }

  /// The name of a source whose tiles are kept.
  ///
  /// - Parameter text: Its name or address.
  /// - Returns: Its name.
  /// - Throws: A problem of absence if there is no such source.
  public func sourceName(of text: String) async throws(Problem) -> String {
    do { return try await keptSource(text).cacheName } catch { throw Problem(error) }
  }

  /// A source that is there already: an address that is not known has no tiles to be removed.
  private func keptSource(_ text: String) async throws -> MapCacheConfig {
    let known = try await knownSources()
    if let config = known.first(where: { $0.cacheName == text })
      ?? known.first(where: { $0.isAt(text) })
    {
      return config
    }
    throw Problem(
      .noSuchTileSource, message: "There is no source of tiles \"\(text)\".",
      suggestion: NextAction.Kind.listTileSources.sentence, actions: [.init(.listTileSources)]
    ).suggesting(text, among: known.map(\.cacheName))
  }
}

extension FreedTiles {
  /// Counts what was removed besides.
  fileprivate mutating func add(_ cleared: ClearedTiles) {
    tileCount += cleared.tileCount
    byteCount += cleared.byteCount
    fileByteCount += cleared.fileByteCount
  }

  fileprivate init(_ cleared: ClearedTiles) {
    self.init(
      tileCount: cleared.tileCount, byteCount: cleared.byteCount,
      fileByteCount: cleared.fileByteCount)
  }
}
