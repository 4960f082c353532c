internal import Foundation
internal import Glibc
internal import PortolanCurl
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTransport
internal import Synchronization

/// The process that is killed: it does one thing to a home, as the app would, and tells on its
/// standard output what it is at.
public struct CrashChild: Sendable {
  private let order: ChildOrder
  private let layout: HomeLayout

  /// Creates a child; `nil` if the command line is not one for a child.
  public init?(_ arguments: [String]) {
    guard let order = ChildOrder(arguments) else { return nil }
    self.order = order
    layout = HomeLayout(home: order.home)
  }

  /// Does what the command line says.
  public func run() async throws {
    tell(.recover)
    try layout.prepare()
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let library = library(storage)
    try await library.recover()
    switch order.act {
    case .download, .update: try await download(into: library)
    case .delete: try await delete(from: library)
    case .undo: try await undo(in: library)
    case .empty: try await library.emptyTrash()
    case .repair: try await repair(library)
    }
    tell(.done)
  }

  private func subject() throws -> MapID {
    guard let id = MapID(order.subject) else { throw CrashTestError.badOrder(order.subject) }
    return id
  }

  private func tell(_ phase: CrashPhase) {
    FileHandle.standardOutput.write(Data("phase \(phase.rawValue)\n".utf8))
  }

  private func library(_ storage: any MapStorage) -> MapLibrary {
    let passed = Mutex(0)
    let death = order.death
    return MapLibrary(
      layout: layout, storage: storage, now: { Date() }, unsentEdits: { _ in 0 },
      report: { step in
        tell(.store)
        FileHandle.standardOutput.write(Data("step \(step.rawValue)\n".utf8))
        guard step == death?.step else { return }
        let count = passed.withLock { count in
          count += 1
          return count
        }
        if count > death?.after ?? 0 { kill(getpid(), SIGKILL) }
      })
  }

  // MARK: - Deleting

  /// A child before this one may have done it, and been killed before it could say so.
  private func delete(from library: MapLibrary) async throws {
    let id = try subject()
    if try await library.deletedMaps().contains(where: { $0.id == id }) { return }
    try await library.delete(id)
  }

  private func undo(in library: MapLibrary) async throws {
    let id = try subject()
    if try await library.maps().contains(where: { $0.id == id }) { return }
    try await library.undoDeletion(of: id)
  }

  // MARK: - Downloading

  private func download(into library: MapLibrary) async throws {
    let queue = queue(library)
    try await queue.restore()
    let parameters = DownloadPreplannedOfflineMapParameters(
      portal: order.portal, webMap: order.webMap, area: order.subject)
    let id = try await queue.submit(OfflineJobOrder(parameters, title: order.subject)).job.id
    let work = Task { await queue.run() }
    defer { work.cancel() }
    var bytes = 0
    for await jobs in await queue.updates() {
      guard let job = jobs.first(where: { $0.id == id }) else { continue }
      if job.progress.bytes > bytes, !job.progress.isVerified { tell(.download) }
      bytes = job.progress.bytes
      guard job.state.isFinal else { continue }
      guard job.state == .succeeded else { throw CrashTestError.jobEnded("\(job.state)") }
      return
    }
  }

  private func queue(_ library: MapLibrary) -> JobQueue {
    let transport = LiveTransport(
      LiveTransport.Configuration(curl: CurlConfiguration(userAgent: "Portolan/crash-test")),
      monitor: FixedNetworkMonitor(.online(isMetered: nil)), now: { Date() }, chance: { 0.5 })
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let environment = OfflineEnvironment(
      library: library,
      connect: { url in
        tell(.ask)
        return Portal(url: url, client: client)
      },
      check: { url in
        tell(.verify)
        return try await MapOpening(folder: order.home).title(of: url)
      },
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: ContinuousClock(), now: { Date() }, chance: { 0.5 },
        makeID: { UUID() }))
    return JobQueue(
      journal: library.storage, runner: OfflineJobRunner(environment),
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { Date() }, makeID: { JobID(UUID()) }))
  }

  // MARK: - Repairing

  private func repair(_ library: MapLibrary) async throws {
    tell(.audit)
    let opening = MapOpening(folder: order.home)
    let audit = LibraryAudit(
      library, check: { try await opening.title(of: $0) }, now: { Date() },
      makeID: { MapID(UUID()) })
    let findings = try await audit.findings()
    let failures = await audit.repair(findings)
    guard failures.isEmpty else {
      throw CrashTestError.notRepaired(failures.map { "\($0.finding): \($0.reason)" })
    }
  }
}
