import Foundation
import PortolanApp
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import PortolanPortal
import PortolanTransport

/// Opening a list of 10,000 stored maps.
struct LibraryBenchmark: BenchmarkSuite {
  let name = "library"

  private static let count = 10_000
  private static let day = Date(timeIntervalSince1970: 1_795_000_000)

  func run(_ bed: BenchmarkBed) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "portolan-benchmark-\(UUID().uuidString)")
    let layout = HomeLayout(home: folder)
    try layout.prepare()
    defer { try? FileManager.default.removeItem(at: folder) }  // A temporary folder.
    try await Self.fill(layout)
    await Contest(
      job: "A list of \(Self.count) stored maps, each",
      contenders: [
        .ours("Portolan, catalogue opened and read", count: Self.count) {
          let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
          try Self.check(try await storage.storedMaps().count)
        },
        .ours("Portolan, the same and the rows of the screen", count: Self.count) {
          let model = try await Self.model(layout)
          try await model.load()
          try Self.check(await model.state.items.count)
        },
        .command(
          "Python: sqlite3, the same columns",
          "/usr/bin/python3 -c \"\(Self.python(layout))\"", /([\d.]+) us/),
      ]
    ).run(on: bed)
  }

  private static func check(_ found: Int) throws {
    guard found == count else { throw BenchmarkError("\(found) maps were found") }
  }

  /// Areas of a hundred web maps, as a portal of a large organization has them.
  private static func fill(_ layout: HomeLayout) async throws {
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    var maps: [StoredMap] = []
    for number in 0..<count {
      let id = MapID(UUID())
      maps.append(
        StoredMap(
          id: id, origin: .preplannedArea(webMap: "web-map-\(number % 100)", area: id.text),
          form: .folder, title: "Area \(number) of some county",
          summary: "Roads, trails, water and what else a crew needs to know of area \(number).",
          portal: URL(string: "https://maps.example.org/portal"), installed: day,
          sourceModified: day, byteCount: 14_000_000 + number))
    }
    try await storage.save(maps)
  }

  @MainActor
  private static func model(_ layout: HomeLayout) async throws -> MapListModel {
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let library = MapLibrary(
      layout: layout, storage: storage, now: { day }, unsentEdits: { _ in 0 })
    let offline = OfflineEnvironment(
      library: library, connect: { _ throws(PortalError) in throw .cancelled },
      check: { $0.lastPathComponent },
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: ContinuousClock(),
        now: { day }, chance: { 0 }, makeID: { UUID() }))
    let queue = JobQueue(
      journal: storage, runner: OfflineJobRunner(offline),
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { day }, makeID: { JobID(UUID()) }))
    let audit = LibraryAudit(
      library, check: { $0.lastPathComponent }, now: { day }, makeID: { MapID(UUID()) })
    return MapListModel(
      library: HomeLibrary(
        offline: offline, queue: queue, audit: audit,
        packages: FilePackageOpener(unpackingInto: layout.home)), portals: NoPortals(),
      monitor: FixedNetworkMonitor(.offline(.asked)))
  }

  private static func python(_ layout: HomeLayout) -> String {
    """
    import sqlite3, time
    t = time.perf_counter()
    c = sqlite3.connect('\(layout.catalogue.path(percentEncoded: false))')
    r = c.execute('SELECT id, title, form, origin, origin_map, origin_item, summary, portal,'
      ' installed, source_modified, byte_count FROM stored_map ORDER BY title, id').fetchall()
    print((time.perf_counter() - t) / len(r) * 1e6, 'us')
    """
  }
}

/// No library is asked for a list of what is stored.
private struct NoPortals: PortalConnecting {
  func portal(at url: URL?) async throws(PortalError) -> Portal { throw .cancelled }
}
