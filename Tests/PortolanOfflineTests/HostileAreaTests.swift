import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanPackages
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanOffline

/// Downloads from portals that lie, and over files that were damaged.
@Suite(.temporaryDirectory) struct HostileAreaTests {
  private static let kind = OfflineJobKind.preplannedArea.id

  @Test(arguments: [
    "../../../maps/victim/p13/x", "../../victim", "..", "/etc/passwd", "a.b", "a\\u0000b", "",
  ])
  func `An id that could be a path touches no other map`(_ id: String) async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let victim = bed.layout.folder(.maps).appending(path: "victim/p13/x.geodatabase")
    try FileManager.default.createDirectory(
      at: victim.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("GOOD edits".utf8).write(to: victim)
    let package = """
      {"relatedItems": [{"id": "\(id)", "type": "SQLite Geodatabase", "title": "Features",
       "size": 3, "modified": 1,
       "properties": {"url": "http://server.example/services/Parks/FeatureServer"}}]}
      """
    bed.server.answer(
      path: "/content/items/\(AreaPortal.area)/relatedItems", with: [.json(package)])
    let result = await bed.run(try bed.job("job-1", Self.kind, bed.area))
    guard case .failure(.failed) = result else {
      Issue.record("ended as \(result)")
      return
    }
    #expect(try Data(contentsOf: victim) == Data("GOOD edits".utf8))
    #expect(bed.layout.contents(of: .staging).isEmpty)
    #expect(await bed.storage.storedMaps().isEmpty)
  }

