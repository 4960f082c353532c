public import Foundation
public import PortolanJobs
public import PortolanPortal

/// Exports vector tiles, with the style that draws them, from a service into a file of this device.
///
/// - SeeAlso: Docs/OFFLINE-MAPS.md
public struct ExportVectorTilesTask: Sendable {
  /// The service.
  public let url: URL
  /// The portal whose credentials are used.
  public let portal: Portal

  /// Creates a task; sends no request yet.
  public init(url: URL, portal: Portal) {
    self.url = url
    self.portal = portal
  }

  /// The metadata of the service.
  public func vectorTileSourceInfo() async throws(PortalError) -> MapServiceInfo {
    try await TileServiceInfo(url, portal).source.info
  }

  /// All levels from the outermost to that of a scale.
  ///
  /// - Parameters:
  ///   - areaOfInterest: The area whose tiles are exported.
  ///   - maxScale: The largest scale, 0 for no limit.
  /// - Returns: The parameters.
  /// - Throws: ``OfflineMapError`` for areas that cannot be exported, before any request is sent;
  ///   ``PortolanPortal/PortalError``.
  public func makeDefaultExportVectorTilesParameters(
    areaOfInterest: OfflineArea, maxScale: Double = 0
  ) async throws -> ExportVectorTilesParameters {
    try areaOfInterest.check()
    guard maxScale >= 0 else { throw OfflineMapError.badScales(minimum: 0, maximum: maxScale) }
    return ExportVectorTilesParameters(
      areaOfInterest: areaOfInterest,
      levelIDs: TileLevels(try await vectorTileSourceInfo()).fromTop(to: maxScale))
  }

  /// The job that exports the tiles; sends no request before it is started.
  ///
  /// - Parameters:
  ///   - parameters: Which tiles.
  ///   - vectorTileCacheURL: The file, `.vtpk`; what is at its place is replaced once it is whole.
  ///   - queue: The queue that the job is to be in.
  /// - Returns: The job.
  /// - Throws: ``OfflineMapError`` for areas that cannot be exported.
  public func makeExportVectorTilesJob(
    parameters: ExportVectorTilesParameters, vectorTileCacheURL: URL, queue: JobQueue
  ) throws -> ExportVectorTilesJob {
    try parameters.areaOfInterest.check()
    let order = ExportTilesJobParameters(
      portal: portal.url, service: url, isVector: true,
      parameters: ExportTileCacheParameters(
        areaOfInterest: parameters.areaOfInterest, levelIDs: parameters.levelIDs),
      file: vectorTileCacheURL)
    return ExportVectorTilesJob(
      vectorTileCacheURL: vectorTileCacheURL, queue: queue,
      order: try OfflineJobOrder(order, title: order.part.title))
  }
}
