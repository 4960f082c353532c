import Foundation
import Glibc
import PortolanFiles
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanOffline
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// The data that the screens of a library leave as they are, and the work that they try again.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct LibraryGuardTests {
  private func list(
    _ home: SmallLibrary, portals: any PortalConnecting = NoPortal()
  ) async throws -> MapListModel {
    let list = MapListModel(
      library: home.library, portals: portals, monitor: SwitchableNetworkMonitor())
    try await list.load()
    return list
  }

  @Test func `A file is replaced by an export only where that is asked for`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    try await home.store("a")
    let list = try await list(home)
    let folder = temporaryDirectory.appending(path: "exports")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let target = folder.appending(path: "mine.mmpk")
    try Data("mine".utf8).write(to: target)
    await #expect(throws: Problem.self) { try await list.export("a", to: target) }
    #expect(try Data(contentsOf: target) == Data("mine".utf8))
    let export = try await list.export("a", to: target, replacing: true)
    #expect(try export.byteCount > 4 && FileStatus(at: target)?.byteCount == export.byteCount)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["mine.mmpk"], "nothing else is left there")
  }

  @Test func `An export clears up what is abandoned, and nothing that another one works in`() throws
  {
    let target = temporaryDirectory.appending(path: "a.mmpk")
    let first = try ExportStaging(beside: target, id: UUID())
    try Data("part".utf8).write(to: first.folder.appending(path: "part"))
    let second = try ExportStaging(beside: target, id: UUID())
    #expect(FileSystem.live.exists(first.folder.appending(path: "part")))
    let abandoned = temporaryDirectory.appending(path: ".portolan-export-dead")
    try FileManager.default.createDirectory(at: abandoned, withIntermediateDirectories: true)
    second.remove()
    let third = try ExportStaging(beside: target, id: UUID())
    #expect(!FileSystem.live.exists(abandoned) && !FileSystem.live.exists(second.folder))
    #expect(FileSystem.live.exists(first.folder.appending(path: "part")))
    for staging in [first, third] { staging.remove() }
  }

  @Test func `An export does not work in a folder that another one is about to remove`() throws {
    let id = UUID()
    let name = ".portolan-export-\(id.uuidString.lowercased())"
    let folder = temporaryDirectory.appending(path: name, directoryHint: .isDirectory)
    try FileSystem.live.createFolder(folder)
    // Another export took it for abandoned before it was locked.
    let remover = try #require(try FileLock.attempt(.exclusive, on: .item(folder)))
    let removed = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      usleep(50_000)
      #expect(throws: Never.self) { try FileSystem.live.erase(folder) }
      remover.release()
      removed.signal()
    }
    let staging = try ExportStaging(beside: temporaryDirectory.appending(path: "a.mmpk"), id: id)
    removed.wait()
    #expect(FileSystem.live.exists(staging.folder))
    #expect(try FileLock.attempt(.exclusive, on: .item(staging.folder)) == nil)
    staging.remove()
    #expect(!FileSystem.live.exists(folder))
  }

  @Test func `A library that failed to open is opened again at the next request`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let opener = LateOpening(library: home.library)
    let screens = LibraryScreens(
      opener: opener, portals: NoPortal(), monitor: SwitchableNetworkMonitor())
    await #expect(throws: Problem.self) { _ = try await screens.maps() }
    _ = try await screens.maps()
    _ = try await screens.jobs()
    #expect(opener.openings.withLock { $0 } == 2)
  }

  @Test func `A library opens even if it is unknown who works on its jobs`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let map = try await home.store("a")
    let (library, day) = (home.library, SmallLibrary.day)
    let job = Job(
      id: try #require(JobID("job")), kind: "k", subject: "s", title: "Download",
      parameters: Data(),
      created: day, position: 0)
    _ = try await library.storage.add(job)
    let queue = JobQueue(
      journal: library.storage, runner: OfflineJobRunner(library.offline), claims: LockedClaims(),
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { day }, makeID: { JobID(UUID()) }))
    let opened = HomeLibrary(
      offline: library.offline, queue: queue, audit: library.audit, packages: library.packages)
    let screens = LibraryScreens(
      opener: LateOpening(library: opened, openings: Locked(1)), portals: NoPortal(),
      monitor: SwitchableNetworkMonitor())
    let maps = try await screens.maps()
    try await maps.load()
    #expect(maps.list.stored == [map])
    #expect(await queue.jobs.map(\.title) == ["Download"])
  }

  @Test func `A map whose portal does not answer is not reported as current`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let (storage, day) = (home.library.storage, SmallLibrary.day)
    let portal = try #require(URL(string: "https://portal.example"))
    try await storage.save(
      KnownMap(id: "w", portal: portal, title: "W", summary: nil, modified: day, seen: day))
    try await storage.save(
      [KnownArea(id: "a", webMap: "w", title: "A", status: .complete, modified: day, seen: day)],
      of: "w")
    try await storage.save(
      StoredMap(
        id: try #require(MapID("a")), origin: .preplannedArea(webMap: "w", area: "a"),
        form: .folder, title: "A", portal: portal, installed: day, sourceModified: day,
        byteCount: 1))
    let list = try await list(home, portals: SilentPortal(url: portal))
    #expect(try await list.checkUpdates().map(\.freshness.word) == ["unknown"])
    #expect(try await list.startUpdates().map(\.outcome) == [.failed])
  }

  @Test func `An audit that ends late does not take the place of one that was started after it`()
    async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    try await home.store("a")
    let (gate, isDamaged, library) = (Gate(), Locked(false), home.library)
    let audit = LibraryAudit(
      library.maps,
      check: { url in
        await gate.pass()
        guard isDamaged.withLock({ !$0 }) else { throw CocoaError(.fileReadCorruptFile) }
        return url.lastPathComponent
      }, now: { SmallLibrary.day }, makeID: { MapID(UUID()) })
    let storage = StorageModel(
      library: HomeLibrary(
        offline: library.offline, queue: library.queue, audit: audit, packages: library.packages))
    let deep = Task { try await storage.audit(.deep) }
    await gate.isReached()
    isDamaged.withLock { $0 = true }
    let quick = try await storage.audit()
    #expect(quick.findings.count == 1)
    isDamaged.withLock { $0 = false }
    await gate.open()
    #expect(try await deep.value.findings.isEmpty)
    #expect(storage.findings == quick.findings)
    #expect(try await storage.repair().findings == quick.findings)
  }

  @Test func `A home that did not open is opened once more, however many ask for it again`()
    async throws
  {
    let opener = RefusedOpening()
    let screens = LibraryScreens(
      opener: opener, portals: NoPortal(), monitor: SwitchableNetworkMonitor())
    let (asked, asking) = AsyncStream.makeStream(of: Void.self)
    let tasks = (1...2).map { _ in
      Task {
        for _ in 1...2 {
          asking.yield()
          // That it is refused is not what is looked at.
          _ = try? await screens.maps()
        }
      }
    }
    var iterator = asked.makeAsyncIterator()
    for _ in tasks { await iterator.next() }
    await opener.gate.isReached()
    await opener.gate.open()
    for task in tasks { await task.value }
    #expect(opener.openings.withLock { $0 } == 2)
  }

  @Test func `What a deep repair could not do is reported even if a quick check does not find it`()
    async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    let map = try await home.store("a")
    let lease = try await home.library.maps.open(map.id)
    let part = lease.url.appending(path: "p13/tiles.tpkx")
    let date = try #require(try FileStatus(at: part)?.modified)
    try Data("tales".utf8).write(to: part)
    let time = timespec(tv_sec: Int(date / 1_000_000_000), tv_nsec: Int(date % 1_000_000_000))
    let isDated = unsafe utimensat(AT_FDCWD, part.path, [time, time], 0) == 0
    try #require(isDated)
    let storage = StorageModel(library: home.library)
    let deep = try await storage.audit(.deep)
    #expect(storage.findings?.count == 1 && deep.findings.count == 1)
    // Another page looks less closely meanwhile: each repairs what it has found.
    let quick = try await storage.audit()
    #expect(quick.findings.isEmpty && storage.findings == [])
    #expect(try await storage.repair(quick.number).findings.isEmpty)
    let repair = try await storage.repair(deep.number)
    #expect(repair.failures.count == 1 && repair.left.count == 1)
    #expect(try await storage.repair().findings == deep.findings, "the last one, after repairing")
    await #expect(throws: Problem.self) { try await storage.repair(99) }
    #expect(try await home.library.maps.maps() == [map])
    withExtendedLifetime(lease) {}
  }
}

