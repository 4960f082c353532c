import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// Maps that are put on the list by themselves after the catalogue was lost.
@Suite(.temporaryDirectory) struct FoundVersionTests {
  private static let day = HomeLibrary.testDay

  private var layout: HomeLayout { HomeLayout(home: temporaryDirectory.appending(path: "home")) }

  private func home() async throws -> HomeLibrary {
    try layout.prepare()
    let maps = MapLibrary(
      layout: layout, storage: try await SQLiteMapStorage.open(at: layout.catalogue),
      now: { Self.day }, unsentEdits: { _ in 0 })
    return HomeLibrary(
      testing: maps,
      packages: FilePackageOpener(unpackingInto: layout.home.appending(path: "unpacked")))
  }

  private func install(_ text: String, in maps: MapLibrary) async throws {
    let folder = layout.staging("job")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: "package.info"))
    try await maps.install(
      folder,
      as: StoredMap(
        id: try #require(MapID("a")), origin: .portalItem("a"), form: .folder, title: text,
        installed: Self.day, byteCount: 1))
  }

  @Test func `After the catalogue was lost, the version before can be restored as well`()
    async throws
  {
    do {
      let maps = try await home().maps
      for text in ["one", "two"] { try await install(text, in: maps) }
    }
    for suffix in ["", "-wal", "-shm"] {
      // Not all of them are there.
      try? FileManager.default.removeItem(
        atPath: layout.catalogue.path(percentEncoded: false) + suffix)
    }
    let home = try await home()
    try await home.maps.recover()
    try await home.listFoundMaps()
    let map = try #require(try await home.maps.maps().first)
    #expect(map.version == 2 && map.title == "two")
    #expect(try await !home.storage.mayLackMaps())
    #expect(try await home.maps.rollBack(map.id).title == "one")
  }
}
