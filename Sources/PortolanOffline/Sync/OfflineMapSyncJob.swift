public import PortolanJobs

/// The synchronization of a stored map with the services that it was made from.
public struct OfflineMapSyncJob: OfflineJob {
  /// The map, and the directions in which changes go.
  public let parameters: SyncOfflineMapParameters
  public let queue: JobQueue
  public let order: OfflineJobOrder

  public func output(of job: Job) async throws -> OfflineMapSyncResult {
    OfflineMapSyncResult(of: job) ?? OfflineMapSyncResult()
  }
}

extension OfflineMapSyncTask {
  /// The job that synchronizes a map; nothing is requested before it is started.
  ///
  /// - Parameters:
  ///   - parameters: Which map, and in which directions changes go.
  ///   - title: The name for people.
  ///   - queue: The queue that the job is to be in.
  /// - Returns: The job.
  /// - Throws: `EncodingError` for parameters that cannot be kept.
  public func makeSyncOfflineMapJob(
    parameters: SyncOfflineMapParameters, title: String, queue: JobQueue
  ) throws -> OfflineMapSyncJob {
    OfflineMapSyncJob(
      parameters: parameters, queue: queue, order: try OfflineJobOrder(parameters, title: title))
  }
}
