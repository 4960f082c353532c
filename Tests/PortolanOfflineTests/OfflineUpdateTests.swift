import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanOffline

/// A second download of an area that is stored, and perhaps open.
@Suite(.temporaryDirectory) struct OfflineUpdateTests {
  private func download(_ bed: OfflineBed, _ name: String) throws -> Job {
    try bed.job(name, OfflineJobKind.preplannedArea.id, bed.area)
  }

  private func tiles(_ bed: OfflineBed) async throws -> URL {
    let map = try #require(await bed.storage.storedMaps().first)
    return bed.layout.place(of: map).appending(path: "p13/\(AreaPortal.tiles).tpk")
  }

  private func installed(in folder: URL) async throws -> OfflineBed {
    let bed = try OfflineBed(in: folder)
    let outcome = try await bed.run(download(bed, "job-1")).get()
    #expect(outcome.isComplete)
    return bed
  }

  @Test func `A reader that has the map open continues with the previous version`() async throws {
    let bed = try await installed(in: temporaryDirectory)
    let map = try #require(await bed.storage.storedMaps().first)
    let open = try await bed.library.open(map.id)
    let reader = try FileHandle(forReadingFrom: await tiles(bed))
    #expect(try reader.read(upToCount: 4) == Data("GOOD".utf8))
    bed.server.renew(AreaPortal.tiles)
    #expect(try await bed.run(download(bed, "job-2")).get().isComplete)
    #expect(try reader.readToEnd() == Data(" tiles".utf8))
    #expect(try await Data(contentsOf: tiles(bed)) == Data("GOOD tiles 2".utf8))
    try reader.close()
    withExtendedLifetime(open) {}
  }

  @Test func `A process that dies after it stored an update keeps the version before`() async throws
  {
    let bed = try await installed(in: temporaryDirectory)
    bed.server.renew(AreaPortal.tiles)
    var update = try download(bed, "job-2")
    let kept = Mutex<Data?>(nil)
    let outcome = try await bed.run(update) { data in kept.withLock { $0 = data } }.get()
    // The journal does not say yet that it is done.
    update.checkpoint = kept.withLock { $0 }
    #expect(update.checkpoint != nil)
    #expect(try await bed.run(update).get() == outcome)
    let map = try #require(await bed.storage.storedMaps().first)
    #expect(map.version == 2)
    #expect(try await bed.library.earlierVersions(of: map.id).map(\.number) == [1])
    bed.server.renew(AreaPortal.tiles)
    #expect(try await bed.run(download(bed, "job-3")).get().isComplete)
    #expect(await bed.storage.storedMaps().first?.version == 3)
  }

  @Test func `A process that dies after it stored an update does not keep a later one away`()
    async throws
  {
    let bed = try await installed(in: temporaryDirectory)
    bed.server.renew(AreaPortal.tiles)
    var update = try download(bed, "job-2")
    let kept = Mutex<Data?>(nil)
    _ = try await bed.run(update) { data in kept.withLock { $0 = data } }.get()
    update.checkpoint = kept.withLock { $0 }
    // The same job is found when the map is asked for anew.
    bed.server.renew(AreaPortal.tiles)
    #expect(try await bed.run(update).get().isComplete)
    #expect(bed.server.downloads(of: AreaPortal.tiles) == 3)
    #expect(await bed.storage.storedMaps().first?.version == 3)
  }

