internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal
internal import PortolanTiles

/// Finds out how large a file of an offline map will be.
struct PartEstimate {
  /// What a geodatabase takes without features.
  private static let emptyGeodatabase = 600_000
  private static let sampledFeatures = 50
  private static let sampledTiles = 6

  let part: OnDemandPart
  let sources: MapSources
  let client: RESTClient

  func estimate() async throws(PortalError) -> OnDemandEstimate.Part {
    var estimate = OnDemandEstimate.Part(title: part.title, layers: part.affects)
    switch part.work {
    case .replica(let options), .query(let options):
      (estimate.features, estimate.bytes) = try await features(options)
    case .tiles(let options):
      estimate.tiles = tileCount(options.areaOfInterest, options.levelIDs)
      estimate.tileLimit = source?.info.maxExportTilesCount
      estimate.bytes = try await tileBytes(
        options.areaOfInterest, options.levelIDs, estimate.tiles ?? 0)
    case .vectorTiles(let options):
      estimate.tiles = tileCount(options.areaOfInterest, options.levelIDs)
      estimate.tileLimit = source?.info.maxExportTilesCount
      estimate.bytes = try await tileBytes(
        options.areaOfInterest, options.levelIDs, estimate.tiles ?? 0)
    }
    return estimate
  }

  private var source: MapSources.Tiles? { sources.tiles[part.serviceName] }

  /// An answer, or `nil` where the service has none.
  private func answer<Value>(
    _ ask: () async throws(PortalError) -> Value
  ) async throws(PortalError) -> Value? {
    do throws(PortalError) { return try await ask() } catch {
      guard error.leavesOtherServices else { throw error }
      return nil
    }
  }

  // MARK: - Features

  private func features(
    _ options: GenerateGeodatabaseParameters
  ) async throws(PortalError) -> (Int?, ClosedRange<Int>?) {
    guard let source = sources.features[part.serviceName] else { return (nil, nil) }
    var (count, least, most) = (0, Self.emptyGeodatabase / 2, Self.emptyGeodatabase)
    for option in options.layerOptions where option.queryOption != .none {
      guard let info = source.layer(option.layerID) else { continue }
      let table = ServiceFeatureTable(
        url: source.service.url.appending(path: "\(option.layerID)"), info: info, client: client)
      let query = query(option, options.extent, info)
      guard
        let found = try await answer({ () async throws(PortalError) in
          try await table.count(matching: query)
        })
      else { return (nil, nil) }
      count += found
      guard found > 0 else { continue }
      let size = try await sampledSize(query, table) ?? 400
      least += found * size / 8
      most += found * size * 2
    }
    guard !options.returnsAttachments else { return (count, nil) }
    return (count, least...most)
  }

  private func query(
    _ option: GenerateLayerOption, _ area: OfflineArea, _ info: FeatureLayerInfo
  ) -> ServiceQueryParameters {
    var query = ServiceQueryParameters()
    guard option.queryOption != .all else { return query }
    if !option.whereClause.isEmpty { query.whereClause = option.whereClause }
    if option.usesGeometry, info.schema?.geometryType != nil {
      query.geometry = area.geometry
      query.geometrySpatialReference = area.spatialReference
    }
    return query
  }

  /// The bytes of a feature as JSON, which is larger than in a geodatabase.
  private func sampledSize(
    _ query: ServiceQueryParameters, _ table: ServiceFeatureTable
  ) async throws(PortalError) -> Int? {
    var query = query
    query.limit = Self.sampledFeatures
    let pages = table.pages(matching: query, pageSize: Self.sampledFeatures, pagesAhead: 1)
    return try await answer { () async throws(PortalError) in
      var iterator = pages.makeAsyncIterator()
      guard let page = try await iterator.next(), !page.features.isEmpty else { return 400 }
      let bytes = page.features.reduce(0) { sum, feature in
        let shape = feature.geometry?.esriJSON().encoded().count ?? 0
        return sum + shape + feature.attributes.esriJSON.encoded().count
      }
      return max(bytes / page.features.count, 40)
    }
  }

  // MARK: - Tiles

  /// The tiles that the area touches, counted.
  private func tileCount(_ area: OfflineArea, _ levels: [Int]) -> Int? {
    tiles(area, levels).map { $0.reduce(0) { $0 + $1.count } }
  }

  private func tiles(_ area: OfflineArea, _ levels: [Int]) -> [TileRange]? {
    guard let info = source?.info, let scheme = info.tileScheme,
      // An area that cannot be placed in the scheme is for the service to refuse.
      let extent = try? area.projected(to: scheme.spatialReference).extent,
      let common = info.fullExtent.map({ extent.intersection($0) }) ?? extent
    else { return nil }
    return levels.compactMap { scheme.range(covering: common, level: $0) }
  }

  private func tileBytes(
    _ area: OfflineArea, _ levels: [Int], _ count: Int
  ) async throws(PortalError) -> ClosedRange<Int>? {
    guard let ranges = tiles(area, levels)?.filter({ !$0.isEmpty }), !ranges.isEmpty else {
      return nil
    }
    var sizes: [Int] = []
    for range in ranges.suffix(Self.sampledTiles) {
      let row = (range.rows.lowerBound + range.rows.upperBound) / 2
      let column = (range.columns.lowerBound + range.columns.upperBound) / 2
      let tile = TileID(level: range.level, row: row, column: column)
      let data = try await answer { () async throws(PortalError) in
        part.address.isVector
          ? try await VectorTileService(url: part.url, client: client).data(of: tile)
          : try await TileService(url: part.url, client: client).data(of: tile)
      }
      sizes.append((data ?? nil)?.count ?? 0)
    }
    guard !sizes.isEmpty else { return nil }
    let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
    return count * least / 2...max(count * most * 2, 100_000)
  }
}
