internal import Foundation
internal import PortolanTileCache
public import PortolanTiles

extension TileRegionsModel {
  /// A tile of a source, through the cache.
  ///
  /// Beyond the last level of the source it is made of the tile that covers its extent, if that is a
  /// picture. Vector tiles come whole: who draws them enlarges them.
  ///
  /// - Parameters:
  ///   - tile: The tile.
  ///   - source: The name or the address of the source.
  ///   - mode: Whom it is asked of; the cache, then the server by default.
  ///   - options: What is said of the source.
  /// - Returns: The tile, or that the server has none.
  /// - Throws: A problem if it is neither here nor to be had.
  public func tile(
    _ tile: TileID, of source: String, mode: TileReadingMode = .cacheThenServer,
    _ options: TileSourceOptions = TileSourceOptions()
  ) async throws(Problem) -> TileReading {
    do {
      var config = try await config(named: source, options)
      options.apply(to: &config)
      let store = try await store()
      return try await withName(of: config, options, in: store) { config in
        // If nothing can be written, the choice holds for this time.
        if options.saysHowTilesAreKept { _ = try? await store.source(config) }
        let cache = cache(of: config, in: store)
        let loaded: LoadedTile
        do {
          loaded = try await cache.loadTile(at: tile, mode: LoadTileMode(rawValue: mode.rawValue))
        } catch TileCacheError.notCached where config.isImported {
          throw Problem(
            .notCached,
            message:
              "\"\(config.cacheName)\" was imported from a file, which has no tile \(tile.address).",
            suggestion: "Import a file that has it.")
        }
        // As said above; what keeps tiles from coming, such as a wrong key, is not kept.
        if options != TileSourceOptions() { _ = try? await store.source(cache.config) }
        if mode == .staleWhileRevalidate { refreshing[config.cacheName] = cache }
        var reading = reading(loaded, at: tile, of: config)
        if let ancestor = loaded.ancestor, let whole = loaded.tile,
          let part = try await Self.part(
            tile, of: whole, at: ancestor, in: cache.info, overZoom(of: cache.config, in: store))
        {
          reading.data = part.data
          reading.format = part.format.fileExtension
          reading.isEnlarged = true
        }
        return reading
      }
    } catch {
      throw Problem(error)
    }
  }

  /// A part of a tile, enlarged, which is kept if that is wanted; `nil` if that is no picture.
  @concurrent private static func part(
    _ tile: TileID, of whole: Tile, at ancestor: TileID, in info: TileSourceInfo,
    _ kept: OverZoomCache?
  ) async throws(TileError) -> Tile? {
    let source = InMemoryTileSource(info: info, tiles: [ancestor: whole])
    return try await source.overzoomed(to: tile.level, keptIn: kept).tile(at: tile)
  }

  /// The cache of a source's enlarged tiles; `nil` if those are not kept.
  func overZoom(of config: MapCacheConfig, in store: TileCacheStore) -> OverZoomCache? {
    var config = config
    config.capacity = surroundings.capacity()
    return OverZoomCache(of: config, in: store, now: surroundings.now)
  }

  private func reading(
    _ loaded: LoadedTile, at tile: TileID, of config: MapCacheConfig
  ) -> TileReading {
    var reading = TileReading(
      source: config.cacheName, tile: tile, data: loaded.tile?.data,
      format: loaded.tile?.format.fileExtension, path: .cache, fetched: loaded.fetched,
      age: max(0, surroundings.now().timeIntervalSince(loaded.fetched)),
      ancestor: loaded.ancestor)
    (reading.path, reading.problem) = Self.path(loaded.path)
    return reading
  }

  private static func path(_ path: LoadedTile.Path) -> (TileReading.Path, Problem?) {
    switch path {
    case .hit: (.cache, nil)
    case .staleHit: (.stale, nil)
    case .fetched: (.network, nil)
    case .notModified: (.unchanged, nil)
    case .fallback(let error): (.fallback, Problem(error))
    }
  }

  /// Explains why a tile of a source is here or not; beyond its last level, the tile there that is
  /// enlarged.
  ///
  /// - Throws: A problem if there is no such source, or it has no such tile.
  public func explain(
    _ tile: TileID, of source: String
  ) async throws(Problem) -> TileKnowledge {
    do {
      let config = try await config(named: source)
      let nearest = config.overZoomMaximumZ ? min(tile.level, config.levels.upperBound) : tile.level
      guard let whole = tile.ancestor(atLevel: nearest), config.levels.contains(nearest) else {
        throw TileCacheError.outsideSource(tile, levels: config.levels)
      }
      let explanation = try await store().explain(whole, of: config)
      return TileKnowledge(explanation, source: config.cacheName)
    } catch {
      throw Problem(error)
    }
  }

