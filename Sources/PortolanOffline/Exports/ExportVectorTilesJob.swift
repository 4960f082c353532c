public import Foundation
public import PortolanJobs

/// The export of vector tiles; gives the file, with the style in it.
public struct ExportVectorTilesJob: OfflineJob {
  /// The file that is made.
  public let vectorTileCacheURL: URL
  public let queue: JobQueue
  public let order: OfflineJobOrder

  public func output(of job: Job) async throws -> URL { vectorTileCacheURL }
}
