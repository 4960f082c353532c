public import PortolanJobs
internal import PortolanLibrary

/// The download of an area that the owner of a map has prepared.
public struct DownloadPreplannedOfflineMapJob: OfflineJob {
  /// The parameters of the download.
  public let parameters: DownloadPreplannedOfflineMapParameters
  public let queue: JobQueue
  public let order: OfflineJobOrder
  let environment: OfflineEnvironment

  public func output(of job: Job) async throws -> GenerateOfflineMapResult {
    guard let id = MapID(parameters.area),
      let map = try await environment.library.storage.storedMap(id)
    else { throw LibraryError.noSuchMap(parameters.area) }
    return GenerateOfflineMapResult(map: map, failedItems: job.failedItems)
  }
}

extension OfflineMapTask {
  /// The job that downloads an area; nothing is requested before it is started.
  ///
  /// - Parameters:
  ///   - parameters: What is downloaded.
  ///   - title: The name for people.
  ///   - queue: The queue that the job is to be in.
  ///   - environment: Where the map is stored.
  /// - Returns: The job.
  /// - Throws: `EncodingError` for parameters that cannot be kept.
  public func makeDownloadPreplannedOfflineMapJob(
    parameters: DownloadPreplannedOfflineMapParameters, title: String, queue: JobQueue,
    in environment: OfflineEnvironment
  ) throws -> DownloadPreplannedOfflineMapJob {
    DownloadPreplannedOfflineMapJob(
      parameters: parameters, queue: queue, order: try OfflineJobOrder(parameters, title: title),
      environment: environment)
  }
}
