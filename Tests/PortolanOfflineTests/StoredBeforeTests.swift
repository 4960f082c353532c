import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The treatment by a job of a map that is stored already.
@Suite(.temporaryDirectory) struct StoredBeforeTests {
  @Test func `A package that is here but damaged is fetched again`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    func run(_ name: String) async throws -> Result<JobOutcome, JobInterruption> {
      try await bed.run(bed.job(name, OfflineJobKind.mobileMapPackage.id, bed.package()))
    }
    #expect(try await run("job-1") == .success(JobOutcome()))
    let map = try #require(await bed.storage.storedMaps().first)
    let good = try Data(contentsOf: bed.layout.place(of: map))
    try Data("EVIL package".utf8).write(to: bed.layout.place(of: map))
    #expect(try await run("job-2") == .success(JobOutcome()))
    #expect(bed.server.downloads(of: AreaPortal.package) == 2)
    let next = try #require(await bed.storage.storedMaps().first)
    #expect(try Data(contentsOf: bed.layout.place(of: next)) == good)
  }

  @Test func `A package is fetched again if it has another size, or was deleted here`() async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    func run(_ name: String) async throws -> Result<JobOutcome, JobInterruption> {
      try await bed.run(bed.job(name, OfflineJobKind.mobileMapPackage.id, bed.package()))
    }
    #expect(try await run("job-1") == .success(JobOutcome()))
    let id = try #require(await bed.storage.storedMaps().first).id
    try await bed.library.delete(id)
    #expect(try await run("job-2") == .success(JobOutcome()))
    #expect(bed.server.downloads(of: AreaPortal.package) == 2)
    #expect(try await bed.library.maps().map(\.id) == [id])
    // The portal says the date of the version that is here, and another size.
    let item = """
      {"id": "\(AreaPortal.package)", "type": "Mobile Map Package", "title": "Harbor", "size": 11,
       "modified": 1}
      """
    bed.server.answer(path: "/content/items/\(AreaPortal.package)", with: [.json(item)])
    #expect(try await run("job-3") == .success(JobOutcome()))
    #expect(bed.server.downloads(of: AreaPortal.package) == 3)
    #expect(try await run("job-4") == .success(JobOutcome()))
    #expect(bed.server.downloads(of: AreaPortal.package) == 3)
  }

  private func download(_ bed: OfflineBed, _ name: String) throws -> Job {
    try bed.job(name, OfflineJobKind.preplannedArea.id, bed.area)
  }

  @Test func `An area that the portal has touched, and that is the same, is no update any more`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    _ = try await bed.run(download(bed, "job-1")).get()
    let before = try #require(await bed.storage.storedMaps().first)
    let touched = """
      {"id": "\(AreaPortal.area)", "type": "Map Area", "title": "Coast",
       "extent": [[0, 0], [3, 3]], "modified": 1700000001000, "properties": {"status": "complete",
       "packageRefreshSchedule": "0 0 3 ? * MON", "extent": {"xmin": 0, "ymin": 0, "xmax": 3,
       "ymax": 3, "spatialReference": {"wkid": 4326}}, "area": {"resource": "area/geometry-1.json"}}}
      """
    bed.server.answer(
      path: "/content/items/\(AreaPortal.area)",
      with: Array(repeating: .json(touched), count: 20))
    _ = try await bed.run(download(bed, "job-2")).get()
    let after = try #require(await bed.storage.storedMaps().first)
    #expect(before.sourceModified == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(after.sourceModified == Date(timeIntervalSince1970: 1_700_000_001))
    #expect(bed.server.downloads(of: AreaPortal.tiles) == 1)
  }

  @Test func `An area of which nothing could be had is no map`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let gone = #"{"error": {"code": 404, "message": "Not found", "details": []}}"#
    for item in [AreaPortal.features, AreaPortal.tiles] {
      bed.server.answer(data: item, with: [.json(gone)])
    }
    guard case .failure(.failed(let failure)) = try await bed.run(download(bed, "job-1")) else {
      Issue.record("no failure")
      return
    }
    #expect(failure.kind == .absent)
    #expect(await bed.storage.storedMaps().isEmpty)
  }

  @Test func `Starting a paused job resumes it`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let task = OfflineMapTask(
      portal: try bed.server.portal, webMap: try PortalItem.ID(AreaPortal.webMap))
    let job = try task.makeDownloadPreplannedOfflineMapJob(
      parameters: bed.area, title: "Coast", queue: bed.queue(), in: bed.environment)
    let id = try await job.start().id
    try await job.pause()
    let paused = await job.job
    #expect(paused?.id == id && paused?.state == .paused)
    #expect(try await job.start().id == id)
    let started = await job.job
    #expect(started?.state == .waiting(.slot(ahead: 0)))
  }

  @Test func `What an update takes over stays as it was taken, whichever home it names`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(try await bed.bed.parameters())
    let (first, surroundings) = (bed.bed.library, bed.bed.environment.surroundings)
    let library = MapLibrary(
      layout: first.layout, storage: first.storage, now: { DemoBed.day },
      unsentEdits: { try await UnsentEdits.count(in: $0) })
    let environment = OfflineEnvironment(
      library: library, connect: bed.bed.environment.connect, check: bed.bed.environment.check,
      surroundings: surroundings)
    let map = made.lease.map
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let file = made.url.appending(path: path)
    try await OfflineMapSyncTask.using(file, environment.surroundings) { store in
      try await store.setHome("another")
      let table = try #require(try await store.schemas().first?.name)
      let feature = try #require(
        try await store.features(in: table, matching: QueryParameters(limit: 1)).collect().first)
      _ = try await store.apply([.delete(.objectID(feature.objectID), table: table)])
    }
    try await library.reuse(map.id, in: "update")
    let log = OfflineJobBed.Journal()
    let reporter = JobReporter(
      progress: { _ in }, message: { text, _ in await log.add(text) }, checkpoint: { _ in })
    try await environment.store(
      library.layout.staging("update"), as: map, reporting: reporter)
    #expect(await log.messages == ["An edit that was not sent yet is part of it."])
    let next = try await library.open(map.id)
    #expect(next.map.version == map.version + 1)
    #expect(try await UnsentEdits.count(in: next.url) == 1)
  }
}
