public import Foundation
public import PortolanJobs

/// The export of tiles that are pictures; gives the file.
public struct ExportTileCacheJob: OfflineJob {
  /// The file that is made.
  public let downloadFileURL: URL
  public let queue: JobQueue
  public let order: OfflineJobOrder

  public func output(of job: Job) async throws -> URL { downloadFileURL }
}
