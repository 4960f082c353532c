internal import Foundation
internal import PortolanTiles

// How a tile is requested, and what is done without a server.
extension RegionWork {
  /// How many tiles are kept at a time without a server.
  private static var listedTiles: Int { 1_024 }

  // MARK: - Without a network

  /// Lets the region keep what is here, however old it is, where there is no server to ask whether
  /// it has changed.
  ///
  /// What is fresh would not have been asked for either.
  func keepWhatIsHere(_ reason: TileCacheError) async throws(TileCacheError) {
    var last = TileID(level: region.plan.levels.lowerBound, row: -1, column: 0)
    var failures = try await cache.store.failureCount(of: region.id)
    while !Task.isCancelled {
      let records = try await cache.store.records(
        after: last, of: source, throughLevel: region.plan.levels.upperBound,
        limit: Self.listedTiles)
      guard let end = records.last else { return }
      last = end.tile
      let isFresh = freshness
      let planned = records.filter { region.plan.contains($0.tile) }
      guard !planned.isEmpty else { continue }
      // A damaged one stays as it is, and is asked for as soon as that can be done.
      let damaged = try await cache.store.damaged(planned.map(\.tile), of: source)
      let results = planned.map { record -> Result in
        let isSound = isFresh(record.stored) && !damaged.contains(record.tile)
        return (record.tile, isSound ? .existing : .unasked(reason))
      }
      let progress = try await write(results, nil, knowing: failures)
      failures = RegionFailureCount(progress)
      report(progress)
    }
  }

  // MARK: - Asking

  var freshness: @Sendable (StoredTile) -> Bool {
    let (config, now) = (cache.config, cache.now())
    return { config.isFresh($0, now: now) }
  }

  func load(_ next: PendingTiles.Next, blank: Data?) async -> RegionOutcome {
    let tile = next.tile
    do throws(TileCacheError) {
      let known = next.isKnown ? try await cache.store.peek(at: tile, of: source) : nil
      switch try await cache.answer(for: tile, unlessIs: known) {
      case .tile(let stored, _):
        if let blank, stored.data == blank { return .blank(byteCount: blank.count) }
        return .fetched(stored)
      case .absent(let stored, let reason):
        return cache.config.isReplaced(by: reason) ? .fetched(stored) : .gone(stored, reason)
      case .notModified(let answer):
        guard var known = known?.refreshed(by: answer), known.data != nil else {
          throw .notATile(cache.config.cacheName, reason: "it says that nothing changed")
        }
        guard pass == .update else { return .fetched(known) }
        // It is here, and need not be in memory until that is written.
        known.data = nil
        return .notModified(known)
      }
    } catch {
      return .failed(error)
    }
  }

  /// Asks again for a tile that the server has given before: if that is refused, the client is
  /// refused everything, whereas object stores refuse single tiles that they do not have.
  ///
  /// - Parameters:
  ///   - refusal: What many tiles were refused with.
  ///   - given: A tile that the server has given in this run; one of those that are here if `nil`, or, where
  ///     nothing is, the coarsest one of the place.
  /// - Returns: Why to stop; `nil` if the tile came.
  func verdict(on refusal: TileCacheError, given: TileID?) async -> TileCacheError? {
    do throws(TileCacheError) {
      var tile = given
      if tile == nil { tile = try await keptTile() }
      guard let known = tile ?? coarsestTile,
        case .tile = try await cache.answer(for: known, unlessIs: nil)
      else { return refusal }
      return nil
    } catch {
      return error
    }
  }

  /// The tile of the source's lowest level in which the region begins: a server that has any has that.
  private var coarsestTile: TileID? {
    let (level, shape) = (cache.config.minimumZ, region.plan.shape)
    guard level < region.plan.levels.lowerBound, let row = shape.rows(level: level)?.first,
      let column = shape.columns(level: level, row: row).first?.first
    else { return nil }
    return TileID(level: level, row: row, column: column)
  }

  /// A tile of these levels that is here.
  private func keptTile() async throws(TileCacheError) -> TileID? {
    let levels = region.plan.levels
    let first = TileID(level: levels.lowerBound, row: -1, column: 0)
    return try await cache.store.addresses(
      after: first, of: source, throughLevel: levels.upperBound, limit: 1
    ).first
  }

  /// The tile of the source that shows nothing: the one that the region names, else that of the
  /// Arctic Ocean at the antimeridian.
  ///
  /// Where it cannot be loaded, nothing counts as blank.
  func blankTile() async -> Data? {
    let level = min(17, cache.config.maximumZ)
    let place = region.blankTile ?? TileID(level: level, row: 0, column: 0)
    // As said above.
    return try? await cache.loadTile(at: place).tile?.data
  }
}
