import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Damaged maps that were set aside: listed, and deleted only when a person asks for it.
@Suite(.temporaryDirectory) struct KeptMapTests {
  @Test func `What was set aside is listed with its geodatabases, which can be read`() async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    let kept = try #require(try await library.keptMaps().first)
    #expect(kept.name == "a-1" && kept.mapName == "a" && kept.byteCount > 5_000)
    #expect(!kept.isDeleted)
    let path = try #require(kept.geodatabases.first)
    #expect(kept.geodatabases.count == 1)
    #expect(try Edits.texts(in: kept.url.appending(path: path)) == ["mine"])
  }

  @Test func `What was set aside has the title that its files say, where no map says it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    let folder = bed.layout.folder(.kept)
    #expect(try await library.keptMaps().map(\.title) == ["Map a"])
    // An earlier Portolan did not note what it was.
    try FileManager.default.removeItem(
      at: HomeLayout.keptRecord(of: 1, in: folder.appending(path: "a-1")))
    // A map that does not open is listed without.
    try LibraryBed.write(folder.appending(path: "b-1/1/p13"))
    #expect(try await library.keptMaps().map(\.title) == [nil, nil])
    let kept = try await bed.audit(library).keptMaps()
    #expect(kept.map(\.name) == ["a-1", "b-1"] && kept.map(\.title) == ["one", nil])
    // That of a map on the list is known better.
    try await bed.install(in: library)
    #expect(try await bed.audit(library).keptMaps().map(\.title) == ["Map a", nil])
  }

  @Test func `Files that were set aside are reported with their map, if one is known`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    try await bed.install(in: library)
    let names = ["a-1", "a-deleted-1", "ridge--line-3", "ridge-line-12"]
    let folder = bed.layout.folder(.kept)
    for name in names { try LibraryBed.write(folder.appending(path: "\(name)/1")) }
    let kept = try await library.keptMaps()
    #expect(kept.map(\.name) == names && kept.map(\.id) == names)
    #expect(kept.map(\.mapName) == ["a", "a", "ridge--line", "ridge-line"])
    #expect(kept.map(\.title) == ["Map a", "Map a", nil, nil])
    #expect(kept.map(\.isDeleted) == [false, true, false, false])
    for map in kept {
      let usage = DiskUsage(of: folder.appending(path: map.name))
      #expect(map.byteCount == usage.byteCount)
      #expect(map.allocatedByteCount == usage.allocatedByteCount)
      #expect(map.geodatabases == ["1/\(LibraryBed.path)"])
    }
    let freed = DiskUsage.freed(byRemoving: folder.appending(path: "a-1")).allocatedByteCount
    #expect(try await library.deleteKept("a-1") == freed)
    #expect(try await library.keptMaps().map(\.name) == Array(names.dropFirst()))
  }

  @Test func `Nothing but asking for it deletes what was set aside`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    try await library.emptyTrash()
    try await library.recover()
    try await bed.library(now: LibraryBed.day.addingTimeInterval(86_400 * 4_000)).recover()
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await library.keptMaps().map(\.name) == ["a-1"])
    #expect(try await library.deleteKept("a-1") > 0)
    #expect(try await library.keptMaps().isEmpty)
    #expect(bed.layout.contents(of: .trash).isEmpty)
  }

  @Test(arguments: ["b-1", "", "..", "../maps/a", ".portolan-room"])
  func `A name that was not set aside deletes nothing`(_ name: String) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    await #expect(throws: LibraryError.notKept(name)) { try await library.deleteKept(name) }
    #expect(try await library.keptMaps().map(\.name) == ["a-1"])
  }

  @Test func `A damaged map that was set aside keeps its title, though it is in no catalogue`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    #expect(try await library.storage.storedMaps().isEmpty)
    #expect(try await library.keptMaps().map(\.title) == ["Map a"])
    // Records of versions that are gone are forgotten.
    try await library.recover()
    #expect(try await library.keptMaps().map(\.title) == ["Map a"])
  }

  @Test func `What is noted of another map says nothing of what was set aside`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    var other = try bed.record("b")
    other.version = 1
    let note = HomeLayout.keptRecord(of: 1, in: bed.layout.folder(.kept).appending(path: "a-1"))
    try JSONEncoder().encode(other).write(to: note)
    #expect(try await library.keptMaps().map(\.title) == [nil])
    #expect(try await bed.audit(library).putBack("a-1").title == "one")
  }

  // MARK: - Putting back

  @Test func `A restored map is recorded as it was, whatever its files say`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    var map = try bed.record()
    map.origin = .preplannedArea(webMap: "w", area: "a")
    (map.summary, map.portal) = ("A town.", URL(string: "https://portal.example"))
    (map.sourceModified, map.omissions) = (LibraryBed.day, ["Roads are missing."])
    map.options = StoredAreaOptions(
      basemap: .leftOut, continuesOnErrors: true, updateMode: "syncWithFeatureServices")
    map = try await library.install(bed.staged(), as: map)
    try await bed.edit(map, in: library)
    try Data("x".utf8).write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    var restored = try await audit.putBack("a-1")
    #expect(restored.byteCount != map.byteCount)
    restored.byteCount = map.byteCount
    #expect(restored == map)
  }

  @Test func `A map that was set aside is restored with its edits`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    let audit = bed.audit(library)
    let map = try await audit.putBack("a-1")
    #expect(map.id.text == "a" && map.title == "Map a")
    #expect(try await library.maps() == [map])
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == ["mine"])
    #expect(try await library.keptMaps().isEmpty)
    #expect(bed.layout.contents(of: .kept).isEmpty)
    let edits = LibraryError.unsentEdits(map: "Map a", count: 1)
    await #expect(throws: edits) { try await library.delete(map.id) }
  }

  @Test func `Where another map has its id and title, it gets others`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    let other = try await bed.install(in: library)
    let map = try await bed.audit(library).putBack("a-1")
    #expect(map.id != other.id && map.title == "Map a (2)")
    #expect(Set(try await library.maps()) == [other, map])
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == ["mine"])
  }

  @Test func `It takes no place of a map that was stored under its id while it was being read`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    let version = library.layout.folder(.kept).appending(path: "a-1/1")
    let fresh = try await bed.install(info: "fresh", in: library)
    await #expect(throws: LibraryError.self) {
      try await library.putBack(version, as: bed.record())
    }
    #expect(try await library.maps() == [fresh] && bed.info(of: fresh) == "fresh")
    #expect(try Edits.texts(in: version.appending(path: bed.path)) == ["mine"])
  }

  @Test func `Of several versions the latest is restored, and the others stay`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    let folder = bed.layout.folder(.kept).appending(path: "a-1")
    try LibraryBed.write(folder.appending(path: "0"), info: "before")
    let audit = bed.audit(library)
    #expect(try await audit.putBack("a-1").title == "Map a")
    #expect(try await library.keptMaps().map(\.name) == ["a-1"])
    #expect(try await audit.putBack("a-1").title == "before")
    #expect(try await library.keptMaps().isEmpty)
  }

  @Test func `Of a map whose update was taken back, the version that was in use is restored first`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await bed.install(info: "two", in: library)
    try await library.rollBack(first.id)
    try await bed.edit(first, in: library)
    try Data("x".utf8).write(to: bed.layout.place(of: first).appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    // Records of versions that are gone are forgotten.
    try await library.recover()
    let map = try await audit.putBack("a-1")
    #expect(try bed.info(of: map) == "one")
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == ["mine"])
    #expect(try await bed.info(of: audit.putBack("a-1")) == "two")
    #expect(try await library.keptMaps().isEmpty)
    #expect(bed.layout.contents(of: .kept).isEmpty)
  }

  @Test func `A rollback that could not be recorded does not make another version the current one`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    try await bed.install(in: library)
    let map = try await bed.install(info: "two", in: library)
    try await bed.edit(map, in: library)
    // The note of a rollback before it is recorded.
    await library.noteTakenBack(map)
    try Data("x".utf8).write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    let restored = try await audit.putBack("a-1")
    #expect(try bed.info(of: restored) == "two")
    #expect(try Edits.texts(in: bed.geodatabase(of: restored)) == ["mine"])
  }

  @Test func `A map of which nothing was noted is recorded as its files say`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    // Titles that are taken, and one that is not, for its map is in the trash.
    for (id, title) in [("b", "one"), ("c", "one (2)"), ("d", "one (3)")] {
      var other = try bed.record(id)
      other.title = title
      other = try await library.install(bed.staged("job-\(id)"), as: other)
      if id == "d" { try await library.delete(other.id) }
    }
    let version = bed.layout.folder(.kept).appending(path: "a-1/7")
    try LibraryBed.write(version)
    let bytes = DiskUsage(of: version).byteCount
    let described = MapDescription(
      origin: .portalItem("p"), summary: "A town.", portal: URL(string: "https://portal.example"))
    let audit = LibraryAudit(
      library, check: { _ in "one" }, now: { LibraryBed.day }, makeID: { MapID(UUID()) },
      describe: { _ in described })
    let map = StoredMap(
      id: try #require(MapID("a")), origin: .portalItem("p"), form: .folder, title: "one (3)",
      summary: "A town.", portal: URL(string: "https://portal.example"), installed: LibraryBed.day,
      byteCount: bytes, version: 1)
    #expect(try await audit.putBack("a-1") == map)
    #expect(try await library.maps().contains(map))
  }

  @Test func `A package that was set aside comes back as a file, as if it had been imported`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let folder = bed.layout.folder(.kept).appending(path: "a-1")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in [1, 2] {
      try Data("package \(number)".utf8).write(to: folder.appending(path: "\(number).mmpk"))
    }
    let map = try await bed.audit(bed.library()).putBack("a-1")
    #expect(map.form == .file && map.origin == .imported("a") && map.id.text == "a")
    #expect(map.title == "2.mmpk" && map.byteCount == 9 && map.version == 1)
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Data("package 2".utf8))
    #expect(try await bed.library().keptMaps().map(\.name) == ["a-1"])
    let other = try await bed.audit(bed.library()).putBack("a-1")
    #expect(other.id != map.id && other.title == "1.mmpk")
    #expect(bed.layout.contents(of: .kept).isEmpty)
  }

  @Test func `A map that was set aside keeps its databases when an update is taken back`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    func send(_ text: String, _ folder: URL) throws {
      let database = folder.appending(path: LibraryBed.path)
      try Edits.add(text, to: database)
      try Edits.send(in: database)
    }
    // It had its database from the version 2 of the map that it was.
    let before = temporaryDirectory.appending(path: "before")
    try LibraryBed.write(before)
    try send("old", before)
    let version = bed.layout.folder(.kept).appending(path: "a-1/3")
    try LibraryBed.write(version)
    var carried = CarriedGeodatabases(version: 2)
    try carried.carry(LibraryBed.path, from: before, to: version)
    try carried.write(to: version)
    let first = try await bed.audit(library).putBack("a-1")
    let staged = try bed.staged("job-a", info: "two")
    try send("new", staged)
    let second = try await library.install(staged, as: bed.record())
    #expect(first.version == 1 && second.version == 2)
    let map = try await library.rollBack(second.id)
    #expect(map.version == 1)
    #expect(try Edits.sent(in: bed.geodatabase(of: map)) == ["old"])
  }

  @Test func `Files that are being read stay set aside until they are closed`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    let version = bed.layout.folder(.kept).appending(path: "a-1/1")
    let reader = try #require(try FileLock.attempt(.shared, on: .item(version)))
    let error = await #expect(throws: LibraryError.self) {
      _ = try await bed.audit(library).putBack("a-1")
    }
    guard case .inUse? = error else {
      Issue.record("putting it back ended with \(String(describing: error))")
      return
    }
    #expect(try await library.keptMaps().map(\.name) == ["a-1"])
    #expect(try await library.maps().isEmpty)
    reader.release()
    #expect(try await bed.audit(library).putBack("a-1").title == "Map a")
  }

  @Test func `Files that do not open stay set aside`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    let kept = try #require(try await library.keptMaps().first)
    try FileManager.default.removeItem(at: kept.url.appending(path: "1/package.info"))
    let audit = bed.audit(library)
    await #expect(throws: (any Error).self) { try await audit.putBack("a-1") }
    await #expect(throws: LibraryError.notKept("b-1")) { try await audit.putBack("b-1") }
    #expect(try await library.keptMaps().map(\.name) == ["a-1"])
    #expect(try await library.maps().isEmpty)
  }

  @Test(arguments: [LibraryStep.installSynced, .installAnnounced, .installMoved, .installRecorded])
  func `A process that dies while it puts a map back leaves it set aside or stored`(
    _ step: LibraryStep
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    _ = try await bed.keepOne()
    let home = bed.layout.home
    let copy = temporaryDirectory.appending(path: "copies/home")
    try FileManager.default.createDirectory(
      at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
    let library = bed.library(report: { reported in
      guard reported == step, !FileSystem.live.exists(copy) else { return }
      // The files that a process that dies here leaves behind.
      do { try FileManager.default.copyItem(at: home, to: copy) } catch { Issue.record(error) }
    })
    _ = try await bed.audit(library).putBack("a-1")

    let left = try await LibraryBed(in: copy.deletingLastPathComponent())
    let next = left.library()
    try await next.recover()
    let isStored = [.installMoved, .installRecorded].contains(step)
    let maps = try await next.maps()
    #expect(maps.map(\.id.text) == (isStored ? ["a"] : []))
    let kept = try await next.keptMaps()
    let databases =
      kept.flatMap { map in map.geodatabases.map { map.url.appending(path: $0) } }
      + maps.map { left.geodatabase(of: $0) }
    #expect(try databases.map { try Edits.texts(in: $0) } == [["mine"]])
  }
}