  @Test func `That a map is about to be stored is noted before it is`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let staging = bed.layout.staging("job-1").path(percentEncoded: false)
    let isStaged = Mutex<[Bool]>([])
    _ = try await bed.run(download(bed, "job-1")) { _ in
      isStaged.withLock { $0.append(FileManager.default.fileExists(atPath: staging)) }
    }.get()
    #expect(isStaged.withLock { $0 } == [true])
  }

  @Test func `What an area has no longer is no part of its update`() async throws {
    let bed = try await installed(in: temporaryDirectory)
    let before = try await AreaContents.load(bed.area, from: bed.server.portal).plan
    let plan = DownloadPlan(
      mapID: before.mapID, form: before.form,
      files: before.files.filter { $0.path.hasSuffix(".geodatabase") })
    let staged = StagedDownload(
      plan: plan, job: try download(bed, "job-2"), environment: bed.environment)
    try await staged.prepare()
    for file in before.files { #expect(staged.holds(file) == plan.files.contains(file)) }
  }

  @Test func `Asking again for what is stored keeps the version before`() async throws {
    let bed = try await installed(in: temporaryDirectory)
    bed.server.renew(AreaPortal.tiles)
    let outcome = try await bed.run(download(bed, "job-2")).get()
    let map = try #require(await bed.storage.storedMaps().first)
    // A process that dies after its job is done may be followed by one that asks for the same.
    #expect(try await bed.run(download(bed, "job-3")).get() == outcome)
    #expect(await bed.storage.storedMaps() == [map])
    #expect(try await bed.library.earlierVersions(of: map.id).map(\.number) == [1])
    #expect(bed.layout.contents(of: .staging).isEmpty)
    #expect(bed.server.downloads(of: AreaPortal.tiles) == 2)
  }

  @Test func `An area in which something was edited is not stored once more for that`() async throws
  {
    let bed = try await installed(in: temporaryDirectory)
    let map = try #require(await bed.storage.storedMaps().first)
    do {
      let lease = try await bed.library.open(map.id)
      try await bed.library.beginEditing(lease)
      try Data("GOOD features and edits".utf8).write(
        to: lease.url.appending(path: "p13/\(AreaPortal.features).geodatabase"))
      lease.endEditing()
    }
    #expect(try await bed.run(download(bed, "job-2")).get().isComplete)
    #expect(await bed.storage.storedMaps().map(\.version) == [map.version])
    #expect(try await bed.library.earlierVersions(of: map.id).isEmpty)
    #expect(bed.server.downloads(of: AreaPortal.features) == 1)
  }

  @Test func `A document that was damaged is put right by asking again`() async throws {
    let bed = try await installed(in: temporaryDirectory)
    let map = try #require(await bed.storage.storedMaps().first)
    let document = bed.layout.place(of: map).appending(path: "p13/mobile_map.mmap")
    try Data("{}".utf8).write(to: document)
    #expect(try await bed.run(download(bed, "job-2")).get().isComplete)
    #expect(await bed.storage.storedMaps().first?.version == 2)
  }

  @Test func `Only what has changed is fetched`() async throws {
    let bed = try await installed(in: temporaryDirectory)
    bed.server.renew(AreaPortal.tiles)
    #expect(try await bed.run(download(bed, "job-2")).get().isComplete)
    #expect(bed.server.downloads(of: AreaPortal.features) == 1)
    #expect(bed.server.downloads(of: AreaPortal.tiles) == 2)
    #expect(bed.layout.contents(of: .staging).isEmpty && bed.layout.contents(of: .trash).isEmpty)
  }

  @Test(arguments: [
    AreaPortal.Mishap.error(.offline), .error(.cancelled),
    .error(.diskFull(file: "f", needed: 1)),
  ])
  func `An update that does not come to its end changes nothing`(
    _ mishap: AreaPortal.Mishap
  ) async throws {
    let bed = try await installed(in: temporaryDirectory)
    let before = try #require(await bed.storage.storedMaps().first)
    bed.server.renew(AreaPortal.tiles)
    bed.server.answer(data: AreaPortal.tiles, with: [mishap])
    let update = try download(bed, "job-2")
    guard case .failure = await bed.run(update) else {
      Issue.record("the update came to its end")
      return
    }
    #expect(try await Data(contentsOf: tiles(bed)) == Data("GOOD tiles".utf8))
    try await OfflineJobRunner(bed.environment).discard(update)
    #expect(try await Data(contentsOf: tiles(bed)) == Data("GOOD tiles".utf8))
    #expect(await bed.storage.storedMaps() == [before])
    #expect(bed.layout.contents(of: .staging).isEmpty)
  }

  @Test func `A missing part is fetched later alone, also by another process`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let queue = bed.queue()
    let id = try await submitWithoutTiles(bed, to: queue)
    let first = try await end(of: id, in: queue)
    #expect(first.state == .succeededInPart && first.progress.fraction != 1)
    #expect(first.failedItems.first { $0.isFailure }?.attempts == 1)
    let next = bed.queue()
    try await next.restore()
    try await next.retryFailedItems(id)
    let second = try await end(of: id, in: next)
    #expect(second.state == .succeeded && second.progress.fraction == 1)
    #expect(bed.server.downloads(of: AreaPortal.features) == 1)
    #expect(await bed.storage.storedMaps().first?.omissions == [])
  }

  @Test func `A map that is accepted in part is done`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let queue = bed.queue()
    let id = try await submitWithoutTiles(bed, to: queue)
    _ = try await end(of: id, in: queue)
    try await queue.acceptAsPartial(id)
    let job = try await queue.job(id)
    #expect(job.state == .succeeded && job.progress.fraction == 1)
    #expect(await bed.storage.storedMaps().first?.omissions.count == 1)
  }

  /// Asks for an area whose tiles are not to be had the first time.
  private func submitWithoutTiles(_ bed: OfflineBed, to queue: JobQueue) async throws -> JobID {
    let gone = #"{"error": {"code": 404, "message": "Not found", "details": []}}"#
    bed.server.answer(data: AreaPortal.tiles, with: [.json(gone)])
    return try await queue.submit(
      kind: OfflineJobKind.preplannedArea.id, subject: "s", title: "Coast",
      parameters: JSONEncoder().encode(bed.area)
    ).job.id
  }

  /// Runs a queue until a job is over.
  private func end(of id: JobID, in queue: JobQueue) async throws -> Job {
    let work = Task { await queue.run() }
    defer { work.cancel() }
    for await jobs in await queue.updates() {
      if let job = jobs.first(where: { $0.id == id }), job.state.isFinal { return job }
    }
    throw CancellationError()
  }
}
