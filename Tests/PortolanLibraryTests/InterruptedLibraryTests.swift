import Foundation
import PortolanFiles
import PortolanJobs
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The leftovers that a library finds of a process which died between two steps.
@Suite(.temporaryDirectory) struct InterruptedLibraryTests {
  private static let day = Date(timeIntervalSince1970: 1_795_000_000)
  private static let month = TimeInterval(30 * 86_400)

  private var home: URL { temporaryDirectory.appending(path: "home") }
  private var layout: HomeLayout { HomeLayout(home: home) }

  private func library(
    unsent: Int = 0, now: Date = day, retention: Int = MapLibrary.standardRetentionDays
  ) async throws -> MapLibrary {
    try layout.prepare()
    return MapLibrary(
      layout: layout, storage: try await SQLiteMapStorage.open(at: layout.catalogue),
      now: { now }, retentionDays: retention, unsentEdits: { _ in unsent })
  }

  private func findings(_ library: MapLibrary) async throws -> [LibraryFinding] {
    try await LibraryAudit(
      library, check: { $0.lastPathComponent }, now: { Self.day }, makeID: { MapID(UUID()) }
    ).findings()
  }

  private func record(_ title: String) throws -> StoredMap {
    StoredMap(
      id: try #require(MapID("a")), origin: .portalItem("a"), form: .folder, title: title,
      installed: Self.day, byteCount: 10)
  }

