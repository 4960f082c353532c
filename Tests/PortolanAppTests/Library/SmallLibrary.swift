import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanOffline
import PortolanPortal

@testable import PortolanApp

/// A home with maps of a few bytes, whose edits cannot be counted while a test says so.
struct SmallLibrary {
  static let day = HomeLibrary.testDay

  /// Whether edits cannot be counted.
  let isBlind: Locked<Bool>
  let library: HomeLibrary

  init(
    in folder: URL, portal: Portal? = nil,
    freeSpace: @escaping @Sendable (URL) -> Int? = { _ in nil }
  ) throws {
    let isBlind = Locked(false)
    self.isBlind = isBlind
    let layout = HomeLayout(home: folder.appending(path: "home"))
    try layout.prepare()
    let maps = MapLibrary(
      layout: layout, storage: InMemoryMapStorage(), now: { Self.day },
      unsentEdits: { _ in
        guard isBlind.withLock({ !$0 }) else { throw CocoaError(.fileReadCorruptFile) }
        return 0
      })
    library = HomeLibrary(
      testing: maps, packages: FilePackageOpener(unpackingInto: folder),
      connect: { _ throws(PortalError) in
        guard let portal else { throw .cancelled }
        return portal
      }, freeSpace: freeSpace)
  }

  @discardableResult
  func store(_ id: String, from portal: URL? = nil) async throws -> StoredMap {
    let folder = library.maps.layout.staging("job")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "p13"), withIntermediateDirectories: true)
    try Data("features".utf8).write(to: folder.appending(path: "p13/data.geodatabase"))
    try Data("tiles".utf8).write(to: folder.appending(path: "p13/tiles.tpkx"))
    guard let mapID = MapID(id) else { throw LibraryError.noSuchMap(id) }
    return try await library.maps.install(
      folder,
      as: StoredMap(
        id: mapID, origin: .onDemandArea(webMap: "w"), form: .folder, title: "Map \(id)",
        portal: portal, installed: Self.day, byteCount: 10))
  }

  func edit(_ map: StoredMap) async throws {
    let lease = try await library.maps.open(map.id)
    try await library.maps.beginEditing(lease)
    try Data("features and edits".utf8).write(
      to: lease.url.appending(path: "p13/data.geodatabase"))
    lease.endEditing()
  }
}

/// A portal that nobody can be connected to.
struct NoPortal: PortalConnecting {
  func portal(at url: URL?) async throws(PortalError) -> Portal { throw .cancelled }
}
