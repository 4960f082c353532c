internal import Foundation
internal import PortolanHTTPServer
internal import PortolanTileCache
internal import PortolanTiles

extension TileRegionsModel {
  /// The tiles of a region, of a source of the cache, or, without a name, of all sources.
  ///
  /// A region is what is here; a source is the cache with its server behind it.
  ///
  /// - Throws: A problem if nothing has the name.
  public func tiles(named name: String?) async throws(Problem) -> [ServedTiles] {
    do {
      guard let name else {
        let store = try await store()
        var tiles: [ServedTiles] = []
        for config in try await store.configs() where !config.isOverZoomed {
          tiles.append(try await served(config, in: store))
        }
        return tiles
      }
      let store = try await existingStore()
      if let store, let region = try await store.regions().first(where: { $0.name == name }) {
        var tiles = ServedTiles(name: name, source: try await store.source(of: region))
        let config = try await store.config(named: region.source)
        tiles.overZoom = config.flatMap { overZoom(of: $0, in: store) }
        return [tiles]
      }
      let config = try await config(named: name)
      let cache = try await self.store()
      let named = try await named(config, TileSourceOptions(), in: cache)
      return [try await served(named, in: cache)]
    } catch {
      throw Problem(error, suggestingAmong: state.regions.map(\.name), for: name ?? "")
    }
  }

  private func served(
    _ config: MapCacheConfig, in store: TileCacheStore
  ) async throws(TileCacheError) -> ServedTiles {
    let cache = cache(of: config, in: store)
    guard config.isImported else {
      try await cache.learnFormat()
      var tiles = ServedTiles(name: config.cacheName, source: predicting(cache))
      tiles.overZoom = overZoom(of: config, in: store)
      return tiles
    }
    // Only the region of a file knows the extent that its tiles cover.
    let regions = try await store.regions().filter { $0.source == config.cacheName }
    guard let region = regions.first, regions.count == 1 else {
      return ServedTiles(name: config.cacheName, source: cache.stored)
    }
    return ServedTiles(name: config.cacheName, source: try await store.source(of: region))
  }

  /// Serves tiles to other programs on this machine, as XYZ with TileJSON and as WMTS.
  ///
  /// - Parameters:
  ///   - tiles: The sets; of several with one name the second is served as "NAME-2", and so on.
  ///   - port: The port to listen on, or 0 for one that is free.
  ///   - level: Up to which level pictures are enlarged where a source has none; as the source has
  ///     them if `nil`. Vector tiles are enlarged by who draws them.
  /// - Returns: The server, which serves already.
  /// - Throws: A problem if the port is taken.
  public func serve(
    _ tiles: [ServedTiles], port: UInt16 = 0, enlargingTo level: Int? = nil
  ) async throws(Problem) -> RunningTileServer {
    let names = DistinctNames.of(tiles.map(\.name))
    let layers = zip(tiles, names).map { tiles, name in
      TileServer.Layer(
        name: name,
        source: level.map { tiles.source.overzoomed(to: $0, keptIn: tiles.overZoom) }
          ?? tiles.source)
    }
    var configuration = HTTPServer.Configuration(port: port)
    // A tile takes microseconds, and its request a few hundred bytes.
    configuration.answersInPlace = true
    configuration.headerBytes = 16 << 10
    let server: HTTPServer
    do { server = try HTTPServer(configuration, handler: TileServer(layers)) } catch {
      throw Problem(
        .portInUse, message: "Another program listens on port \(port), or it may not be used.",
        suggestion: "Choose another port above 1023, or none for a free one.")
    }
    guard let url = URL(string: "http://127.0.0.1:\(server.port)/") else {
      await server.stop()
      throw Problem(message: "The server has no address.")
    }
    let addresses = TileServer(layers).addresses(below: url)
    return RunningTileServer(
      server, TileServing(url: url, layers: addresses.map(TileServing.Layer.init))
    ) { await self.noteUse() }
  }

  // MARK: - Beside the screens

  /// Serves all sources and regions in the background, until ``stopServing()``; their URLs are in
  /// the state.
  ///
  /// Regions and sources that are added later are served the next time.
  ///
  /// - Parameter port: The port to listen on, or 0 for one that is free.
  /// - Throws: A problem if there is nothing to serve, or the port is taken.
  public func startServing(port: UInt16 = 0) async throws(Problem) {
    guard server == nil else { return }
    let tiles = try await allTiles()
    guard !tiles.isEmpty else {
      throw Problem(
        message: "There is nothing to serve.", suggestion: "Add a source of tiles first.",
        kind: .absence)
    }
    // A concurrent caller may have started one meanwhile.
    guard server == nil else { return }
    let started = try await serve(tiles, port: port)
    guard server == nil else { return await started.stop() }
    server = started
    state.server = started.serving
  }

  /// Ends what ``startServing(port:)`` has started.
  public func stopServing() async {
    let running = server
    server = nil
    state.server = nil
    await running?.stop()
  }

  /// The regions, then the sources whose names no region has.
  private func allTiles() async throws(Problem) -> [ServedTiles] {
    try await load()
    guard exists else { return [] }
    var tiles: [ServedTiles] = []
    for region in state.regions { tiles += try await self.tiles(named: region.name) }
    let names = Set(tiles.map(\.name))
    return try await tiles + self.tiles(named: nil).filter { !names.contains($0.name) }
  }
}

extension TileServing.Layer {
  fileprivate init(_ address: TileServer.Address) {
    self.init(
      name: address.name, template: address.template, tileJSON: address.tileJSON,
      wmts: address.wmts)
  }
}
