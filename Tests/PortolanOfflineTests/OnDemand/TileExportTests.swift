import DemoPortal
import Foundation
import PortolanGeometry
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import PortolanTileFiles
import Synchronization
import Testing

@testable import PortolanOffline

/// Tiles of single services, exported into files.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TileExportTests {
  private func withQueue(
    _ body: (DemoBed, JobQueue) async throws -> Void
  ) async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    // Each look at the time is a minute later, so that what waits for another try gets it.
    let looks = Mutex(0)
    let queue = JobQueue(
      journal: InMemoryJobJournal(), runner: OfflineJobRunner(bed.environment),
      environment: JobEnvironment(
        clock: ImmediateClock(),
        now: {
          DemoBed.day.addingTimeInterval(
            Double(
              looks.withLock {
                $0 += 1
                return $0
              }) * 60)
        },
        makeID: { JobID(UUID()) }))
    let work = Task { await queue.run() }
    defer { work.cancel() }
    try await body(bed, queue)
  }

  private func service(_ name: String, _ type: String) throws -> URL {
    try #require(URL(string: OfflineJobBed.service(name, type)))
  }

  @Test func `A tile cache is exported by a job at the size announced, and no map is made`()
    async throws
  {
    try await withQueue { bed, queue in
      let task = ExportTileCacheTask(
        url: try service("MaineBackdrop", "MapServer"), portal: bed.portal)
      let parameters = try await task.makeDefaultExportTileCacheParameters(
        areaOfInterest: DemoBed.casco, minScale: 5_000_000, maxScale: 500_000)
      let told = try await task.estimateTileCacheSize(
        parameters: parameters, in: bed.environment)
      let url = temporaryDirectory.appending(path: "casco.tpkx")
      let file = try await task.makeExportTileCacheJob(
        parameters: parameters, downloadFileURL: url, queue: queue
      ).result
      #expect(file == url)
      let size = try #require(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize)
      #expect(try #require(told.fileSize).contains(size))
      let counts = try TilePackage.open(file).tileCounts()
      #expect(counts.values.reduce(0, +) == told.tileCount)
      #expect(try await bed.library.maps().isEmpty)
    }
  }

  @Test func `Vector tiles are exported from the outermost level inwards`() async throws {
    try await withQueue { bed, queue in
      let task = ExportVectorTilesTask(
        url: try service("MaineVector", "VectorTileServer"), portal: bed.portal)
      let parameters = try await task.makeDefaultExportVectorTilesParameters(
        areaOfInterest: DemoBed.casco, maxScale: 2_000_000)
      #expect(parameters.levelIDs.first == 0 && parameters.levelIDs.count > 3)
      let url = temporaryDirectory.appending(path: "casco.vtpk")
      try Data("what was there".utf8).write(to: url)
      let file = try await task.makeExportVectorTilesJob(
        parameters: parameters, vectorTileCacheURL: url, queue: queue
      ).result
      #expect(try Data(contentsOf: file).starts(with: [0x50, 0x4B]))
    }
  }

  @Test func `An export that the service refuses says why, and leaves what was there`()
    async throws
  {
    try await withQueue { bed, queue in
      let task = ExportTileCacheTask(
        url: try service("MaineBackdrop", "MapServer"), portal: bed.portal)
      let wide = OfflineArea(Envelope(xMin: -71, yMin: 43, xMax: -67, yMax: 47), .wgs84)
      let parameters = try await task.makeDefaultExportTileCacheParameters(areaOfInterest: wide)
      let url = temporaryDirectory.appending(path: "maine.tpkx")
      try Data("what was there".utf8).write(to: url)
      let job = try task.makeExportTileCacheJob(
        parameters: parameters, downloadFileURL: url, queue: queue)
      do {
        _ = try await job.result
        Issue.record("the service has exported everything")
      } catch JobInterruption.failed(let failure) {
        // In the words of the estimate, and before the service is asked.
        let told = try await task.estimateTileCacheSize(
          parameters: parameters, in: bed.environment)
        let count = try #require(told.tileCount)
        #expect(
          failure.message.hasSuffix("exports 4000 tiles at most, and the area takes \(count)."))
        #expect(await bed.transport.log.count(of: "/exportTiles") == 0)
      }
      #expect(try Data(contentsOf: url) == Data("what was there".utf8))
    }
  }

  @Test func `An export whose file download breaks off continues with the existing service job`()
    async throws
  {
    try await withQueue { bed, queue in
      let fault = await bed.state.add(DemoFault(.drop, path: "*/arcgisoutput/*", count: 1))
      let task = ExportTileCacheTask(
        url: try service("MaineBackdrop", "MapServer"), portal: bed.portal)
      let parameters = try await task.makeDefaultExportTileCacheParameters(
        areaOfInterest: DemoBed.casco, minScale: 5_000_000, maxScale: 2_000_000)
      let file = try await task.makeExportTileCacheJob(
        parameters: parameters, downloadFileURL: temporaryDirectory.appending(path: "a.tpkx"),
        queue: queue
      ).result
      await bed.state.removeFaults(fault)
      #expect(await bed.transport.log.count(of: "/exportTiles") == 1)
      #expect(try TilePackage.open(file).tileCounts().isEmpty == false)
    }
  }

  @Test(arguments: [
    ("MaineBackdrop", "*/nothing/*"), ("MaineBackdrop", "*/exportTiles/jobs/*"),
    ("MaineBackdropOnline", "*/nothing/*"),
  ])
  func `Jobs are found wherever products keep them`(
    _ name: String, _ missing: String
  ) async throws {
    try await withQueue { bed, queue in
      let gone = DemoFailure(code: 404, "Not found.", details: [])
      await bed.state.add(DemoFault(.failure(gone), path: missing))
      let task = ExportTileCacheTask(url: try service(name, "MapServer"), portal: bed.portal)
      let parameters = try await task.makeDefaultExportTileCacheParameters(
        areaOfInterest: DemoBed.casco, minScale: 5_000_000, maxScale: 2_000_000)
      let file = try await task.makeExportTileCacheJob(
        parameters: parameters, downloadFileURL: temporaryDirectory.appending(path: "b.tpkx"),
        queue: queue
      ).result
      #expect(try TilePackage.open(file).tileCounts().isEmpty == false)
    }
  }
}
