internal import PortolanJSON
internal import PortolanTileCache

extension TileRegionsModel {
  /// The sources that people can name: the enlarged tiles that are kept of one belong to it.
  func knownSources() async throws(TileCacheError) -> [MapCacheConfig] {
    try await existingStore()?.configs().filter { !$0.isOverZoomed } ?? []
  }

  /// A source as it is kept, with its options: one without a name gets a name that no
  /// other has, also if others come at the same time.
  func registered(
    _ config: MapCacheConfig, _ options: TileSourceOptions, in store: TileCacheStore
  ) async throws(TileCacheError) -> MapCacheConfig {
    guard options.name == nil else {
      _ = try await store.source(config)
      return config
    }
    let kept = try await store.register(config) { known in
      known.isSame(as: config)
        || (known.cacheName == config.cacheName && known.isSame(butForKeysOf: config))
    }
    // Another process may have named it at this moment.
    var named = config
    named.cacheName = kept.cacheName
    options.apply(to: &named)
    // With a new key in its address it is the source that it was.
    if !kept.isSame(as: named) { _ = try await store.source(named) }
    return named
  }

  /// A source under a name of its own, where the cache can be written.
  func named(
    _ config: MapCacheConfig, _ options: TileSourceOptions, in store: TileCacheStore
  ) async throws(TileCacheError) -> MapCacheConfig {
    do throws(TileCacheError) {
      return try await registered(config, options, in: store)
    } catch {
      // The server can be asked even if the cache cannot be written.
      guard error.isOfWriting else { throw error }
      return config
    }
  }

  /// Notes the keys in an address of the source of a region, where these are others now, for its next
  /// download to try.
  func noteKeys(
    of config: MapCacheConfig, for region: CachedRegion, in store: TileCacheStore
  ) async throws(TileCacheError) {
    newKeys[region.id] = nil
    guard let known = try await store.config(named: region.source),
      !known.isSame(as: config), known.isSame(butForKeysOf: config)
    else { return }
    newKeys[region.id] = config
  }

  /// Lets the next download of a region ask with the keys in an address of its source, which are kept once a
  /// tile has come with them, or an update has come to its end.
  ///
  /// - Parameters:
  ///   - address: The address with other keys; or the name of the source, which changes nothing.
  ///   - name: The region.
  ///   - options: What is said of the source.
  /// - Throws: A problem if there is no such region, or the address is that of another source.
  public func useKeys(
    in address: String, for name: String, _ options: TileSourceOptions = TileSourceOptions()
  ) async throws(Problem) {
    do {
      let store = try await store(orNoRegion: name)
      let region = try await store.region(named: name)
      guard let known = try await store.config(named: region.source), !region.isImported else {
        throw TileCacheError.noServer(region: name)
      }
      let source = try await config(named: address, options)
      guard source.isSame(butForKeysOf: known) else {
        throw Problem(
          .usage,
          message:
            "The tiles of \"\(name)\" are of \"\(region.source)\", and not of the source that is given.",
          suggestion: "Give its address with another key at most.")
      }
      try await noteKeys(of: source, for: region, in: store)
    } catch {
      throw Problem(error)
    }
  }

  /// The result of `body` with a source whose name is its own before anything is looked for or kept
  /// under it.
  ///
  /// A source that was not known is forgotten again where that fails, or leaves nothing behind; one that was
  /// keeps the keys in its address where it fails with others.
  func withName<T: Sendable>(
    of config: MapCacheConfig, _ options: TileSourceOptions, in store: TileCacheStore,
    _ body: (MapCacheConfig) async throws -> T
  ) async throws -> T {
    let sources = try await store.configs()
    let isKnown = sources.contains {
      $0.isSame(butForKeysOf: config) && (options.name == nil || $0.cacheName == options.name)
    }
    let named = try await named(config, options, in: store)
    do {
      let result = try await body(named)
      // A name that stays behind has no tiles.
      if !isKnown { try? await store.forgetUnused(named) }
      return result
    } catch {
      // Likewise.
      if !isKnown { try? await store.forgetUnused(named) }
      if let known = sources.first(where: { $0.cacheName == named.cacheName }) {
        await putBackKeys(of: known, insteadOf: named, in: store)
      }
      throw error
    }
  }

  /// Puts the keys back that the source of a region had in its address and its headers before others were
  /// tried, unless tiles have come since.
  func putBackKeys(
    of known: MapCacheConfig, insteadOf tried: MapCacheConfig, unlessAnswered pass: Pass,
    isWhole: Bool, of region: CachedRegion, in store: TileCacheStore
  ) async {
    guard tried.cacheName == known.cacheName, !known.hasKeys(of: tried) else { return }
    // A task of its own: a pause, which cancels this one, must not leave keys behind that gave nothing.
    await Task {
      // If the region cannot be read, nothing is known to have come.
      if let progress = try? await store.region(named: region.name).progress,
        progress.hasAnswers(of: pass, isWhole: isWhole, since: region.progress)
      {
        return
      }
      await putBackKeys(of: known, insteadOf: tried, in: store)
    }.value
  }

  /// Puts the keys back that a source had in its address before others did not help.
  private func putBackKeys(
    of known: MapCacheConfig, insteadOf failed: MapCacheConfig, in store: TileCacheStore
  ) async {
    guard !known.hasKeys(of: failed), known.isSame(butForKeysOf: failed) else { return }
    // Where the cache cannot be read or written, the next key that works replaces this one.
    guard let kept = try? await store.config(named: failed.cacheName), kept.hasKeys(of: failed)
    else { return }
    var source = kept.withKeys(of: known)
    source.headers = known.headers
    // As said above.
    _ = try? await store.source(source)
  }
}

extension MapCacheConfig {
  /// Whether both have the same keys, in their addresses and in the headers that are kept.
  fileprivate func hasKeys(of other: MapCacheConfig) -> Bool {
    isSame(as: other) && json["headers"] == other.json["headers"]
  }
}

extension TileCacheError {
  /// Whether it keeps a cache from being written, which can be read all the same.
  fileprivate var isOfWriting: Bool {
    switch self {
    case .storage, .diskFull, .busy: true
    default: false
    }
  }
}

extension RegionProgress {
  /// Whether a server has answered with a tile, or that it has not changed.
  ///
  /// Of an update that was broken off it is not known.
  fileprivate func hasAnswers(
    of pass: TileRegionsModel.Pass, isWhole: Bool, since before: RegionProgress
  ) -> Bool {
    pass == .update
      ? isWhole && failed + failedUpdates < planned
      : stored + blank > before.stored + before.blank
  }
}
