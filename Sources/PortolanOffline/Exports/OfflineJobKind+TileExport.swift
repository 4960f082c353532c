internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPortal

extension OfflineJobKind {
  /// Exports tiles of a service into a file.
  ///
  /// The job of the service is written down before it is waited for, so that another run asks for it
  /// again. The file goes to `staging/<job>`, is opened to see whether it is sound, and then takes its
  /// place.
  public static let tileExport = OfflineJobKind(
    "export-tiles", for: ExportTilesJobParameters.self,
    estimate: { order, environment in
      let portal = try await environment.connect(order.portal)
      let part = order.part
      let source = try await TileServiceInfo(order.service, portal).source
      let (_, bytes) = try await TileEstimate(
        part: part, source: source, options: order.parameters, client: portal.client,
        clock: environment.surroundings.clock
      ).estimate()
      return DownloadEstimate(
        files: [
          DownloadEstimate.File(
            title: part.title, byteCount: bytes?.upperBound, presentBytes: 0)
        ],
        freeBytes: environment.surroundings.freeSpace(environment.library.layout.home),
        replacedBytes: 0)
    },
    run: { order, job, reporter, environment in
      try await TileExportRun(
        order: order, job: job, reporter: reporter, environment: environment
      ).run()
    },
    discard: { job, environment in
      let order = try parameters(ExportTilesJobParameters.self, from: job.parameters)
      for serverJob in OnDemandCheckpoint(of: job).serverJobs.values {
        try await environment.release(serverJob, of: job, portal: order.portal)
      }
      try await removeStaged(job, in: environment)
    })
}
