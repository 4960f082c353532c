internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary

extension OfflineJobKind {
  /// Synchronizes a stored map with the services that it was made from.
  ///
  /// The map stays in its place; what a run has done is kept in its geodatabases, so that another
  /// run continues from there. Nothing is left to be removed but files of the moment.
  public static let offlineMapSync = OfflineJobKind(
    "sync-offline-map", for: SyncOfflineMapParameters.self,
    estimate: { _, environment in
      DownloadEstimate(
        files: [], freeBytes: environment.surroundings.freeSpace(environment.library.layout.home),
        replacedBytes: 0)
    },
    run: { parameters, job, reporter, environment in
      try await SyncRun(
        parameters: parameters, job: job, reporter: reporter, environment: environment
      ).run()
    }, discard: { try await removeStaged($0, in: $1) })
}

extension SyncOfflineMapParameters: OfflineJobParameters {
  public static var kind: OfflineJobKind { .offlineMapSync }

  public var subject: String { map }
}