/// A portal that does not answer.
private struct SilentPortal: PortalConnecting {
  let url: URL

  func portal(at _: URL?) async throws(PortalError) -> Portal {
    let transport = StubTransport { _ throws(TransportError) in
      throw .unknownHost("portal.example")
    }
    return Portal(
      url: url,
      client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
  }
}

/// Claims in a file that cannot be opened.
private struct LockedClaims: JobClaims {
  private static let error = JobError.journal(file: "jobs.lock", reason: "permission denied")

  func claim(_ id: JobID) throws(JobError) -> JobClaim? { throw Self.error }

  func isClaimed(_ id: JobID) throws(JobError) -> Bool { throw Self.error }

  func attend() throws(JobError) -> JobClaim { throw Self.error }

  func workers() throws(JobError) -> [JobWorker] { throw Self.error }
}

/// Opens no library, and takes its time to say so first.
private struct RefusedOpening: LibraryOpening {
  let gate = Gate()
  let openings = Locked(0)
  let exists = true

  func open(
    tell: @escaping @Sendable (HomeLockNotice) -> Void
  ) async throws(LibraryError) -> HomeLibrary {
    openings.withLock { $0 += 1 }
    await gate.pass()
    throw .diskFull(file: "library.sqlite")
  }

  func damage() async -> CatalogueDamage? { nil }

  func rebuild() async throws(LibraryError) {}
}

/// Opens a library only the second time.
private struct LateOpening: LibraryOpening {
  let library: HomeLibrary
  var openings = Locked(0)
  let exists = true

  func open(
    tell: @escaping @Sendable (HomeLockNotice) -> Void
  ) async throws(LibraryError) -> HomeLibrary {
    let count = openings.withLock { openings in
      openings += 1
      return openings
    }
    guard count > 1 else { throw .diskFull(file: "library.sqlite") }
    return library
  }

  func damage() async -> CatalogueDamage? { nil }

  func rebuild() async throws(LibraryError) {}
}
