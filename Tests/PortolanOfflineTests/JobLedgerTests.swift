import Foundation
import PortolanJSON
import PortolanJobs
import PortolanLocks
import PortolanMap
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline
@testable import PortolanTransport

/// The notes of jobs on parts that they could not bring, and on their progress.
@Suite(.temporaryDirectory) struct JobLedgerTests {
  private let server = AreaPortal()

  private func job(attempts: Int = 0, _ failed: [JobFailedItem] = []) throws -> Job {
    var job = Job(
      id: try #require(JobID("job-1")), kind: "k", subject: "s", title: "Coast", parameters: Data(),
      created: OfflineBed.day, position: 0)
    job.attempts = attempts
    job.failedItems = failed
    return job
  }

  private func file(_ id: String, _ title: String, byteCount: Int? = nil) throws -> PlannedFile {
    var json: JSONObject = [
      "id": .string(id), "type": "Tile Package", "title": .string(title),
    ]
    json["size"] = byteCount.map { .integer(Int64($0)) }
    return PlannedFile(
      try #require(PortalItem(json: .object(json))), of: try server.portal, as: .tilePackage,
      in: "p13", affects: ["Base"])
  }

  private static func address(_ item: String) -> String {
    "https://portal.example/sharing/rest/content/items/\(item)/data"
  }

  private static let busy = JobFailure(message: "Busy.", kind: .transient)
  private static let gone = JobFailure(message: "Gone.", kind: .absent)
  private static let overload = PortalError.server(
    "a", ErrorEnvelope(code: 503, message: "Busy."))

  // MARK: - Areas

