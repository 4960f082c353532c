public import Foundation
internal import PortolanGeometry
internal import PortolanTileCache
public import PortolanTiles
public import PortolanWebMaps

/// The tiled services of web maps go through the cache: what was seen of them, and what regions of the
/// same service hold, is there without a network.
extension TileRegionsModel: TileKeeping {
  @MainActor public func keeping(_ tiles: any TileSource, of service: URL) async -> any TileSource {
    guard let levels = Self.webLevels(of: tiles.info) else { return tiles }
    do {
      let store = try await store()
      let address = service.absoluteString
      var config = try MapCacheConfig(
        withUrlTemplate: "\(address)/tile/{level}/{row}/{col}?blankTile=false",
        cacheName: tiles.info.name, minimumZ: levels.lowerBound)
      config.highestLevel = levels.upperBound
      config.address = address
      // Many services have the same name, and a map loads several at a time.
      config = try await store.register(config) { $0.isAt(address) }
      config.address = address
      config.attribution = config.attribution ?? tiles.info.attribution
      config.capacity = surroundings.capacity()
      return predicting(
        BrowsedTileSource(tiles, as: config, store: store, now: surroundings.now))
    } catch {
      // The map is shown even if the cache cannot be used.
      return tiles
    }
  }

  /// A source with what its service says about it: one that is here since a map shows it came
  /// without that.
  ///
  /// - Parameters:
  ///   - config: The source as it is here.
  ///   - address: Where it was looked for, or its name.
  ///   - options: What is said of it.
  /// - Returns: The source; unchanged if its service does not answer.
  func described(
    _ config: MapCacheConfig, at address: String, _ options: TileSourceOptions
  ) async -> MapCacheConfig {
    let address = address.contains("://") ? address : config.address
    guard !config.policy.allowsBulk, let address, config.isAt(address) else { return config }
    let reader = TileSourceReader(
      transport: surroundings.transport, headers: options.requestHeaders, now: surroundings.now)
    // As said above.
    guard let told = try? await reader.source(at: address, layer: options.layer),
      told.urlTemplate == config.urlTemplate
    else { return config }
    var described = config
    // Values that were set for it, such as a rate, stay.
    described.policy.allowsBulk = told.policy.allowsBulk
    described.policy.tileLimit = min(config.policy.tileLimit, told.policy.tileLimit)
    described.tileSize = told.tileSize
    described.format = told.format ?? config.format
    described.bounds = told.bounds ?? config.bounds
    described.attribution = told.attribution ?? config.attribution
    return described
  }

  /// The same tiles, whose neighbours are loaded ahead if a budget is set for that.
  func predicting(_ tiles: any TilePredicting) -> any TileSource {
    let limit = surroundings.predictionBudget()
    guard limit > 0 else { return tiles }
    let budget = prediction ?? PredictionBudget(byteCount: limit)
    prediction = budget
    return PredictingTileSource(
      tiles, TilePredictor(tiles, budget: budget, clock: surroundings.clock))
  }

  /// The levels of a service, if they are those of Web Mercator; others are not kept, since
  /// neither regions nor files of tiles could have them.
  private static func webLevels(of info: TileSourceInfo) -> ClosedRange<Int>? {
    let quad = WebMercatorQuad(matching: info.scheme)
    let levels = info.levels ?? 0...(info.scheme.levels.last?.level ?? 0)
    return levels.allSatisfy { quad.level(for: $0) == $0 } ? levels : nil
  }
}
