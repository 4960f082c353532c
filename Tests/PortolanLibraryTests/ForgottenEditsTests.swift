import Foundation
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Edits that were not sent, in a home whose catalogue no longer says that somebody has edited.
@Suite(.temporaryDirectory) struct ForgottenEditsTests {
  /// A home whose second version was edited.
  private func makeHome() async throws -> (layout: HomeLayout, map: StoredMap) {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(info: "first", in: bed.library())
    let map = try await bed.install(info: "second", in: bed.library())
    try await bed.edit(map, in: bed.library())
    return (bed.layout, map)
  }

  private func removeCatalogue(_ layout: HomeLayout) throws {
    for suffix in ["", "-wal", "-shm"] {
      let path = layout.catalogue.path(percentEncoded: false) + suffix
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  /// Damages a part that is no database, and repairs the map.
  private func damageAndRepair(_ map: StoredMap, _ bed: LibraryBed) async throws -> MapLibrary {
    let library = bed.library()
    try Data("x".utf8).write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    return library
  }

  @Test func `A map that is put on the list again counts as edited`() async throws {
    let (layout, map) = try await makeHome()
    try removeCatalogue(layout)
    let bed = try await LibraryBed(in: temporaryDirectory)
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    // The versions that are not the current one are found when that is recorded.
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await bed.library().maps().map(\.version) == [map.version])
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await bed.library().rollBack(map.id)
    }
    let library = try await damageAndRepair(map, bed)
    #expect(try await library.keptMaps().count == 1)
    #expect(try await library.deletedMaps().isEmpty)
  }

