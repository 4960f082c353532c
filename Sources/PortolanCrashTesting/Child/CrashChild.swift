internal import Foundation
internal import PortolanApp
internal import PortolanLibrary
internal import PortolanOffline
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The process that is killed: it does one thing to a home, as the app would, and reports on its
/// standard output what it is doing.
public struct CrashChild: Sendable {
  let order: ChildOrder
  let layout: HomeLayout

  /// Creates a child; `nil` if the command line is not one for a child.
  public init?(_ arguments: [String]) {
    guard let order = ChildOrder(arguments) else { return nil }
    self.order = order
    layout = HomeLayout(home: order.home)
  }

  /// Does what the command line says.
  public func run() async throws {
    report(.recover)
    try layout.prepare()
    // A process may have died while it made the catalogue.
    if order.act == .rebuild { _ = try await CatalogueRepair(layout).rebuild() }
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let library = library(storage)
    try await library.recover()
    do { try await work(on: library) } catch let error as LibraryError {
      guard let refusal = ChildRefusal(error) else { throw error }
      report("refused \(refusal.rawValue)")
    }
    report(.done)
  }

  private func work(on library: MapLibrary) async throws {
    switch order.act {
    case .download, .update: try await download(into: library)
    case .rollBack: try await rollBack(in: library)
    case .edit: try await edit(in: library)
    case .takeBack: try await takeBack(in: library)
    case .putBack: try await putBack(in: library)
    case .read: try await read(in: library)
    case .delete: try await delete(from: library, discardingEdits: false)
    case .discard: try await delete(from: library, discardingEdits: true)
    case .undo: try await undo(in: library)
    case .empty: try await library.emptyTrash()
    case .repair: try await repair(library)
    case .cancel: try await cancelDownload(in: library)
    case .pause: try await pauseDownload(in: library)
    case .forget: try await forgetJobs(in: library)
    case .export: try await export(from: library)
    case .bringIn: try await bringIn(to: library, onConflict: .skip)
    case .replace: try await bringIn(to: library, onConflict: .replace)
    case .rebuild: try await rebuild(library)
    case .take: try await take(into: library)
    case .renew: try await renew(in: library)
    case .share: try await share(in: library)
    case .sync: try await synchronize(in: library)
    case .decide: try await decide(in: library)
    }
  }

  func subject() throws -> MapID {
    guard let id = MapID(order.subject) else { throw CrashTestError.badOrder(order.subject) }
    return id
  }

  func report(_ phase: CrashPhase) { report("phase \(phase.rawValue)") }

  /// Writes a line for the parent, at once: the process may die right after it.
  func report(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private func library(_ storage: any MapStorage) -> MapLibrary {
    let passed = Mutex(0)
    let death = order.death
    return MapLibrary(
      layout: layout, storage: storage, now: { Date() },
      unsentEdits: { try await UnsentEdits.count(in: $0) },
      report: { step in
        report(.store)
        report("step \(step.rawValue)")
        guard step == death?.step else { return }
        let count = passed.withLock { count in
          count += 1
          return count
        }
        if count > death?.after ?? 0 { kill(getpid(), SIGKILL) }
      })
  }

  // MARK: - Versions and deleting

  /// A child before this one may have done it, and been killed before it could report so.
  private func rollBack(in library: MapLibrary) async throws {
    let id = try subject()
    guard let map = try await library.maps().first(where: { $0.id == id }),
      map.version == order.version
    else { return }
    try await library.rollBack(id)
  }

  private func delete(from library: MapLibrary, discardingEdits: Bool) async throws {
    let id = try subject()
    if try await library.deletedMaps().contains(where: { $0.id == id }) { return }
    try await library.delete(id, discardingEdits: discardingEdits)
  }

  private func undo(in library: MapLibrary) async throws {
    let id = try subject()
    if try await library.maps().contains(where: { $0.id == id }) { return }
    try await library.undoDeletion(of: id)
  }

  // MARK: - Repairing

  func audit(_ library: MapLibrary) -> LibraryAudit {
    let opening = MapOpening(folder: order.home)
    return LibraryAudit(
      library, check: { try await opening.auditedTitle(of: $0) }, now: { Date() },
      makeID: { MapID(UUID()) })
  }

  /// Puts the first of what was set aside on the list; a child before this one may have done so.
  private func putBack(in library: MapLibrary) async throws {
    guard let kept = try await library.keptMaps().first else { return }
    report(.copy)
    let turn = try await library.holdTitles()
    defer { turn.release() }
    _ = try await audit(library).putBack(kept.name)
  }

  private func repair(_ library: MapLibrary) async throws {
    report(.audit)
    let audit = audit(library)
    try await repair(try await audit.findings(), audit)
  }

  private func repair(_ findings: [LibraryFinding], _ audit: LibraryAudit) async throws {
    // What cannot be read now stays as it is, and the next repair sees what it is.
    let unread = findings.filter { if case .unreadable = $0 { true } else { false } }
    let failures = await audit.repair(findings) + unread.map { ($0, "It cannot be read now.") }
    guard failures.isEmpty else {
      throw CrashTestError.notRepaired(failures.map { "\($0.finding): \($0.reason)" })
    }
  }

  /// Puts the maps of a home that has lost its catalogue on the list again.
  private func rebuild(_ library: MapLibrary) async throws {
    report(.audit)
    let audit = audit(library)
    // Versions before are found once the current ones are on the list.
    for _ in 1...2 { try await repair(try await audit.findings(), audit) }
    try await library.storage.mapsWereLookedFor()
  }
}