  /// Explains why the tiles at a place are here or not: those that a map at some level shows there,
  /// one of each source.
  ///
  /// - Parameters:
  ///   - longitude: The longitude in degrees.
  ///   - latitude: The latitude in degrees.
  ///   - level: The level; a source without it is asked for its nearest one.
  /// - Returns: What is known, by the names of the sources; nothing where no source is known.
  /// - Throws: A problem if the cache cannot be read, or there are no tiles at the place.
  public func explain(
    longitude: Double, latitude: Double, level: Int
  ) async throws(Problem) -> [TileKnowledge] {
    try await load()
    var known: [TileKnowledge] = []
    for source in state.sources {
      let nearest = min(max(level, source.levels.lowerBound), source.levels.upperBound)
      let tile: TileID
      do {
        tile = try TileCoords(latitude: latitude, longitude: longitude, zoom: nearest).tile
      } catch {
        throw Problem(error)
      }
      known.append(try await explain(tile, of: source.name))
    }
    return known
  }

  /// The most tiles of a picture of a level.
  private static let pictureLimit = 4_096

  /// The state of the tiles of one level of a region, for a picture of it.
  ///
  /// - Parameters:
  ///   - name: The region.
  ///   - level: The level; the finest one that is not too large for a picture if `nil`.
  /// - Returns: The tiles; none where the level is too large for a picture.
  /// - Throws: A problem if there is no such region.
  public func coverage(
    of name: String, level: Int? = nil
  ) async throws(Problem) -> TileCoveragePicture {
    do {
      let store = try await store(orNoRegion: name)
      let region = try await store.region(named: name)
      let levels = level.map { [$0] } ?? Array(region.plan.levels.reversed())
      for level in levels {
        guard
          let states = try await store.tileStates(
            of: region, level: level, limit: Self.pictureLimit)
        else { continue }
        guard !states.isEmpty else { continue }
        return TileCoveragePicture(level: level, states)
      }
      return TileCoveragePicture(level: levels.last ?? 0, [:])
    } catch {
      throw Problem(error, suggestingAmong: state.regions.map(\.name), for: name)
    }
  }

  /// A region with how much of it is there, level by level, and what failed.
  ///
  /// - Throws: A problem if there is no such region.
  public func details(of name: String) async throws(Problem) -> TileRegionDetails {
    do {
      let store = try await store(orNoRegion: name)
      let region = try await store.region(named: name)
      let coverage = try await store.coverage(of: region).map {
        TileLevelCoverage(level: $0.level, planned: $0.planned, done: $0.done)
      }
      let failures = try await store.failures(of: region).map(TileFailure.init)
      return TileRegionDetails(
        region: summary(of: region, in: store), coverage: coverage.filter { $0.planned > 0 },
        failures: failures)
    } catch {
      throw Problem(error, suggestingAmong: state.regions.map(\.name), for: name)
    }
  }
}

extension TileCoveragePicture {
  fileprivate init(level: Int, _ states: [TileID: RegionTileState]) {
    func tiles(_ state: RegionTileState) -> [TileID] {
      states.filter { $0.value == state }.map(\.key).sorted()
    }
    self.init(
      level: level, done: tiles(.done) + tiles(.blank), failed: tiles(.failed),
      missing: tiles(.missing))
  }
}

extension Problem {
  /// A problem that names what was probably meant, where nothing has the name.
  init(_ error: any Error, suggestingAmong names: [String], for name: String) {
    self = Problem(error).suggesting(name, among: names)
  }
}

extension TileFailure {
  init(_ failure: RegionFailure) {
    self.init(
      tile: failure.tile, reason: failure.reason, attempts: failure.attempts, time: failure.time)
  }
}

extension TileKnowledge {
  fileprivate init(_ explanation: TileExplanation, source: String) {
    let stored = explanation.stored
    self.init(
      source: source, tile: explanation.tile, isKnown: stored != nil,
      byteCount: stored?.data?.count, fetched: stored?.fetched, lifetime: stored?.lifetime,
      regions: explanation.regions.sorted { $0.key < $1.key }.map { name, part in
        Region(name: name, part: Part(part))
      })
  }
}

extension TileKnowledge.Part {
  fileprivate init(_ part: TileExplanation.Part) {
    self =
      switch part {
      case .kept: .kept
      case .blank: .blank
      case .missing: .missing
      case .failed(let failure): .failed(TileFailure(failure))
      }
  }
}