  @Test func `A version that was listed again counts as edited when it is restored`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(info: "first", in: bed.library())
    try await bed.install(info: "second", in: bed.library())
    let connection = try Connection(at: bed.layout.catalogue, access: .readWrite)
    try connection.execute("DELETE FROM map_version WHERE number = 1")
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    try Edits.add("mine", to: bed.geodatabase(of: first))
    #expect(try await bed.library().rollBack(first.id).version == 1)
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await bed.library().rollBack(first.id)
    }
  }

  @Test func `A rebuilt catalogue keeps which maps have been edited`() async throws {
    let (layout, map) = try await makeHome()
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("DROP TABLE job")
    }
    #expect(try await CatalogueRepair(layout).rebuild() != nil)
    let bed = try await LibraryBed(in: temporaryDirectory)
    #expect(try await bed.storage.versions(of: map.id).map(\.isEdited) == [false, true])
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await bed.library().rollBack(map.id)
    }
  }

  @Test(arguments: [true, false])
  func `A package imported with edits is set aside once it is damaged`(
    _ hasEdits: Bool
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let staged = try bed.staged("import-1")
    if hasEdits { try Edits.add("mine", to: staged.appending(path: bed.path)) }
    var record = try bed.record()
    record.origin = .imported("trails")
    let map = try await library.install(staged, as: record)
    try Data("x".utf8).write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await library.keptMaps().count == (hasEdits ? 1 : 0))
    #expect(try await library.deletedMaps().count == (hasEdits ? 0 : 1))
  }

  @Test func `An imported package counts as edited if its edits could not be counted`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let blind = bed.library(unsentEdits: { _ in throw CocoaError(.fileReadCorruptFile) })
    let staged = try bed.staged("import-1")
    try Edits.add("mine", to: staged.appending(path: bed.path))
    var record = try bed.record()
    record.origin = .imported("trails")
    let map = try await blind.install(staged, as: record)
    #expect(try await bed.storage.versions(of: map.id).map(\.isEdited) == [true])
    let library = try await damageAndRepair(map, bed)
    #expect(try await library.keptMaps().count == 1)
  }

  @Test func `A damaged map is set aside for the edits in the version before`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(info: "first", in: bed.library())
    let second = try await bed.install(info: "second", in: bed.library())
    // Another program, which does not know that there is a newer version.
    try Edits.add("mine", to: bed.geodatabase(of: first))
    let library = try await damageAndRepair(second, bed)
    let kept = try #require(try await library.keptMaps().first)
    #expect(try Edits.texts(in: kept.url.appending(path: "1/\(bed.path)")) == ["mine"])
    #expect(try await library.deletedMaps().isEmpty)
  }

  @Test(arguments: [HomeLayout.Folder.maps, .packages, .trash])
  func `A stray database is set aside with its journal`(
    _ room: HomeLayout.Folder
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let stray = bed.layout.folder(room).appending(path: "stray.geodatabase")
    let writer = try Connection(at: stray, access: .create)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("CREATE TABLE edit (text TEXT NOT NULL)")
    try writer.execute("INSERT INTO edit VALUES ('mine')")
    let library = bed.library()
    // Nothing that is no map passes for one here.
    let audit = LibraryAudit(
      library, check: { _ in throw CocoaError(.fileReadCorruptFile) }, now: { LibraryBed.day },
      makeID: { MapID(UUID()) })
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await audit.findings().isEmpty)
    let kept = try #require(try await library.keptMaps().first)
    #expect(kept.geodatabases == ["stray.geodatabase"])
    #expect(try Edits.texts(in: kept.url.appending(path: "stray.geodatabase")) == ["mine"])
    #expect(try await library.keptMaps().count == 1)
  }

  @Test func `A folder of versions without its mark, as in a copy, is known by its record`()
    async throws
  {
    let (layout, map) = try await makeHome()
    let bed = try await LibraryBed(in: temporaryDirectory)
    let container = layout.place(of: map).deletingLastPathComponent()
    try FileManager.default.removeItem(
      at: container.appending(path: HomeLayout.versionsMarker))
    #expect(try await bed.audit(bed.library()).findings().isEmpty)
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == ["mine"])
    await #expect(throws: LibraryError.self) {
      try await bed.install(info: "third", in: bed.library())
    }
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == ["mine"])
  }

  @Test func `Reading a version whose folder lost its mark keeps it beside the next one`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(info: "first", in: bed.library())
    let container = bed.layout.place(of: map).deletingLastPathComponent()
    try FileManager.default.removeItem(
      at: container.appending(path: HomeLayout.versionsMarker))
    let lease = try await bed.library().open(map.id)
    let next = try await bed.install(info: "second", in: bed.library())
    #expect(bed.layout.isContainer(container) && next.version == map.version + 1)
    #expect(FileManager.default.fileExists(atPath: lease.url.path(percentEncoded: false)))
    #expect(try await bed.library().keptMaps().isEmpty)
  }

  @Test func `A version of another form whose folder lost its mark stays with its readers`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(info: "first", in: bed.library())
    let lease = try await bed.library().open(first.id)
    try await bed.installFile(in: bed.library())
    let container = bed.layout.place(of: first).deletingLastPathComponent()
    try FileManager.default.removeItem(
      at: container.appending(path: HomeLayout.versionsMarker))
    let next = try await bed.install(info: "third", in: bed.library())
    #expect(bed.layout.isContainer(container) && next.version == 3)
    #expect(try bed.info(of: lease.map) == "first")
    #expect(try await bed.library().keptMaps().isEmpty)
  }

  @Test func `What was deleted with edits is set aside when the map is stored again`() async throws
  {
    let (_, map) = try await makeHome()
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.library().delete(map.id, discardingEdits: true)
    try await bed.install(info: "third", in: bed.library())
    let kept = try #require(try await bed.library().keptMaps().first)
    let texts = try kept.geodatabases.map { try Edits.texts(in: kept.url.appending(path: $0)) }
    #expect(texts.contains(["mine"]))
    #expect(kept.isDeleted && kept.mapName == map.id.text && kept.title != nil)
    let restored = try await bed.audit(bed.library()).putBack(kept.name)
    #expect(restored.id != map.id && restored.origin != map.origin)
    #expect(try await bed.library().maps().count == 2)
  }

  @Test func `What was deleted with edits is set aside though the map comes in another form`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.edit(map, in: bed.library())
    try await bed.library().delete(map.id, discardingEdits: true)
    let file = try await bed.installFile(in: bed.library())
    let kept = try #require(try await bed.library().keptMaps().first)
    #expect(kept.name == "a-deleted-1" && bed.layout.contents(of: .trash).isEmpty)
    let path = try #require(kept.geodatabases.first)
    #expect(try Edits.texts(in: kept.url.appending(path: path)) == ["mine"])
    #expect(try await bed.library().maps() == [file])
    // A package that is deleted has none.
    try await bed.library().delete(file.id)
    try await bed.installFile(in: bed.library())
    #expect(try await bed.library().keptMaps().map(\.name) == ["a-deleted-1"])
  }

  @Test func `A deleted map whose edits cannot be counted is set aside when it is stored again`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.library().delete(map.id)
    let database = bed.layout.deletedPlace(of: map).appending(path: LibraryBed.path)
    try Data("no database".utf8).write(to: database)
    try await bed.install(info: "next", in: bed.library())
    let kept = try #require(try await bed.library().keptMaps().first)
    #expect(kept.isDeleted && kept.mapName == map.id.text)
  }

  @Test func `Edits that exist only in a log keep a map from being rolled back`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    try await bed.install(info: "first", in: library)
    let staged = try bed.staged("new", info: "second")
    try Connection(at: staged.appending(path: bed.path), access: .readWrite)
      .execute("PRAGMA journal_mode = WAL")
    let map = try await library.install(staged, as: bed.record())
    // Another program, which does not say that it edits.
    let writer = try Connection(at: bed.geodatabase(of: map), access: .readWrite)
    try writer.execute("INSERT INTO edit VALUES ('mine')")
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await library.rollBack(map.id)
    }
    #expect(writer.changeCount == 1, "the log was there all the time")
  }
}
