import Foundation
import Glibc
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// Homes of Portolans that kept one version of each map, without a folder of versions around it.
@Suite(.temporaryDirectory) struct OlderHomeTests {
  private var layout: HomeLayout { HomeLayout(home: temporaryDirectory.appending(path: "home")) }

  /// A home with the folders and the catalogue, version 4, of such a Portolan: a map as a folder,
  /// with an edit, one as a file, and a deleted one.
  private func makeHome() throws {
    for folder in ["maps", "packages", "staging", "trash"] {
      let url = layout.home.appending(path: folder)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data().write(to: url.appending(path: HomeLayout.marker))
    }
    try LibraryBed.write(layout.folder(.maps).appending(path: "a"))
    try Edits.add("mine", to: layout.folder(.maps).appending(path: "a/\(LibraryBed.path)"))
    try Data("package".utf8).write(to: layout.folder(.packages).appending(path: "b.mmpk"))
    try LibraryBed.write(layout.folder(.trash).appending(path: "c"), info: "deleted")
    let connection = try Connection(at: layout.catalogue, access: .create)
    for statement in Self.schema { try connection.execute(statement) }
    for (id, form, deleted) in [
      ("a", "folder", SQLValue.null), ("b", "file", .null), ("c", "folder", .real(1_000)),
    ] {
      let end = deleted == .null ? "" : #","deleted":1000"#
      let record =
        #"{"byteCount":10,"form":"\#(form)","id":"\#(id)","installed":0,"omissions":[],"#
        + #""origin":{"portalItem":{"_0":"\#(id)"}},"title":"Map \#(id)"\#(end)}"#
      try connection.execute(
        """
        INSERT INTO stored_map (id, title, record, form, origin, origin_item, installed, byte_count,
          deleted) VALUES (?1, ?2, ?3, ?4, 'portal-item', ?1, 0, 10, ?5)
        """, .text(id), .text("Map \(id)"), .blob(Data(record.utf8)), .text(form), deleted)
    }
    try connection.setUserVersion(4)
  }

  private static let schema = [
    """
    CREATE TABLE stored_map (id TEXT PRIMARY KEY, title TEXT NOT NULL, record BLOB NOT NULL,
      form TEXT, origin TEXT, origin_map TEXT, origin_item TEXT, summary TEXT, portal TEXT,
      installed REAL, source_modified REAL, byte_count INTEGER, omissions BLOB, deleted REAL)
    """,
    "CREATE TABLE known_map (id TEXT PRIMARY KEY, title TEXT NOT NULL, record BLOB NOT NULL)",
    """
    CREATE TABLE known_area (id TEXT NOT NULL, web_map TEXT NOT NULL, title TEXT NOT NULL,
      record BLOB NOT NULL, PRIMARY KEY (web_map, id)) WITHOUT ROWID
    """,
    "CREATE TABLE thumbnail (id TEXT PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE TABLE job (id TEXT PRIMARY KEY, position INTEGER NOT NULL, record BLOB NOT NULL)",
    "CREATE TABLE job_message (job TEXT NOT NULL, record BLOB NOT NULL)",
    "CREATE TABLE installation (id TEXT PRIMARY KEY, record BLOB NOT NULL)",
    """
    CREATE TABLE job_request (number INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL,
      intent TEXT NOT NULL)
    """,
  ]

  private func library(
    files: FileSystem = .live, report: @escaping @Sendable (LibraryStep) -> Void = { _ in }
  ) async throws -> MapLibrary {
    try layout.prepare()
    return MapLibrary(
      layout: layout, storage: try await SQLiteMapStorage.open(at: layout.catalogue),
      now: { LibraryBed.day }, unsentEdits: { try Edits.count(in: $0) }, files: files,
      report: report)
  }

  private func expectMigrated(_ library: MapLibrary) async throws {
    let maps = try await library.maps()
    #expect(maps.map(\.version) == [1, 1] && maps.map(\.title) == ["Map a", "Map b"])
    for map in maps { #expect(FileStatus(layout.place(of: map)) != nil) }
    let geodatabase = layout.folder(.maps).appending(path: "a/1/\(LibraryBed.path)")
    #expect(try Edits.texts(in: geodatabase) == ["mine"])
    #expect(FileStatus(geodatabase)?.nameCount == 1, "the old names are gone")
    #expect(layout.contents(of: .maps).count == 1 && layout.contents(of: .packages).count == 1)
    #expect(layout.migrationDrafts.isEmpty)
    #expect(
      try await LibraryAudit(
        library, check: { $0.lastPathComponent }, now: { LibraryBed.day },
        makeID: { MapID(UUID()) }
      ).findings().isEmpty)
  }

