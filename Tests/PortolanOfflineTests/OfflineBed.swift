import Foundation
import PortolanFiles
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanPortal
import PortolanTestSupport

@testable import PortolanOffline

/// A home, a portal and what works between them, for tests.
struct OfflineBed {
  static let day = Date(timeIntervalSince1970: 1_795_000_000)

  let server = AreaPortal()
  let storage = InMemoryMapStorage()
  let clock = ManualClock()
  let layout: HomeLayout
  let library: MapLibrary
  let environment: OfflineEnvironment
  /// The free space of the disk, in bytes; `nil` where nobody can tell.
  let free: Locked<Int?>
  /// The file that fills the disk as long as it is there.
  let filling: Locked<URL?>

  /// Prepares a home in a folder that has so many bytes free; a file is sound if it begins
  /// with `GOOD`, and a whole map opens unless told otherwise.
  ///
  /// `failing` throws what keeps a file from being opened now. Packages are looked at by `checkPackage`, if
  /// it is given.
  init(
    in folder: URL, free: Int? = nil, opensWhole: Bool = true,
    failing: @escaping @Sendable (URL) throws -> Void = { _ in },
    checkPackage: OfflineEnvironment.PackageCheck? = nil
  ) throws {
    layout = HomeLayout(home: folder.appending(path: "home"))
    try layout.prepare()
    library = MapLibrary(
      layout: layout, storage: storage, now: { Self.day },
      unsentEdits: { try await UnsentEdits.count(in: $0) })
    let portal = try server.portal
    let freeBytes = Locked(free)
    self.free = freeBytes
    let filling = Locked<URL?>(nil)
    self.filling = filling
    environment = OfflineEnvironment(
      library: library, connect: { _ in portal },
      check: { url in
        try failing(url)
        return try Self.check(url, opensWhole)
      },
      checkPackage: checkPackage,
      surroundings: OfflineSurroundings(
        freeSpace: { _ in
          let fills = filling.withLock { $0 }.map { FileSystem.live.exists($0) } ?? false
          return fills ? 0 : freeBytes.withLock { $0 }
        },
        clock: clock, now: { Self.day }, chance: { 0 }, makeID: { UUID() }))
  }

  private static func check(_ url: URL, _ opensWhole: Bool) throws -> String {
    var isFolder: ObjCBool = false
    let path = url.path(percentEncoded: false)
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      guard opensWhole else {
        throw OfflineMapError.damaged(file: url.lastPathComponent, reason: "it does not open.")
      }
      return "map"
    }
    let text = try String(contentsOf: url, encoding: .utf8)
    guard text.hasPrefix("GOOD") else {
      throw OfflineMapError.damaged(file: url.lastPathComponent, reason: "it is not good.")
    }
    return text
  }

  var area: DownloadPreplannedOfflineMapParameters {
    get throws {
      DownloadPreplannedOfflineMapParameters(
        portal: try server.portal.url, webMap: AreaPortal.webMap, area: AreaPortal.area)
    }
  }

  func package(_ item: String = AreaPortal.package) throws -> DownloadMobileMapPackageParameters {
    DownloadMobileMapPackageParameters(portal: try server.portal.url, item: item)
  }

  func job(_ name: String, _ kind: String, _ parameters: some Encodable) throws -> Job {
    Job(
      id: JobID(name) ?? JobID(UUID()), kind: kind, subject: name, title: name,
      parameters: try JSONEncoder().encode(parameters), created: Self.day, position: 0)
  }

  func order(_ parameters: some OfflineJobParameters) throws -> OfflineJobOrder {
    try OfflineJobOrder(parameters, title: "Coast")
  }

  /// A queue as another process would make one.
  func queue() -> JobQueue {
    JobQueue(
      journal: storage, runner: OfflineJobRunner(environment),
      environment: JobEnvironment(clock: clock, now: { Self.day }, makeID: { JobID(UUID()) }))
  }

  func run(
    _ job: Job, checkpoint: @escaping @Sendable (Data?) -> Void = { _ in }
  ) async -> Result<JobOutcome, JobInterruption> {
    let reporter = JobReporter(
      progress: { _ in }, message: { _, _ in }, checkpoint: { checkpoint($0) })
    do throws(JobInterruption) {
      return .success(try await OfflineJobRunner(environment).run(job, reporter: reporter))
    } catch {
      return .failure(error)
    }
  }
}