  @Test func `A package that fails is listed with its address, its code and all its attempts`()
    throws
  {
    let before = JobFailedItem(
      name: "Before", address: Self.address(AreaPortal.tiles), attempts: 2, failure: Self.busy)
    var ledger = AreaLedger(try job(attempts: 1, [before]))
    let (first, second) = (
      try file(AreaPortal.tiles, "Tiles"), try file(AreaPortal.vectorTiles, "Tiles")
    )
    ledger.add(first, FileFailure(error: Self.overload, attempts: 1), Self.busy)
    ledger.add(second, FileFailure(error: CancellationError(), attempts: 2), Self.gone)
    #expect(
      ledger.items == [
        JobFailedItem(
          name: "Tiles", address: Self.address(AreaPortal.tiles), status: 503, attempts: 4,
          affects: ["Base"], failure: Self.busy),
        JobFailedItem(
          name: "Tiles (\(AreaPortal.vectorTiles))", address: Self.address(AreaPortal.vectorTiles),
          attempts: 2, affects: ["Base"], failure: Self.gone),
      ])
  }

  @Test(arguments: [(0, true), (1, true), (2, false)])
  func `A failure that passes is worth two more runs, and no other is worth any`(
    _ attempts: Int, _ isWorthIt: Bool
  ) throws {
    var area = AreaLedger(try job(attempts: attempts))
    area.add(
      try file(AreaPortal.tiles, "Tiles"), FileFailure(error: Self.overload, attempts: 1), Self.gone
    )
    #expect(area.worthAnotherRun == nil)
    area.add(
      try file(AreaPortal.features, "Features"), FileFailure(error: Self.overload, attempts: 1),
      Self.busy)
    #expect(area.worthAnotherRun == (isWorthIt ? Self.busy : nil))
    var map = OnDemandLedger(try job(attempts: attempts), continuesOnErrors: true)
    _ = try map.add(part("a"), OfflineMapError.serverJobFailed(service: "a", reason: "b"))
    #expect(map.worthAnotherRun == nil)
    let failure = try map.add(part("b"), Self.overload)
    #expect(map.worthAnotherRun == (isWorthIt ? failure : nil))
  }

  @Test func `A layer that no package contains is reported once, by title`() {
    let layers = ["https://a.example/FeatureServer/1?token=x", nil].map { address in
      AreaLayers.Entry(
        title: "Weather", addresses: [address].compactMap(\.self), role: .operational)
    }
    let other = AreaLayers.Entry(title: "Clouds", addresses: [], role: .operational)
    let items = AreaLedger.online(layers + [other], outside: [])
    #expect(items.map(\.name) == ["Weather", "Clouds"])
    #expect(items.map(\.address) == ["https://a.example/FeatureServer/1", nil])
    #expect(items.map(\.affects) == [["Weather"], ["Clouds"]])
    #expect(items.allSatisfy { $0.attempts == 0 && !$0.isFailure })
  }

  // MARK: - Maps on demand

  private func part(_ name: String, affects: [String] = ["Roads"]) throws -> OnDemandPart {
    OnDemandPart(
      id: name, url: try #require(URL(string: "https://a.example/\(name)/FeatureServer?token=x")),
      work: .tiles(ExportTileCacheParameters(areaOfInterest: DemoBed.casco, levelIDs: [])),
      affects: affects)
  }

  @Test func `A part that fails is listed under a name of its own, with all its attempts`() throws {
    var ledger = OnDemandLedger(try job(attempts: 2), continuesOnErrors: true)
    let refusal = OfflineMapError.serverJobFailed(service: "a", reason: "b")
    _ = try ledger.add(part("a"), Self.overload)
    _ = try ledger.add(part("b"), refusal)
    _ = try ledger.add(part("c", affects: ["Roads", "Paths"]), refusal)
    #expect(ledger.failedParts == ["a", "b", "c"])
    #expect(ledger.items.map(\.name) == ["Roads", "Roads (2)", "Roads (3)"])
    #expect(ledger.items.map(\.attempts) == [3, 1, 1])
    #expect(ledger.items.map(\.status) == [503, nil, nil])
    #expect(
      ledger.items.map(\.address)
        == ["a", "b", "c"].map { "https://a.example/\($0)/FeatureServer" })
    #expect(ledger.items.map(\.affects) == [["Roads"], ["Roads"], ["Roads", "Paths"]])
    #expect(ledger.items.map(\.failure.kind) == [.transient, .refused, .refused])
  }

  @Test func `Features without shapes are reported layer by layer, and fail no part`() throws {
    var ledger = OnDemandLedger(try job(), continuesOnErrors: true)
    ledger.add(try part("a"), unreadableShapes: ["Roads": 3, "Huts": 1])
    #expect(ledger.failedParts.isEmpty)
    #expect(
      ledger.items.map(\.sentence) == [
        "Huts: A feature of Huts came without its shape, which cannot be read.",
        "Roads: 3 features of Roads came without their shapes, which cannot be read.",
      ])
    #expect(ledger.items.map(\.affects) == [["Huts"], ["Roads"]])
    #expect(ledger.items.allSatisfy { $0.failure.kind == .damaged && $0.attempts == 1 })
  }

  // MARK: - Progress

  @Test func `Sizes that no file has still add up`() async throws {
    let told = Locked<[JobProgress]>([])
    let reporter = JobReporter(
      progress: { progress in told.withLock { $0.append(progress) } }, message: { _, _ in },
      checkpoint: { _ in })
    let files = [
      try file(AreaPortal.tiles, "Tiles"), try file(AreaPortal.features, "Features"),
    ]
    let progress = TransferProgress(files, reporter: reporter)
    for file in files {
      let (updates, continuation) = AsyncStream<DownloadProgress>.makeStream()
      continuation.yield(DownloadProgress(received: 1, total: .max, resumedFrom: 0))
      continuation.finish()
      await progress.follow(updates, of: file)
    }
    #expect(told.withLock(\.self).map(\.bytes) == [1, 2])
    #expect(told.withLock(\.self).last?.totalBytes == 1 << 51)
  }

  @Test func `The progress of a download sums its files, and is exact once all sizes are known`()
    async throws
  {
    let told = Locked<[JobProgress]>([])
    let reporter = JobReporter(
      progress: { progress in told.withLock { $0.append(progress) } }, message: { _, _ in },
      checkpoint: { _ in })
    let (known, unknown) = (
      try file(AreaPortal.tiles, "Tiles", byteCount: 10), try file(AreaPortal.features, "Features")
    )
    let progress = TransferProgress([known, unknown], reporter: reporter)
    let (updates, continuation) = AsyncStream<DownloadProgress>.makeStream()
    continuation.yield(DownloadProgress(received: 3, total: nil, resumedFrom: 0))
    continuation.yield(DownloadProgress(received: 5, total: 20, resumedFrom: 0))
    continuation.finish()
    await progress.follow(updates, of: unknown)
    await progress.done(known, at: temporaryDirectory.appending(path: "missing"))
    let file = temporaryDirectory.appending(path: "file")
    try Data("four".utf8).write(to: file)
    await progress.done(unknown, at: file)
    await progress.finish()
    #expect(
      told.withLock(\.self) == [
        JobProgress(bytes: 3, totalBytes: 10, totalItems: 2),
        JobProgress(bytes: 5, totalBytes: 30, isTotalExact: true, totalItems: 2),
        JobProgress(bytes: 15, totalBytes: 30, isTotalExact: true, items: 1, totalItems: 2),
        JobProgress(bytes: 14, totalBytes: 14, isTotalExact: true, items: 2, totalItems: 2),
        JobProgress(
          bytes: 14, totalBytes: 14, isTotalExact: true, items: 2, totalItems: 2, isVerified: true),
      ])
  }
}