  @Test func `Its maps are moved into folders of versions, with their edits`() async throws {
    try makeHome()
    let library = try await library()
    try await library.recover()
    try await expectMigrated(library)
    let deleted = try #require(try await library.deletedMaps().first)
    try await library.undoDeletion(of: deleted.id)
    try await library.recover()
    #expect(try await library.maps().map(\.version) == [1, 1, 1])
  }

  @Test(arguments: [
    LibraryStep.migrationLinked, .migrationMoved, .migrationRecorded, .removeNamed,
  ])
  func `A process that dies on the way leaves a home that the next one finishes`(
    _ step: LibraryStep
  ) async throws {
    for passes in 0...1 {
      try? FileManager.default.removeItem(at: layout.home)
      try makeHome()
      try await die(at: step, after: passes)
      let library = try await library()
      // Also before that it can be opened.
      let id = try #require(MapID("a"))
      let map = try #require(try await library.storage.storedMap(id))
      let file = layout.place(of: map).appending(path: LibraryBed.path)
      #expect(FileStatus(file) != nil, "where a process looks that opened the home before")
      let lease = try await library.open(id)
      #expect(try Edits.texts(in: lease.url.appending(path: LibraryBed.path)) == ["mine"])
      withExtendedLifetime(lease) {}
      try await self.library().recover()
    }
    try await self.library().recover()
    try await expectMigrated(try await library())
  }

  /// Leaves the home as it was right after a step.
  private func die(at step: LibraryStep, after passes: Int) async throws {
    let (home, copy) = (layout.home, temporaryDirectory.appending(path: "copy"))
    let passed = Mutex(0)
    let library = try await library { reported in
      guard reported == step,
        passed.withLock({
          $0 += 1
          return $0
        }) == passes + 1
      else { return }
      try? FileManager.default.copyItem(at: home, to: copy)
    }
    try await library.recover()
    guard FileStatus(copy) != nil else { return }
    try FileManager.default.removeItem(at: home)
    try FileManager.default.moveItem(at: copy, to: home)
  }

  @Test func `Its hidden files, links and empty folders are moved along`() async throws {
    try makeHome()
    let flat = layout.folder(.maps).appending(path: "a")
    try FileManager.default.createDirectory(
      at: flat.appending(path: "p13/empty"), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: flat.appending(path: "p13/.note"))
    try FileManager.default.createSymbolicLink(
      atPath: flat.appending(path: "link").path, withDestinationPath: "package.info")
    try await library().recover()
    let place = flat.appending(path: "1")
    #expect(try Data(contentsOf: place.appending(path: "p13/.note")) == Data("mine".utf8))
    #expect(FileStatus(place.appending(path: "p13/empty"))?.kind == .folder)
    #expect(FileStatus(place.appending(path: "link"))?.kind == .link)
    #expect(try Data(contentsOf: place.appending(path: "link")) == Data("one".utf8))
    #expect(FileStatus(place.appending(path: "p13/.note"))?.nameCount == 1)
    #expect(FileStatus(place)?.permissions == 0o700)
  }

  @Test func `It is sound before it is updated`() async throws {
    try makeHome()
    let library = try await library()
    #expect(try await audit(library).findings().isEmpty)
    #expect(try await library.maps().map(\.version) == [0, 0])
    let lease = try await library.open(try #require(MapID("b")))
    #expect(lease.url.lastPathComponent == "b.mmpk")
    #expect(try Data(contentsOf: lease.url) == Data("package".utf8))
  }

  @Test func `Its maps are recorded as they are, without digests, and as edited if they can be`()
    async throws
  {
    try makeHome()
    let library = try await library()
    try await library.recover()
    for (map, isEdited) in zip(try await library.maps(), [true, false]) {
      let versions = try await library.storage.versions(of: map.id)
      var version = MapVersion(
        map: map, files: try await StoredFile.list(of: layout.place(of: map), reading: .none))
      version.isEdited = isEdited
      #expect(versions == [version])
    }
  }

  @Test func `A map whose files are missing does not prevent moving another`() async throws {
    try makeHome()
    try FileManager.default.removeItem(at: layout.folder(.maps).appending(path: "a"))
    let library = try await library()
    try await library.recover()
    #expect(try await library.maps().map(\.version) == [0, 1])
    let lost = try #require(try await library.maps().first)
    #expect(try await audit(library).findings() == [.filesMissing(map: lost)])
    await #expect(throws: LibraryError.filesMissing(map: "Map a")) {
      _ = try await library.open(lost.id)
    }
  }

