import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import PortolanPackages
import PortolanPortal
import PortolanTransport

@testable import PortolanApp

extension HomeLibrary {
  /// The moment at which the libraries of tests are.
  static let testDay = Date(timeIntervalSince1970: 1_795_000_000)

  /// A library over `maps` at one moment, without a network and on a disk with space, unless the test says
  /// otherwise.
  init(
    testing maps: MapLibrary, packages: any PackageOpening,
    connect: @escaping OfflineEnvironment.Connect = { _ throws(PortalError) in
      throw .transport(.offline)
    },
    check: @escaping OfflineEnvironment.Check = { $0.lastPathComponent },
    freeSpace: @escaping @Sendable (URL) -> Int? = { _ in nil },
    drawing: any MapDrawing = NoDrawing()
  ) {
    let now = { @Sendable in Self.testDay }
    let offline = OfflineEnvironment(
      library: maps, connect: connect, check: check,
      surroundings: OfflineSurroundings(
        freeSpace: freeSpace, clock: ContinuousClock(), now: now, chance: { 0 },
        makeID: { UUID() }))
    self.init(
      offline: offline,
      queue: JobQueue(
        journal: maps.storage, runner: OfflineJobRunner(offline),
        environment: JobEnvironment(
          clock: ContinuousClock(), now: now, makeID: { JobID(UUID()) })),
      audit: LibraryAudit(maps, check: check, now: now, makeID: { MapID(UUID()) }),
      packages: packages, drawing: drawing)
  }
}
