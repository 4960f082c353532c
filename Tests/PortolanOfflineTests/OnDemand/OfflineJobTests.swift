import DemoPortal
import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Jobs as code waits for them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct OfflineJobTests {
  /// Does something while a queue works.
  private func withQueue(
    _ body: (OfflineJobBed, JobQueue) async throws -> Void
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let queue = JobQueue(
      journal: InMemoryJobJournal(), runner: OfflineJobRunner(bed.bed.environment),
      environment: JobEnvironment(
        clock: ImmediateClock(), now: { DemoBed.day }, makeID: { JobID(UUID()) }))
    let work = Task { await queue.run() }
    defer { work.cancel() }
    try await body(bed, queue)
  }

  private func task(
    _ bed: OfflineJobBed, _ parameters: GenerateOfflineMapParameters
  ) throws -> OfflineMapTask {
    OfflineMapTask(portal: bed.bed.portal, webMap: try PortalItem.ID(parameters.webMap))
  }

  @Test func `A job gives the map that it has made, its progress and its log`() async throws {
    try await withQueue { bed, queue in
      let parameters = try await bed.parameters(
        operational: [OfflineJobBed.layer(1, "Lighthouses")])
      let job = try task(bed, parameters).makeGenerateOfflineMapJob(
        parameters: parameters, queue: queue, in: bed.bed.environment)
      #expect(await job.job == nil)
      let result = try await job.result
      #expect(result.map.id.text == parameters.mapID && !result.hasErrors)
      #expect(await job.job?.state == .succeeded)
      var last: JobProgress?
      for await progress in job.progress { last = progress }
      #expect(last?.fraction == 1)
      #expect(try await job.messages().last?.text == "Done.")
    }
  }

  @Test func `Missing parts are listed by layer, and the rest is there`() async throws {
    try await withQueue { bed, queue in
      let gone: JSONValue = [
        "id": "gone", "title": "Gone", "layerType": "ArcGISFeatureLayer",
        "url": .string(OfflineJobBed.service("Nothing") + "/0"),
      ]
      let parameters = try await bed.parameters(
        operational: [OfflineJobBed.layer(1, "Lighthouses"), gone])
      let result = try await task(bed, parameters).makeGenerateOfflineMapJob(
        parameters: parameters, queue: queue, in: bed.bed.environment
      ).result
      #expect(result.hasErrors && Array(result.errors.keys) == ["Gone"])
    }
  }

  @Test func `A job that fails throws its reason`() async throws {
    try await withQueue { bed, queue in
      var parameters = try await bed.parameters(
        operational: [OfflineJobBed.layer(1, "Lighthouses")])
      parameters.webMap = "0123456789abcdef0123456789abcdef"
      let job = try task(bed, parameters).makeGenerateOfflineMapJob(
        parameters: parameters, queue: queue, in: bed.bed.environment)
      await #expect(throws: JobInterruption.self) { _ = try await job.result }
    }
  }

  @Test func `A map that was made is synchronized by a job of its own`() async throws {
    try await withQueue { bed, queue in
      let parameters = try await bed.parameters(
        operational: [OfflineJobBed.layer(1, "Lighthouses")])
      _ = try await task(bed, parameters).makeGenerateOfflineMapJob(
        parameters: parameters, queue: queue, in: bed.bed.environment
      ).result
      let job = try OfflineMapSyncTask(bed.bed.environment).makeSyncOfflineMapJob(
        parameters: SyncOfflineMapParameters(portal: parameters.portal, map: parameters.mapID),
        title: "Casco Bay", queue: queue)
      let result = try await job.result
      #expect(result.parts.count == 1 && result.sent == 0)
    }
  }

  @Test func `An area is downloaded by a job of its own`() async throws {
    try await withQueue { bed, queue in
      let areas = try await bed.bed.task.preplannedMapAreas()
      let area = try #require(areas.first { $0.portalItem.title == "Casco Bay" })
      let parameters = DownloadPreplannedOfflineMapParameters(
        portal: bed.bed.portal.url, webMap: bed.bed.webMap.text, area: area.id.text)
      let job = try bed.bed.task.makeDownloadPreplannedOfflineMapJob(
        parameters: parameters, title: "Casco Bay", queue: queue, in: bed.bed.environment)
      #expect(try await job.result.map.id.text == area.id.text)
    }
  }
}