  @Test(arguments: ["9223372036854775807", "-1", "1e300"])
  func `Sizes that no file can have are as good as none`(_ size: String) async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let packages = [AreaPortal.features, AreaPortal.tiles].map { id in
      """
      {"id": "\(id)", "type": "SQLite Geodatabase", "title": "\(id)", "size": \(size),
       "modified": 1, "properties": {"url": "http://server.example/services/Parks/FeatureServer"}}
      """
    }
    bed.server.answer(
      path: "/content/items/\(AreaPortal.area)/relatedItems",
      with: [.json(#"{"relatedItems": [\#(packages.joined(separator: ","))]}"#)])
    for id in [AreaPortal.features, AreaPortal.tiles] {
      let item = #"{"id": "\#(id)", "type": "SQLite Geodatabase", "title": "T", "size": \#(size)}"#
      bed.server.answer(path: "/content/items/\(id)", with: [.json(item)])
    }
    let estimate = try await bed.environment.estimate(bed.order(bed.area))
    #expect(estimate.files.count == 2 && estimate.bytesToFetch == 0 && !estimate.isExact)
  }

  @Test func `A file that was damaged between two runs is fetched again`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    bed.server.answer(data: AreaPortal.tiles, with: [.error(.offline)])
    let job = try bed.job("job-1", Self.kind, bed.area)
    #expect(await bed.run(job) == .failure(.waiting(.network)))
    let staged = bed.layout.staging("job-1")
      .appending(path: "p13/\(AreaPortal.features).geodatabase")
    #expect(try Data(contentsOf: staged) == Data("GOOD features".utf8))
    try Data("BAD! features".utf8).write(to: staged)
    #expect(try await bed.run(job).get().isComplete)
    #expect(bed.server.downloads(of: AreaPortal.features) == 2)
    let map = try #require(await bed.storage.storedMaps().first)
    let stored = bed.layout.place(of: map)
      .appending(path: "p13/\(AreaPortal.features).geodatabase")
    #expect(try Data(contentsOf: stored) == Data("GOOD features".utf8))
  }

  @Test(arguments: [
    (
      PackageError.unreadable(file: "a", reason: "too many open files") as any Error,
      JobInterruption.failed(
        JobFailure(
          message: "a cannot be read: too many open files.",
          advice: "Check that the file exists and that you may read it.", kind: .device))
    ),
    (PackageError.noSpace(file: "a", needed: 9, available: 2), .waiting(.space(missing: 7))),
    (CancellationError(), .stopped),
  ])
  func `A file that cannot be opened now is neither left out nor fetched again`(
    _ error: any Error, _ interruption: JobInterruption
  ) async throws {
    let isFailing = Mutex(true)
    let bed = try OfflineBed(in: temporaryDirectory) { url in
      guard url.pathExtension == "geodatabase", isFailing.withLock(\.self) else { return }
      throw error
    }
    let job = try bed.job("job-1", Self.kind, bed.area)
    // Once it has arrived, and once it is found in its place.
    for _ in 1...2 { #expect(await bed.run(job) == .failure(interruption)) }
    #expect(await bed.storage.storedMaps().isEmpty)
    isFailing.withLock { $0 = false }
    #expect(try await bed.run(job).get().isComplete)
    #expect(bed.server.downloads(of: AreaPortal.features) == 1)
  }

  @Test func `What a download left beside a whole file does not become a part of the map`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    bed.server.answer(data: AreaPortal.tiles, with: [.error(.offline)])
    let job = try bed.job("job-1", Self.kind, bed.area)
    #expect(await bed.run(job) == .failure(.waiting(.network)))
    let name = "\(AreaPortal.features).geodatabase"
    let staged = bed.layout.staging("job-1").appending(path: "p13")
    // As when the folder could not be synced after the file had taken its place.
    try Data("{}".utf8).write(to: staged.appending(path: "\(name).part.json"))
    #expect(try await bed.run(job).get().isComplete)
    #expect(bed.server.downloads(of: AreaPortal.features) == 1)
    let map = try #require(await bed.storage.storedMaps().first)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: bed.layout.place(of: map).appending(path: "p13").path(percentEncoded: false))
    #expect(files.contains(name) && !files.contains { $0.contains(".part") }, "\(files)")
  }

  @Test func `What a download left of a file that failed does not become a part of the map`()
    async throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    bed.server.answer(
      data: AreaPortal.tiles,
      with: [.json(#"{"error": {"code": 400, "message": "Item does not exist."}}"#)])
    let outcome = try await bed.run(try bed.job("job-1", Self.kind, bed.area)).get()
    #expect(!outcome.isComplete)
    let map = try #require(await bed.storage.storedMaps().first)
    let folder = bed.layout.place(of: map).appending(path: "p13")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(!names.contains { $0.contains(".part") }, "\(names)")
    // One that is there nevertheless is not written to by the next download.
    let part = folder.appending(path: "\(AreaPortal.tiles).tpk.part")
    try Data("begun".utf8).write(to: part)
    #expect(try await bed.run(try bed.job("job-2", Self.kind, bed.area)).get().isComplete)
    #expect(try Data(contentsOf: part) == Data("begun".utf8))
  }

  @Test func `A list of files that leads out of its folder removes nothing there`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    bed.server.answer(data: AreaPortal.tiles, with: [.error(.offline)])
    let job = try bed.job("job-1", Self.kind, bed.area)
    #expect(await bed.run(job) == .failure(.waiting(.network)))
    let victim = bed.layout.folder(.maps).appending(path: "victim/1/x")
    try FileManager.default.createDirectory(
      at: victim.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: victim)
    // As a folder of somebody else's may have it.
    try Data(#"{"versions": {"../../maps/victim/1/x": {}}}"#.utf8)
      .write(to: bed.layout.staging("job-1").appending(path: "portolan.json"))
    #expect(try await bed.run(job).get().isComplete)
    #expect(try Data(contentsOf: victim) == Data("mine".utf8))
  }

  @Test func `A map whose files are sound but which does not open is not installed`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory, opensWhole: false)
    guard
      case .failure(.failed(let failure)) = await bed.run(
        try bed.job("job-1", Self.kind, bed.area))
    else {
      Issue.record("a map that does not open was installed")
      return
    }
    #expect(failure.kind == .damaged)
    #expect(await bed.storage.storedMaps().isEmpty)
    #expect(bed.layout.contents(of: .maps).isEmpty)
  }

  @Test func `A server whose name is not found is waited for`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    bed.server.answer(data: AreaPortal.tiles, with: [.error(.unknownHost("portal.example"))])
    let job = try bed.job("job-1", Self.kind, bed.area)
    #expect(await bed.run(job) == .failure(.waiting(.network)))
  }

  @Test func `Each kind of job is known by one name, and the same order is the same bytes`() throws
  {
    let bed = try OfflineBed(in: temporaryDirectory)
    #expect(Set(OfflineJobKind.all.map(\.id)).count == OfflineJobKind.all.count)
    let orders = try (1...20).map { _ in try bed.order(bed.area) }
    #expect(Set(orders).count == 1 && orders.first?.kind == "preplanned-area")
    #expect(orders.first?.subject == AreaPortal.area)
  }
}