  private func staged(_ text: String, in name: String = "job") throws -> URL {
    let folder = layout.staging(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: "data.geodatabase"))
    return folder
  }

  private func text(of map: StoredMap) throws -> String {
    try String(
      contentsOf: layout.place(of: map).appending(path: "data.geodatabase"), encoding: .utf8)
  }

  // MARK: - Storing

  /// The catalogue says that a new version is about to be stored; it has moved or not.
  @Test(arguments: [true, false])
  func `A version that was taking its place has taken it or is still with its job`(
    _ hasMoved: Bool
  ) async throws {
    let library = try await library()
    let old = try await library.install(staged("old"), as: record("Old"))
    let new = try await announceNew(in: library, isMoved: hasMoved)
    #expect(try await findings(library).contains(.halfInstalled(map: new)))

    try await library.recover()
    #expect(try await library.maps() == [hasMoved ? new : old])
    #expect(try text(of: hasMoved ? new : old) == (hasMoved ? "new" : "old"))
    #expect(try text(of: old) == "old")
    #expect(layout.contents(of: .staging).count == (hasMoved ? 0 : 1))
    #expect(layout.contents(of: .trash).isEmpty)
    #expect(try await library.storage.installations().isEmpty)
  }

  @Test func `A folder of versions that was not finished holds nothing to keep`() async throws {
    let library = try await library()
    let container = layout.container(of: try record("New").id, .folder)
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    try Data().write(to: container.appending(path: ".portolan-5.part"))
    let map = try await library.install(staged("new"), as: record("New"))
    #expect(try text(of: map) == "new")
    #expect(try await library.keptMaps().isEmpty)
  }

  @Test func `Documents that were written in part are removed, and become no part of a map`()
    async throws
  {
    let library = try await library()
    let folder = try staged("new")
    let names = [folder, folder.appending(path: "p13"), home]
    for folder in names {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: ".portolan-5.part")
      try Data("half".utf8).write(to: file)
      // Nobody has just begun to write it.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file.path)
    }
    try await library.recover()
    let map = try await library.install(folder, as: record("New"))
    for folder in [layout.place(of: map), layout.place(of: map).appending(path: "p13"), home] {
      #expect(!FileSystem.live.exists(folder.appending(path: ".portolan-5.part")))
    }
    #expect(FileSystem.live.exists(layout.place(of: map).appending(path: "p13")))
  }

  private func announceNew(in library: MapLibrary, isMoved: Bool) async throws -> StoredMap {
    var new = try record("New")
    new.version = 2
    let folder = try staged("new")
    let file = try #require(FileStatus(folder)?.identity)
    try await library.storage.announce(
      MapInstallation(
        map: new, staged: "job", file: file, version: MapVersion(map: new, files: [])))
    if isMoved { try DurableMove.move(folder, to: layout.place(of: new)) }
    return new
  }

  @Test func `A job that resumes without recovery starts from the new version`() async throws {
    let library = try await library()
    try await library.install(staged("old"), as: record("Old"))
    let new = try await announceNew(in: library, isMoved: true)
    try await library.reuse(new.id, in: "job")
    #expect(try text(of: new) == "new")
    let reused = layout.staging("job").appending(path: "data.geodatabase")
    #expect(try String(contentsOf: reused, encoding: .utf8) == "new")
  }

  @Test func `A map that could not take its place is as before`() async throws {
    let library = try await library()
    let map = try record("A")
    let folder = try staged("new")
    try FileManager.default.removeItem(at: layout.folder(.maps))
    await #expect(throws: LibraryError.self) { try await library.install(folder, as: map) }
    #expect(try await library.storage.installations().isEmpty)
    #expect(try await library.maps().isEmpty && DurableMove.exists(folder))
  }

  @Test func `A map that is stored again leaves nothing of its deletion`() async throws {
    let library = try await library()
    let map = try record("A")
    try await library.install(staged("one"), as: map)
    try await library.delete(map.id)
    let again = try await library.install(staged("two"), as: map)
    #expect(layout.contents(of: .trash).isEmpty)
    #expect(try text(of: again) == "two")
    #expect(try await findings(library).isEmpty)
  }

  @Test func `Edits that no service has got are not replaced`() async throws {
    let before = try await library().install(staged("edited"), as: record("A"))
    let library = try await library(unsent: 3)
    await #expect(throws: LibraryError.unsentEdits(map: "A", count: 3)) {
      try await library.install(staged("new"), as: record("New"))
    }
    #expect(try text(of: before) == "edited")
    // A job that takes the file over takes the edits along.
    try await library.reuse(before.id, in: "more")
    let more = try await library.install(layout.staging("more"), as: record("More"))
    #expect(try text(of: more) == "edited")
    #expect(try await library.maps().map(\.title) == ["More"])
  }

  @Test func `What a job starts from is whole or not there`() async throws {
    let library = try await library()
    try await library.install(staged("one"), as: record("A"))
    // Left by a process that died while it linked.
    let draft = layout.draft(of: "job")
    try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
    #expect(try await findings(library) == [.abandoned(draft)])
    try await library.reuse(record("A").id, in: "job")
    #expect(layout.contents(of: .staging).map(\.lastPathComponent) == ["job"])
  }

  // MARK: - Removing

  @Test func `A map whose removal was interrupted is removed, and never taken for a map`()
    async throws
  {
    let library = try await library()
    let map = try await library.install(staged("one"), as: record("A"))
    try await library.delete(map.id)
    _ = try await library.condemn(layout.trashPlace(of: map))
    #expect(try await findings(library).count == 2)
    await #expect(throws: LibraryError.filesMissing(map: "A")) {
      try await library.undoDeletion(of: map.id)
    }
    try await library.recover()
    #expect(layout.contents(of: .trash).isEmpty)
    #expect(try await library.deletedMaps().isEmpty)
    #expect(try await findings(library).isEmpty)
  }

  @Test func `A deleted map is kept for days of use, whatever the clock says`() async throws {
    let map = try record("A")
    try await library().install(staged("one"), as: map)
    try await library().delete(map.id)
    for day in [40, 4_000, -70, 1, 1] {
      let later = try await library(now: Self.day.addingTimeInterval(Double(day) * 86_400))
      try await later.recover()
      #expect(try await later.deletedMaps().count == 1, "after \(day) days")
    }
    let short = try await library(now: Self.day.addingTimeInterval(86_400 * 2), retention: 5)
    try await short.recover()
    #expect(try await short.deletedMaps().isEmpty && layout.contents(of: .trash).isEmpty)
  }

  @Test func `An interrupted deletion is not finished while the map is open`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    var map = try await bed.install(in: bed.library())
    do {
      let lease = try await bed.library().open(map.id)
      // Recorded, and not moved yet.
      map.deleted = LibraryBed.day
      try await bed.storage.save(map)
      try await bed.library().recover()
      #expect(try Edits.texts(in: lease.url.appending(path: LibraryBed.path)) == [])
    }
    #expect(FileSystem.live.exists(bed.layout.place(of: map)))
    try await bed.library().recover()
    #expect(!FileSystem.live.exists(bed.layout.place(of: map)))
    try await bed.library().undoDeletion(of: map.id)
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == [])
  }

  @Test func `Files of a map that is being restored belong to it`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.library().delete(map.id)
    // Recorded, and not moved back yet.
    try await bed.storage.save(map)
    let findings = try await bed.audit(bed.library()).findings()
    #expect(!findings.contains { if case .unknownTrash = $0 { true } else { false } })
    try await bed.library().recover()
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == [])
  }

  @Test func `The version before that an older home has put aside is kept with its edits`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let record = try bed.record()
    let place = bed.layout.flatPlace(of: record.id, .folder)
    // They have changed places; the record has not been written.
    try LibraryBed.write(place, info: "new")
    let staged = try bed.staged("job", info: "old")
    try Edits.add("mine", to: staged.appending(path: LibraryBed.path))
    try await bed.storage.announce(
      MapInstallation(
        map: record, staged: "job", file: try #require(FileStatus(place)).identity))
    try await bed.library().recover()
    #expect(try await bed.library().maps().map(\.id) == [record.id])
    let kept = try #require(try await bed.library().keptMaps().first)
    #expect(try Edits.texts(in: kept.url.appending(path: LibraryBed.path)) == ["mine"])
  }

  @Test func `A link is removed, never what it leads to`() async throws {
    let library = try await library()
    let precious = temporaryDirectory.appending(path: "precious")
    try FileManager.default.createDirectory(at: precious, withIntermediateDirectories: true)
    try Data("keep".utf8).write(to: precious.appending(path: "file"))
    let folder = try staged("one")
    let link = layout.staging("link").deletingLastPathComponent().appending(path: "link")
    for place in [link, folder.appending(path: "inner")] {
      try FileManager.default.createSymbolicLink(at: place, withDestinationURL: precious)
    }
    #expect(DiskUsage(of: folder).byteCount == 3)
    try await library.removeStaged("job")
    try await library.remove(link)
    #expect(layout.contents(of: .staging).isEmpty)
    #expect(try Data(contentsOf: precious.appending(path: "file")) == Data("keep".utf8))
    // A link out of the home is not in it, whatever its folder is called.
    let outside = link.appending(path: "file")
    await #expect(throws: LibraryError.notOurs(file: outside.path(percentEncoded: false))) {
      try await library.remove(outside)
    }
  }

  @Test func `Bytes of hard-linked files are not reported as freed`() async throws {
    let library = try await library()
    let map = try await library.install(staged("x"), as: record("A"))
    let tiles = layout.place(of: map).appending(path: "tiles.tpkx")
    try Data(repeating: 7, count: 100_000).write(to: tiles)
    let alone = try await library.deletion(of: map.id)
    try await library.reuse(map.id, in: "job")
    #expect(try await library.deletion(of: map.id) < alone - 90_000)
  }

  // MARK: - Soundness

  @Test func `A database that was cut is damaged`() async throws {
    let library = try await library()
    let map = try await library.install(staged("one"), as: record("A"))
    let url = layout.place(of: map).appending(path: "data.geodatabase")
    try FileManager.default.removeItem(at: url)
    _ = try await SQLiteMapStorage.open(at: url)
    // Whoever has edited it has changed it.
    try await library.storage.markEdited(map.version, of: map.id)
    #expect(try await findings(library).isEmpty)
    let size = try #require(FileStatus(url)?.byteCount)
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: UInt64(size - 4096))
    try handle.close()
    guard case .damaged(map, let reason, _)? = try await findings(library).first else {
      Issue.record("nothing was found")
      return
    }
    #expect(reason.contains("data.geodatabase is damaged"))
  }

  @Test func `Files of another form of a map are not put on the list`() async throws {
    let library = try await library()
    let map = try record("A")
    try await library.install(staged("one"), as: map)
    try Data().write(to: layout.folder(.packages).appending(path: "a.mmpk"))
    let found = try await findings(library)
    guard case .foreign? = found.first, found.count == 1 else {
      Issue.record("found \(found)")
      return
    }
  }
}
