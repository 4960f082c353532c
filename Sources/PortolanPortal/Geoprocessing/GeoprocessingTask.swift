public import Foundation
public import PortolanJSON
internal import PortolanTransport

/// A task of a geoprocessing service, or an operation that runs as a job.
///
/// Docs/REST.md, 4. A value: submitting, asking and fetching are one request each, so that the
/// caller decides when to ask again and can continue after a restart.
public struct GeoprocessingTask: Sendable {
  /// The address, for example `https://host/arcgis/rest/services/Packaging/GPServer/SetupMapArea`.
  public let url: URL

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a task.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// Starts a job.
  ///
  /// - Parameters:
  ///   - parameters: What the task is to work on.
  ///   - operation: The last part of the address, for operations of other services such as
  ///     `exportTiles`; empty if `url` is that of the operation.
  /// - Returns: Where the job is served; its id is the one to poll.
  /// - Throws: ``PortalError``.
  public func submit(
    _ parameters: RESTParameters, operation: String = "submitJob"
  ) async throws(PortalError) -> GeoprocessingJobStatus {
    let address = operation.isEmpty ? url : url.appending(path: operation)
    let status = try await status(at: address, parameters, method: .post)
    guard !status.id.isEmpty else {
      throw .unexpected(address.withoutSecrets, reason: "it does not say which job it began")
    }
    return status
  }

  /// The state of a job.
  public func status(of job: String) async throws(PortalError) -> GeoprocessingJobStatus {
    try await status(at: try jobURL(job))
  }

  /// A result of a job that has succeeded.
  ///
  /// - Parameters:
  ///   - name: The name of the result.
  ///   - status: The status of the job.
  /// - Returns: The value, whose shape depends on the result.
  /// - Throws: ``PortalError``.
  public func result(
    _ name: String, of status: GeoprocessingJobStatus
  ) async throws(PortalError) -> JSONValue {
    let path = status.resultPaths[name] ?? "results/\(name)"
    guard let address = try jobURL(status.id).appending(untrustedPath: path) else {
      throw .unexpected(url.withoutSecrets, reason: "a result has an impossible name")
    }
    return try await client.value(address, orBecause: "there is no result") { $0["value"] }
  }

  /// Asks the server to give a job up.
  public func cancel(_ job: String) async throws(PortalError) -> GeoprocessingJobStatus {
    try await status(at: try jobURL(job).appending(path: "cancel"), method: .post)
  }

  private func jobURL(_ job: String) throws(PortalError) -> URL {
    let jobs = url.appending(path: "jobs")
    guard !job.contains("/"), let address = jobs.appending(untrustedPath: job) else {
      throw .invalidID(String(job.prefix(100)))
    }
    return address
  }

  private func status(
    at url: URL, _ parameters: RESTParameters = [:], method: RESTMethod = .automatic
  ) async throws(PortalError) -> GeoprocessingJobStatus {
    try await client.value(
      url, parameters, method: method, orBecause: "there is no status of a job",
      reading: GeoprocessingJobStatus.init(json:))
  }
}
