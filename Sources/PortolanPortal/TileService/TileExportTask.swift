public import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// Exports the tiles of a service as a package.
///
/// Docs/REST.md, 4. Products keep the jobs at different places; each is looked at.
public struct TileExportTask: Sendable {
  /// The size of an export, by the service's estimate.
  public struct Size: Hashable, Sendable {
    /// The bytes.
    public var byteCount: Int
    /// The tiles.
    public var tileCount: Int
  }

  /// The service.
  public let url: URL

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a task.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// Starts an export, or the estimate of one.
  public func submit(
    _ parameters: RESTParameters, estimate: Bool = false
  ) async throws(PortalError) -> GeoprocessingJobStatus {
    try await GeoprocessingTask(url: url, client: client)
      .submit(parameters, operation: Self.operation(estimate))
  }

  /// The state of a job.
  public func status(
    of job: String, estimate: Bool = false
  ) async throws(PortalError) -> GeoprocessingJobStatus {
    try await atEachPlace(estimate) { task throws(PortalError) in try await task.status(of: job) }
  }

  /// The file that an export has made.
  ///
  /// - Parameter status: The status of a job that has succeeded.
  /// - Returns: Its address.
  /// - Throws: ``PortalError/unexpected(_:reason:)`` if there is none.
  public func file(of status: GeoprocessingJobStatus) async throws(PortalError) -> URL {
    if let file = status.outputURLs.first { return file }
    let value = try await result(of: status, estimate: false)
    let folder = value.string.flatMap { URL(service: $0, below: url) }
    guard let folder else { throw noFile }
    let list = try await client.json(folder)
    let files = (list["files"]?.array ?? []).compactMap { entry in
      entry["url"]?.string.flatMap { URL(service: $0, below: folder) }
    }
    let packages = files.filter {
      ["tpk", "tpkx", "vtpk"].contains($0.pathExtension.lowercased())
    }
    guard let file = packages.first ?? files.first else { throw noFile }
    return file
  }

  /// The size that the service has estimated.
  public func size(of status: GeoprocessingJobStatus) async throws(PortalError) -> Size {
    let value = try await result(of: status, estimate: true)
    guard let bytes = value["totalSize"]?.double, let tiles = value["totalTilesToExport"]?.double,
      bytes >= 0, bytes < 1e15, tiles >= 0, tiles < 1e15
    else { throw .unexpected(url.withoutSecrets, reason: "the estimate has no figures") }
    return Size(byteCount: Int(bytes), tileCount: Int(tiles))
  }

  private var noFile: PortalError {
    .unexpected(url.withoutSecrets, reason: "the export has made no file")
  }

  private func result(
    of status: GeoprocessingJobStatus, estimate: Bool
  ) async throws(PortalError) -> JSONValue {
    try await atEachPlace(estimate) { task throws(PortalError) in
      try await task.result("out_service_url", of: status)
    }
  }

  private static func operation(_ isEstimate: Bool) -> String {
    isEstimate ? "estimateExportTilesSize" : "exportTiles"
  }

  /// Asks below the operation, then below the service.
  private func atEachPlace<Value>(
    _ isEstimate: Bool, _ ask: (GeoprocessingTask) async throws(PortalError) -> Value
  ) async throws(PortalError) -> Value {
    let own = url.appending(path: Self.operation(isEstimate))
    do throws(PortalError) {
      return try await ask(GeoprocessingTask(url: own, client: client))
    } catch {
      let first = error
      switch first {
      case .notFound, .server, .notJSON, .unexpected: break
      default: throw first
      }
      // A server that is started again says nothing of the job, nor does a page of its proxy.
      guard !first.isTransient else { throw first }
      do throws(PortalError) {
        return try await ask(GeoprocessingTask(url: url, client: client))
      } catch {
        if case .notJSON = first, case .notFound = error { throw first }
        throw error
      }
    }
  }
}
