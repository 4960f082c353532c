internal import Foundation
internal import PortolanPortal

/// Estimates the size of a file of an offline map.
struct PartEstimate {
  let part: OnDemandPart
  let sources: MapSources
  let client: RESTClient
  let environment: OfflineEnvironment

  /// What the service says about it; where it does not answer, why.
  ///
  /// - Throws: ``PortolanPortal/PortalError`` if no other service would answer either.
  func estimate() async throws(PortalError) -> OnDemandEstimate.Part {
    var estimate = OnDemandEstimate.Part(title: part.wholeTitle, layers: part.affects)
    do throws(PortalError) { try await count(&estimate) } catch {
      guard error.leavesOtherServices else { throw error }
      estimate.issue = error.errorDescription
    }
    return estimate
  }

  private func count(_ estimate: inout OnDemandEstimate.Part) async throws(PortalError) {
    switch part.work {
    case .replica(let options):
      (estimate.features, estimate.bytes) = try await features(options, isReplica: true)
    case .query(let options):
      (estimate.features, estimate.bytes) = try await features(options, isReplica: false)
    case .tiles(let options):
      (estimate.tiles, estimate.bytes) = try await tiles(options)
      estimate.tileLimit = source?.info.maxExportTilesCount
    case .vectorTiles(let options):
      (estimate.tiles, estimate.bytes) = try await tiles(
        ExportTileCacheParameters(
          areaOfInterest: options.areaOfInterest, levelIDs: options.levelIDs))
      estimate.tileLimit = source?.info.maxExportTilesCount
    }
  }

  private var source: MapSources.Tiles? { sources.tiles[part.serviceName] }

  private func features(
    _ options: GenerateGeodatabaseParameters, isReplica: Bool
  ) async throws(PortalError) -> (Int?, ClosedRange<Int>?) {
    guard let source = sources.features[part.serviceName] else { return (nil, nil) }
    return try await FeatureEstimate(
      options: options, source: source, isReplica: isReplica, client: client,
      environment: environment
    ).estimate()
  }

  private func tiles(
    _ options: ExportTileCacheParameters
  ) async throws(PortalError) -> (Int?, ClosedRange<Int>?) {
    guard let source else { return (nil, nil) }
    return try await TileEstimate(
      part: part, source: source, options: options, client: client,
      clock: environment.surroundings.clock
    ).estimate()
  }
}
