import DemoPortal
import Foundation
import PortolanGeometry
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The requirements of jobs that export tiles, their leftovers, and their failures.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TileExportJobTests {
  private func order(_ bed: DemoBed, to name: String) async throws -> ExportTilesJobParameters {
    let service = try #require(URL(string: OfflineJobBed.service("MaineBackdrop", "MapServer")))
    let parameters = try await ExportTileCacheTask(url: service, portal: bed.portal)
      .makeDefaultExportTileCacheParameters(
        areaOfInterest: DemoBed.casco, minScale: 5_000_000, maxScale: 2_000_000)
    return ExportTilesJobParameters(
      portal: bed.portal.url, service: service, isVector: false, parameters: parameters,
      file: temporaryDirectory.appending(path: name))
  }

  private func job(_ parameters: ExportTilesJobParameters, checkpoint: Data?) throws -> Job {
    let order = try OfflineJobOrder(parameters, title: "Backdrop")
    var job = Job(
      id: try #require(JobID(OfflineJobBed.jobName)), kind: order.kind, subject: order.subject,
      title: order.title, parameters: order.parameters, created: DemoBed.day, position: 0)
    job.checkpoint = checkpoint
    return job
  }

  /// Runs a job, and returns how far it has told to be; the journal keeps what it wrote down.
  @discardableResult
  private func run(
    _ parameters: ExportTilesJobParameters, _ bed: DemoBed, _ journal: OfflineJobBed.Journal
  ) async throws -> [JobProgress] {
    let told = Locked<[JobProgress]>([])
    let reporter = JobReporter(
      progress: { progress in told.withLock { $0.append(progress) } }, message: { _, _ in },
      checkpoint: { await journal.keep($0) })
    let outcome = try await OfflineJobRunner(bed.environment).run(
      job(parameters, checkpoint: await journal.checkpoint), reporter: reporter)
    #expect(outcome == JobOutcome())
    return told.withLock(\.self)
  }

  private func isStaged(_ bed: DemoBed) -> Bool {
    let folder = bed.library.layout.staging(OfflineJobBed.jobName)
    return FileManager.default.fileExists(atPath: folder.path(percentEncoded: false))
  }

  /// The jobs of services that a job has under way.
  private func serverJobs(
    _ journal: OfflineJobBed.Journal
  ) async throws -> [OnDemandCheckpoint.ServerJob] {
    let data = try #require(await journal.checkpoint)
    return Array(try JSONDecoder().decode(OnDemandCheckpoint.self, from: data).serverJobs.values)
  }

  private func cancellation(
    of serverJob: OnDemandCheckpoint.ServerJob, _ parameters: ExportTilesJobParameters
  ) throws -> OutboxMessage {
    let id = try #require(serverJob.jobID)
    let digest = parameters.part.address.digest
    let (service, path) = (serverJob.address.url, "jobs/\(id)/cancel")
    return OutboxMessage(
      id: try #require(OutboxMessage.ID("cancel-\(OfflineJobBed.jobName)-\(digest)")),
      purpose: "Cancel an export of tiles that is not needed any more.",
      portal: parameters.portal,
      address: service.appending(path: "exportTiles").appending(path: path),
      fields: ["portolanOtherPlace": service.appending(path: path).absoluteString],
      created: DemoBed.day)
  }

  @Test func `An export reports its limit, and requests nothing but that`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await order(bed, to: "a.tpkx")
    let told = try await ExportTileCacheTask(url: parameters.service, portal: bed.portal)
      .estimateTileCacheSize(parameters: parameters.parameters, in: bed.environment)
    let estimate = try await bed.environment.estimate(
      OfflineJobOrder(parameters, title: "Backdrop"))
    let bytes = try #require(told.fileSize).upperBound
    #expect(
      estimate
        == DownloadEstimate(
          files: [.init(title: "MaineBackdrop", byteCount: bytes, presentBytes: 0)],
          freeBytes: nil, replacedBytes: 0))
    #expect(estimate.bytesToFetch == bytes && estimate.isExact)
    #expect(await bed.transport.log.count(of: "/exportTiles") == 0)
    #expect(!isStaged(bed))
  }

  @Test func `An export is done once its file is in its place, and nothing stays besides`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let parameters = try await order(bed, to: "a.tpkx")
    let progress = try await run(parameters, bed, OfflineJobBed.Journal())
    #expect(
      progress == [
        JobProgress(items: 0, totalItems: 1),
        JobProgress(items: 1, totalItems: 1, isVerified: true),
      ])
    #expect(try Data(contentsOf: parameters.file).starts(with: [0x50, 0x4B]))
    #expect(!isStaged(bed))
    #expect(try await bed.storage.outgoingMessages().isEmpty)
  }

  @Test(arguments: [(503, true), (403, false)])
  func `A failure that passes keeps the job of the service, and any other gives it up`(
    _ code: Int, _ isKept: Bool
  ) async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let (parameters, journal) = (try await order(bed, to: "a.tpkx"), OfflineJobBed.Journal())
    let failure = DemoFailure(code: code, "Not now.", details: [])
    let fault = await bed.state.add(DemoFault(.failure(failure), path: "*/jobs/*"))
    await #expect(throws: JobInterruption.self) { try await run(parameters, bed, journal) }
    let left = try await serverJobs(journal)
    let messages = try await bed.storage.outgoingMessages()
    if isKept {
      #expect(left.count == 1 && left.first?.jobID?.isEmpty == false && messages.isEmpty)
    } else {
      #expect(left.isEmpty && messages.count == 1)
      #expect(messages.first?.address.path().hasSuffix("/cancel") == true)
    }
    await bed.state.removeFaults(fault)
    try await run(parameters, bed, journal)
    #expect(await bed.transport.log.count(of: "/exportTiles") == (isKept ? 1 : 2))
  }

  @Test func `An export that is cancelled is cancelled at its service, and leaves nothing`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let (parameters, journal) = (try await order(bed, to: "a.tpkx"), OfflineJobBed.Journal())
    await bed.state.add(DemoFault(.drop, path: "*/jobs/*"))
    await #expect(throws: JobInterruption.self) { try await run(parameters, bed, journal) }
    let serverJob = try #require(try await serverJobs(journal).first)
    #expect(isStaged(bed))
    let runner = OfflineJobRunner(bed.environment)
    // A process may die in between, and another one discard the job once more.
    for _ in 1...2 {
      try await runner.discard(try job(parameters, checkpoint: await journal.checkpoint))
    }
    let expected = try cancellation(of: serverJob, parameters)
    #expect(try await bed.storage.outgoingMessages() == [expected])
    #expect(!isStaged(bed))
    #expect(!FileManager.default.fileExists(atPath: parameters.file.path(percentEncoded: false)))
  }

  @Test func `A copied home that cancels an export leaves it to the home that has asked for it`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let (parameters, journal) = (try await order(bed, to: "a.tpkx"), OfflineJobBed.Journal())
    await bed.state.add(DemoFault(.drop, path: "*/jobs/*"))
    await #expect(throws: JobInterruption.self) { try await run(parameters, bed, journal) }
    let data = try #require(await journal.checkpoint)
    var checkpoint = try JSONDecoder().decode(OnDemandCheckpoint.self, from: data)
    let home = try await bed.library.homeIdentity()
    #expect(checkpoint.serverJobs.values.map(\.home) == [home])
    for part in Array(checkpoint.serverJobs.keys) {
      checkpoint.serverJobs[part]?.home = "another"
    }
    let copied = try JSONEncoder().encode(checkpoint)
    let runner = OfflineJobRunner(bed.environment)
    // A process may die in between, and another one discard the job once more.
    for _ in 1...2 { try await runner.discard(try job(parameters, checkpoint: copied)) }
    #expect(try await bed.storage.outgoingMessages().isEmpty)
    #expect(!isStaged(bed))
  }

  @Test func `A file that has arrived is not asked for again where its place could not be written`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let (parameters, journal) = (
      try await order(bed, to: "missing/a.tpkx"), OfflineJobBed.Journal()
    )
    do {
      try await run(parameters, bed, journal)
      Issue.record("it was written")
    } catch JobInterruption.failed(let failure) {
      #expect(failure.kind == .device)
    }
    #expect(try await bed.storage.outgoingMessages().isEmpty)
    let requests = await bed.transport.log.paths.filter { $0.contains("/jobs/") }.count
    try FileManager.default.createDirectory(
      at: parameters.file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let progress = try await run(parameters, bed, journal)
    #expect(progress == [JobProgress(items: 1, totalItems: 1, isVerified: true)])
    #expect(await bed.transport.log.count(of: "/exportTiles") == 1)
    #expect(await bed.transport.log.paths.filter { $0.contains("/jobs/") }.count == requests)
    #expect(try Data(contentsOf: parameters.file).starts(with: [0x50, 0x4B]))
  }

  @Test func `An area that no service could export is refused before any request`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let url = try #require(URL(string: OfflineJobBed.service("MaineBackdrop", "MapServer")))
    let requests = await bed.transport.log.paths.count
    let pictures = ExportTileCacheTask(url: url, portal: bed.portal)
    for (least, most) in [(-1.0, 0.0), (0.0, -1.0), (1_000.0, 2_000.0)] {
      await #expect(throws: OfflineMapError.badScales(minimum: least, maximum: most)) {
        try await pictures.makeDefaultExportTileCacheParameters(
          areaOfInterest: DemoBed.casco, minScale: least, maxScale: most)
      }
    }
    let vectors = ExportVectorTilesTask(url: url, portal: bed.portal)
    await #expect(throws: OfflineMapError.badScales(minimum: 0, maximum: -1)) {
      try await vectors.makeDefaultExportVectorTilesParameters(
        areaOfInterest: DemoBed.casco, maxScale: -1)
    }
    let empty = OfflineArea(.init(xMin: 1, yMin: 1, xMax: 1, yMax: 2), .wgs84)
    await #expect(throws: OfflineMapError.areaEmpty) {
      try await pictures.makeDefaultExportTileCacheParameters(areaOfInterest: empty)
    }
    await #expect(throws: OfflineMapError.areaEmpty) {
      try await vectors.makeDefaultExportVectorTilesParameters(areaOfInterest: empty)
    }
    #expect(await bed.transport.log.paths.count == requests)
  }
}
