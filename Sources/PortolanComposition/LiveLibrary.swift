internal import Foundation
internal import PortolanApp
internal import PortolanFiles
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline
internal import PortolanPackages
internal import PortolanPortal

/// Opens the library in the home folder, with downloads over the real network.
struct LiveLibrary: LibraryOpening {
  let home: HomeFolder
  let portals: any PortalConnecting
  let surroundings: AppSurroundings

  private var layout: HomeLayout { HomeLayout(home: home.url) }

  var exists: Bool { layout.hasCatalogue || layout.holdsMaps }

  func damage() async -> CatalogueDamage? { await CatalogueRepair(layout).damage() }

  func rebuild() async throws(LibraryError) { _ = try await CatalogueRepair(layout).rebuild() }

  func open(
    tell: @escaping @Sendable (HomeLockNotice) -> Void
  ) async throws(LibraryError) -> HomeLibrary {
    // A home that cannot be written can still be read, if there is one.
    do throws(LibraryError) { try layout.prepare() } catch {
      guard layout.hasCatalogue else {
        // There is nothing in it that an empty list would hide.
        guard layout.isEmptyHome else { throw error }
        return library(
          in: try await SQLiteMapStorage.makeStandIn(at: layout.catalogue, because: error),
          tell: tell)
      }
    }
    return library(in: try await SQLiteMapStorage.open(at: layout.catalogue), tell: tell)
  }

  func makeEmpty() -> HomeLibrary? { library(in: InMemoryMapStorage()) { _ in } }

  private func library(
    in storage: any MapStorage, tell: @escaping @Sendable (HomeLockNotice) -> Void
  ) -> HomeLibrary {
    let outside = OfflineSurroundings(
      freeSpace: surroundings.freeSpace, clock: surroundings.clock, now: surroundings.now,
      chance: surroundings.chance, makeID: surroundings.makeID)
    let maps = MapLibrary(
      layout: layout, storage: storage, now: surroundings.now, tell: tell,
      releases: { [layout] map, place, others in
        // A version whose files cannot be read goes all the same.
        (try? await CopyReleases(outside, home: layout.identity(of: map.id))
          .messages(of: map, at: place, sparing: others)) ?? []
      },
      unsentEdits: { try await UnsentEdits.count(in: $0) })
    let offline = OfflineEnvironment(
      library: maps,
      connect: { [portals] url throws(PortalError) in try await portals.portal(at: url) },
      check: verify, checkPackage: checkPackage, inspection: inspection, surroundings: outside)
    let queue = queue(storage, offline)
    let audit = LibraryAudit(
      maps, check: Self.audit(in: home), now: surroundings.now,
      makeID: { [surroundings] in MapID(surroundings.makeID()) }, lack: lack,
      describe: { [home, surroundings] in
        await MapDescription(
          of: $0, unpackingInto: home.url.appending(path: "unpacked"), now: surroundings.now())
      })
    return HomeLibrary(
      offline: offline, queue: queue, audit: audit, packages: FilePackageOpener(home: home),
      drawing: surroundings.drawing)
  }

  /// The jobs, and what they leave to be said to servers.
  private func queue(_ storage: any MapStorage, _ offline: OfflineEnvironment) -> JobQueue {
    let claims = FileJobClaims(url: layout.claims)
    let environment = JobEnvironment(
      clock: surroundings.clock, now: surroundings.now,
      makeID: { [surroundings] in JobID(surroundings.makeID()) })
    return JobQueue(
      journal: storage, runner: OfflineJobRunner(offline), claims: claims,
      outbox: OutboxWorker(
        outbox: storage,
        delivery: PortalOutboxDelivery(connect: offline.connect, now: surroundings.now),
        claims: claims, environment: environment), environment: environment)
  }

  /// Opens a map as people would.
  private var check: @Sendable (URL) async throws -> String {
    let opener = FilePackageOpener(home: home)
    return { url in try await opener.open(url).info.title }
  }

  /// Opens a map as people would; what keeps it from being opened now is no damage, nor is its date.
  static func audit(in home: HomeFolder) -> @Sendable (URL) async throws -> String {
    let opener = FilePackageOpener(
      unpackingInto: home.url.appending(path: "unpacked"), now: { .distantPast })
    return { url in
      do { return try await opener.open(url).info.title } catch {
        throw LibraryError(passing: error) ?? error
      }
    }
  }

  /// Reads a mobile map package that has arrived to its end, and opens all that it shows.
  private var checkPackage: OfflineEnvironment.PackageCheck {
    let (verifier, opener) = (PackageVerifier(), FilePackageOpener(home: home))
    return { url in
      try await verifier.verify(url)
      return try await PackageReadability.check(try await opener.open(url))
    }
  }

  /// The parts of an imported package that cannot be read.
  private var lack: LibraryAudit.Lack {
    let opener = FilePackageOpener(home: home)
    return { url in
      await PackageReadability.failures { () throws(PackageError) in
        try await opener.openToInspect(url)
      }
    }
  }

  /// Looks through a package while it is copied in.
  private var inspection: MapLibrary.Inspection {
    let verifier = PackageVerifier()
    return { file in
      try await verifier.verify(file.name, byteCount: file.byteCount) { try file.read($0) }
    }
  }

  /// Reads the downloaded files to their end, and opens it as people would.
  private var verify: @Sendable (URL) async throws -> String {
    let (verifier, check) = (PackageVerifier(), check)
    return { url in
      try await verifier.verify(url)
      return try await check(url)
    }
  }
}

extension LibraryError {
  /// What passes by itself, or with some free space, and says nothing of the map; `nil` for damage.
  init?(passing error: any Error) {
    switch error {
    case PackageError.busy(let file, let holder): self = .beingWritten(file: file, by: holder)
    case PackageError.unreadable(let file, let reason):
      self = .unreadable(file: file, reason: reason)
    case PackageError.noSpace(let file, _, _):
      self = .unreadable(file: file, reason: "there is no space to decompress it")
    case FileError.unreadable(let file, let reason):
      self = .unreadable(file: file, reason: reason)
    case FileError.diskFull(let file):
      self = .unreadable(file: file, reason: FileError.diskFull(file: file).reason)
    default: return nil
    }
  }
}
