public import Foundation
public import PortolanJobs
public import PortolanPortal

/// Exports tiles that are pictures from a service into a file of this device.
///
/// ```swift
/// let task = ExportTileCacheTask(url: service, portal: portal)
/// let parameters = try await task.makeDefaultExportTileCacheParameters(areaOfInterest: area)
/// let file = try await task.makeExportTileCacheJob(
///   parameters: parameters, downloadFileURL: url, queue: queue
/// ).result
/// ```
///
/// - SeeAlso: Docs/OFFLINE-MAPS.md
public struct ExportTileCacheTask: Sendable {
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
  public func mapServiceInfo() async throws(PortalError) -> MapServiceInfo {
    try await TileServiceInfo(url, portal).source.info
  }

  /// The levels between two scales.
  ///
  /// - Parameters:
  ///   - areaOfInterest: The area whose tiles are exported.
  ///   - minScale: The smallest scale, 0 for no limit.
  ///   - maxScale: The largest scale, 0 for no limit.
  /// - Returns: The parameters.
  /// - Throws: ``OfflineMapError`` for areas that cannot be exported, before any request is sent;
  ///   ``PortolanPortal/PortalError``.
  public func makeDefaultExportTileCacheParameters(
    areaOfInterest: OfflineArea, minScale: Double = 0, maxScale: Double = 0
  ) async throws -> ExportTileCacheParameters {
    try areaOfInterest.check()
    guard minScale >= 0, maxScale >= 0, minScale == 0 || minScale >= maxScale else {
      throw OfflineMapError.badScales(minimum: minScale, maximum: maxScale)
    }
    return ExportTileCacheParameters(
      areaOfInterest: areaOfInterest,
      levelIDs: TileLevels(try await mapServiceInfo()).between(minScale, maxScale))
  }

  /// How many tiles an export will have, and how large it is likely to be.
  ///
  /// - Parameters:
  ///   - parameters: Which tiles.
  ///   - environment: The clock that the service is waited for by.
  /// - Returns: The tiles, and the bytes as a range; `nil` where nothing is known.
  /// - Throws: ``PortolanPortal/PortalError``.
  public func estimateTileCacheSize(
    parameters: ExportTileCacheParameters, in environment: OfflineEnvironment
  ) async throws -> (tileCount: Int?, fileSize: ClosedRange<Int>?) {
    let order = ExportTilesJobParameters(
      portal: portal.url, service: url, isVector: false, parameters: parameters, file: url)
    let (tiles, bytes) = try await TileEstimate(
      part: order.part, source: try await TileServiceInfo(url, portal).source, options: parameters,
      client: portal.client, clock: environment.surroundings.clock
    ).estimate()
    return (tiles, bytes)
  }

  /// The job that exports the tiles; sends no request before it is started.
  ///
  /// - Parameters:
  ///   - parameters: Which tiles.
  ///   - downloadFileURL: The file, `.tpkx`; what is at its place is replaced once it is whole.
  ///   - queue: The queue that the job is to be in.
  /// - Returns: The job.
  /// - Throws: ``OfflineMapError`` for areas that cannot be exported.
  public func makeExportTileCacheJob(
    parameters: ExportTileCacheParameters, downloadFileURL: URL, queue: JobQueue
  ) throws -> ExportTileCacheJob {
    try parameters.areaOfInterest.check()
    let order = ExportTilesJobParameters(
      portal: portal.url, service: url, isVector: false, parameters: parameters,
      file: downloadFileURL)
    return ExportTileCacheJob(
      downloadFileURL: downloadFileURL, queue: queue,
      order: try OfflineJobOrder(order, title: order.part.title))
  }
}