  @Test func `A full disk is reported when a map is moved, and the map stays as it is`()
    async throws
  {
    try makeHome()
    let disk = FileSystem { call in if case .exchange = call { ENOSPC } else { nil } }
    let flat = layout.folder(.maps).appending(path: "a")
    let library = try await library(files: disk)
    await #expect(throws: LibraryError.diskFull(file: flat.plainPath)) {
      try await library.recover()
    }
    #expect(try await library.maps().map(\.version).first == 0)
    #expect(try Edits.texts(in: flat.appending(path: LibraryBed.path)) == ["mine"])
    let next = try await self.library()
    try await next.recover()
    try await expectMigrated(next)
  }

  @Test func `On a full disk its maps are listed as they are, and deleted to make space`()
    async throws
  {
    try makeHome()
    let disk = FileSystem { call in if case .exchange = call { ENOSPC } else { nil } }
    let library = try await library(files: disk)
    try await library.recoverUnlessBusy()
    let maps = try await library.maps()
    #expect(maps.map(\.version) == [0, 0])
    try await library.delete(try #require(maps.last).id)
    #expect(try await library.deletedMaps().map(\.id.text) == ["b", "c"])
    #expect(try await library.emptyTrash() > 0)
    #expect(try await library.deletedMaps().isEmpty)
    #expect(try await library.maps().map(\.id.text) == ["a"])
    let next = try await self.library()
    try await next.recover()
    #expect(try await next.maps().map(\.version) == [1])
  }

  @Test func `Old names that cannot be removed do not prevent opening maps`() async throws {
    try makeHome()
    try await library().recover()
    let draft = layout.migrationDraft(of: try #require(MapID("a")))
    try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
    let path = draft.plainPath
    let disk = FileSystem { call in
      if case .move(let source, _) = call, source == path { EIO } else { nil }
    }
    let library = try await library(files: disk)
    try await library.recoverUnlessBusy()
    #expect(layout.migrationDrafts.count == 1)
    for map in try await library.maps() { _ = try await library.open(map.id) }
    try await self.library().recover()
    #expect(layout.migrationDrafts.isEmpty)
  }

  private func audit(_ library: MapLibrary) -> LibraryAudit {
    LibraryAudit(
      library, check: { $0.lastPathComponent }, now: { LibraryBed.day },
      makeID: { MapID(UUID()) })
  }

  @Test func `Edits that exist only in a log are copied as well`() async throws {
    try makeHome()
    let database = layout.folder(.maps).appending(path: "a/\(LibraryBed.path)")
    do {
      let writer = try Connection(at: database, access: .readWrite)
      try writer.execute("PRAGMA journal_mode = WAL")
      try writer.execute("INSERT INTO edit VALUES ('logged')")
      // As a process leaves it that is killed now.
      let copy = temporaryDirectory.appending(path: "copy")
      try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          at: URL(filePath: database.path() + suffix), to: copy.appending(path: "data\(suffix)"))
      }
      #expect(writer.changeCount == 1, "the log was there all the time")
    }
    for suffix in ["", "-wal"] {
      let url = URL(filePath: database.path() + suffix)
      try? FileManager.default.removeItem(at: url)
      try FileManager.default.moveItem(
        at: temporaryDirectory.appending(path: "copy/data\(suffix)"), to: url)
    }
    let library = try await library()
    try await library.recover()
    let moved = layout.folder(.maps).appending(path: "a/1/\(LibraryBed.path)")
    #expect(try Edits.texts(in: moved) == ["mine", "logged"])
  }

  @Test func `A package of the same size with other contents is no old name of one that has moved`()
    async throws
  {
    try makeHome()
    try await library().recover()
    let flat = layout.folder(.packages).appending(path: "b.mmpk")
    try Data("PACKAGE".utf8).write(to: flat)
    try await library().recover()
    #expect(try Data(contentsOf: flat) == Data("PACKAGE".utf8))
    try Data("package".utf8).write(to: flat)
    try await library().recover()
    #expect(!FileSystem.live.exists(flat))
  }

  @Test func `A damaged map that came from there may hold edits, and is set aside`() async throws {
    try makeHome()
    let library = try await library()
    try await library.recover()
    let part = layout.folder(.maps).appending(path: "a/1/p13/tiles.tpkx")
    try Data("x".utf8).write(to: part)
    let findings = try await audit(library).findings()
    guard case .damaged(_, _, mayHoldEdits: true)? = findings.first else {
      Issue.record("found \(findings)")
      return
    }
    #expect(await audit(library).repair(findings).isEmpty)
    #expect(try await library.keptMaps().map(\.name) == ["a-1"])
  }

  @Test func `What was read once is known, so that a bit that flips later is found`() async throws {
    try makeHome()
    let library = try await library()
    try await library.recover()
    #expect(try await audit(library).findings(.deep).isEmpty)
    let part = layout.folder(.maps).appending(path: "a/1/p13/tiles.tpkx")
    var bytes = try Data(contentsOf: part)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: part)
    let findings = try await audit(library).findings(.deep)
    guard case .damaged(_, let reason, _)? = findings.first, findings.count == 1 else {
      Issue.record("found \(findings)")
      return
    }
    #expect(reason.contains("p13/tiles.tpkx"))
  }

  @Test func `A map that is open there is updated once it is closed`() async throws {
    try makeHome()
    let flat = layout.folder(.maps).appending(path: "a")
    let user = try #require(try FileLock.attempt(.shared, on: .item(flat)))
    let library = try await library()
    try await library.recover()
    let id = try #require(MapID("a"))
    #expect(try await library.storage.storedMap(id)?.version == 0)
    let map = try #require(try await library.storage.storedMap(id))
    await #expect(throws: LibraryError.inUse(map: "Map a", by: "this program")) {
      try LibraryBed.write(layout.staging("job"))
      try await library.install(layout.staging("job"), as: map)
    }
    user.release()
    try await library.recover()
    #expect(try await library.storage.storedMap(id)?.version == 1)
  }

  @Test(.needsMounting) func `It opens on a medium that cannot be written`() async throws {
    try makeHome()
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { url in
      try FileManager.default.copyItem(at: layout.home, to: url.appending(path: "home"))
    }
    let mounted = HomeLayout(home: medium.url.appending(path: "home"))
    let storage = try await SQLiteMapStorage.open(at: mounted.catalogue)
    #expect(storage.readOnlyReason != nil)
    let library = MapLibrary(
      layout: mounted, storage: storage, now: { LibraryBed.day },
      unsentEdits: { try Edits.count(in: $0) })
    try await library.recover()
    #expect(try await library.maps().map(\.title) == ["Map a", "Map b"])
    let id = try #require(MapID("a"))
    let lease = try await library.open(id)
    #expect(try Edits.texts(in: lease.url.appending(path: LibraryBed.path)) == ["mine"])
    await #expect(throws: LibraryError.self) { try await library.delete(id) }
    #expect(medium.url.isFileURL, "it is mounted all the time")
  }

  /// A home with a map, as of the Portolans that did not keep how maps were downloaded.
  private func makeHomeWithoutOptions() async throws -> StoredMap {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let connection = try Connection(at: layout.catalogue, access: .readWrite)
    try connection.execute("ALTER TABLE stored_map DROP COLUMN options")
    try connection.execute("DROP TABLE lost_options")
    try connection.setUserVersion(7)
    return map
  }

  @Test(.needsMounting)
  func `Where it cannot be written, a catalogue of any version lists its maps`() async throws {
    let map = try await makeHomeWithoutOptions()
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { url in
      try FileManager.default.copyItem(at: layout.home, to: url.appending(path: "home"))
    }
    let mounted = HomeLayout(home: medium.url.appending(path: "home"))
    let storage = try await SQLiteMapStorage.open(at: mounted.catalogue)
    #expect(storage.readOnlyReason != nil)
    #expect(try await storage.storedMaps() == [map])
    #expect(try await storage.storedMap(map.id) == map)
    #expect(try await storage.unreadableRecords().isEmpty)
    #expect(medium.url.isFileURL, "it is mounted all the time")
  }

  @Test func `A home that was moved to another place holds the same maps`() async throws {
    try makeHome()
    try await library().recover()
    let moved = temporaryDirectory.appending(path: "moved")
    try FileManager.default.copyItem(at: layout.home, to: moved)
    let layout = HomeLayout(home: moved)
    let library = MapLibrary(
      layout: layout, storage: try await SQLiteMapStorage.open(at: layout.catalogue),
      now: { LibraryBed.day }, unsentEdits: { try Edits.count(in: $0) })
    try FileManager.default.removeItem(at: self.layout.home)
    for map in try await library.maps() {
      #expect(try await library.open(map.id).url.path().hasPrefix(moved.path()))
    }
  }

  @Test func `The folders of a map are on the disk before they take its place`() async throws {
    try makeHome()
    let recorder = FileSystemRecorder()
    try await library(files: recorder.fileSystem).recover()
    let exchange = recorder.calls.firstIndex { if case .exchange = $0 { true } else { false } }
    let before = recorder.calls[..<(try #require(exchange))]
    let draft = layout.migrationDraft(of: try #require(MapID("a"))).plainPath
    for folder in ["", "/1", "/1/p13"] { #expect(before.contains(.sync(draft + folder))) }
  }

  @Test func `The old names stay until the disk has confirmed the new ones`() async throws {
    try makeHome()
    let maps = layout.folder(.maps).plainPath
    let hasMoved = Mutex(false)
    let disk = FileSystem { call in
      if case .exchange = call { hasMoved.withLock { $0 = true } }
      return hasMoved.withLock { $0 } && call == .sync(maps) ? EIO : nil
    }
    // Nor does the next start confirm it, be it that of a process that was killed in between.
    for _ in 1...2 { try await library(files: disk).recover() }
    #expect(layout.migrationDrafts.map(\.lastPathComponent) == [".a.migrating"])
    let old = try #require(layout.migrationDrafts.first).appending(path: LibraryBed.path)
    #expect(try Edits.texts(in: old) == ["mine"])
    let library = try await library()
    try await library.recover()
    try await expectMigrated(library)
  }

  @Test func `The old name of a package stays until the disk has confirmed the new one`()
    async throws
  {
    try makeHome()
    let folder = layout.folder(.packages).appending(path: "b")
    let old = layout.folder(.packages).appending(path: "b.mmpk")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appending(path: HomeLayout.versionsMarker))
    // The process was killed before it synced the folder.
    try FileManager.default.linkItem(at: old, to: folder.appending(path: "1.mmpk"))
    let path = folder.plainPath
    let disk = FileSystem { $0 == .sync(path) ? EIO : nil }
    try await library(files: disk).recover()
    #expect(FileSystem.live.exists(old))
    try await library().recover()
    #expect(!FileSystem.live.exists(old))
    try await expectMigrated(try await library())
  }

  @Test func `A map opened while its version folder is created counts as open in that version`()
    async throws
  {
    try makeHome()
    let flat = layout.folder(.maps).appending(path: "a")
    let draft = layout.folder(.maps).appending(path: ".a.migrating")
    let isOpened = Mutex(false)
    let moveMap: @Sendable () throws -> Void = {
      try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
      try Data().write(to: draft.appending(path: HomeLayout.versionsMarker))
      try FileSystem.live.exchange(draft, with: flat)
      try FileSystem.live.move(draft, to: flat.appending(path: "1"))
    }
    let disk = FileSystem { call in
      guard call == .open(flat.plainPath), !isOpened.withLock({ $0 }) else { return nil }
      isOpened.withLock { $0 = true }
      do { try moveMap() } catch { Issue.record(error) }
      return nil
    }
    let lease = try await library(files: disk).open(try #require(MapID("a")))
    #expect(isOpened.withLock { $0 })
    #expect(lease.url.plainPath == flat.appending(path: "1").plainPath)
  }
}
