import Foundation
import Glibc
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The files of a map that a job starts from, and those that are copied out.
@Suite(.temporaryDirectory) struct ReusedFilesTests {
  /// All files below a folder, hidden ones too.
  private func names(in folder: URL) -> [String] {
    var names: [String] = []
    FileTree.visit(folder) { url, status in
      guard status.kind != .folder else { return }
      names.append(url.pathComponents.dropFirst(folder.pathComponents.count).joined(separator: "/"))
    }
    return names.sorted()
  }

  @Test func `A job starts from the files of a map, without notes, links and half downloads`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let staged = try bed.staged()
    try FileManager.default.createDirectory(
      at: staged.appending(path: "p13/deep"), withIntermediateDirectories: true)
    for name in ["p13/deep/a.txt", "p13/b.tpkx.part", "p13/b.tpkx.part.json", "p13/.note"] {
      try Data(name.utf8).write(to: staged.appending(path: name))
    }
    try FileManager.default.createSymbolicLink(
      at: staged.appending(path: "p13/link"), withDestinationURL: temporaryDirectory)
    let map = try await library.install(staged, as: bed.record())
    let (place, job) = (bed.layout.place(of: map), bed.layout.staging("update"))
    let hold = try await library.reuse(map.id, in: "update")
    #expect(hold != nil)
    let linked = ["p13/deep/a.txt", "p13/mobile_map.mmap", "p13/tiles.tpkx", "package.info"]
    #expect(
      names(in: job) == ([".portolan-carried.json", LibraryBed.path] + linked).sorted())
    for name in linked {
      let status = try #require(FileStatus(place.appending(path: name)))
      #expect(FileStatus(job.appending(path: name))?.identity == status.identity, "\(name)")
    }
    let copy = job.appending(path: LibraryBed.path)
    #expect(FileStatus(copy)?.identity != FileStatus(bed.geodatabase(of: map))?.identity)
    #expect(FileStatus(job)?.permissions == 0o700)
    #expect(bed.layout.contents(of: .staging).map(\.lastPathComponent) == ["update"])
  }

  @Test func `On a disk without second names an update starts from copies`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library(
      files: FileSystem { call in if case .link = call { EPERM } else { nil } })
    let map = try await bed.install(in: library)
    let (place, job) = (bed.layout.place(of: map), bed.layout.staging("update"))
    try await library.reuse(map.id, in: "update")
    for name in ["p13/mobile_map.mmap", "p13/tiles.tpkx", "package.info"] {
      let (old, new) = (place.appending(path: name), job.appending(path: name))
      #expect(try Data(contentsOf: old) == Data(contentsOf: new), "\(name)")
      #expect(try FileStatus(at: old)?.identity != FileStatus(at: new)?.identity, "\(name)")
    }
    let updated = try await library.install(job, as: bed.record())
    #expect(updated.version == 2)
    #expect(try bed.info(of: updated) == "one")
  }

  @Test func `Nothing stays of what an update was to start from if the disk is full`() async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let disk = FileSystem { call in if case .link = call { ENOSPC } else { nil } }
    let error = await #expect(throws: LibraryError.self) {
      try await bed.library(files: disk).reuse(map.id, in: "update")
    }
    guard case .diskFull? = error else {
      Issue.record("it says \(String(describing: error))")
      return
    }
    #expect(!FileSystem.live.exists(bed.layout.draft(of: "update")))
    #expect(!FileSystem.live.exists(bed.layout.staging("update")))
  }

  @Test func `A database that cannot be looked at now gets no second name`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let database = bed.geodatabase(of: map)
    let disk = FileSystem { $0 == .look(database.plainPath) ? EIO : nil }
    await #expect(throws: LibraryError.self) {
      try await bed.library(files: disk).reuse(map.id, in: "update")
    }
    #expect(try FileStatus(at: database)?.nameCount == 1)
    #expect(!FileSystem.live.exists(bed.layout.staging("update")))
  }

  @Test(.needsMounting)
  func `Databases are copied out of a home that can only be read`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { url in
      try FileManager.default.copyItem(at: bed.layout.home, to: url.appending(path: "home"))
    }
    let mounted = HomeLayout(home: medium.url.appending(path: "home"))
    let library = MapLibrary(
      layout: mounted, storage: try await SQLiteMapStorage.open(at: mounted.catalogue),
      now: { LibraryBed.day }, unsentEdits: { try Edits.count(in: $0) })
    let folder = temporaryDirectory.appending(path: "out")
    #expect(try await library.copyDatabases(of: map, to: folder) == [LibraryBed.path])
    #expect(try Edits.texts(in: folder.appending(path: LibraryBed.path)) == [])
    #expect(medium.url.isFileURL, "it is mounted all the time")
  }

  @Test(arguments: [true, false])
  func `Where the lock on edits cannot be made, a map is copied unless it is edited`(
    _ isEdited: Bool
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let lease = try await bed.library().open(map.id)
    if isEdited { try await bed.library().beginEditing(lease) }
    let file = bed.layout.editingLock(of: map).plainPath
    let home = FileSystem { call in
      call == .create(file) ? EACCES : nil
    }
    let folder = temporaryDirectory.appending(path: "out")
    do {
      let paths = try await bed.library(files: home).copyDatabases(of: map, to: folder)
      #expect(paths == [LibraryBed.path] && !isEdited)
    } catch {
      #expect(isEdited, "\(error)")
    }
    lease.endEditing()
  }

  @Test(arguments: ["nowhere", "x.gpkg", "home", "foreign.gpkg"])
  func `A link that bears the name of a database does not keep its map from being updated`(
    _ target: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try Edits.makeDatabase(at: temporaryDirectory.appending(path: "foreign.gpkg"))
    let library = bed.library()
    let map = try await bed.install(in: library)
    let link = bed.layout.place(of: map).appending(path: "p13/x.gpkg")
    // One of the targets is the link itself.
    let isCircle = target == link.lastPathComponent
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: isCircle ? link : temporaryDirectory.appending(path: target))
    #expect(try await library.unsentEdits(of: map.id) == 0)
    #expect(try await library.reuse(map.id, in: "update") != nil)
    let staged = bed.layout.staging("update")
    #expect(FileStatus(staged.appending(path: "p13/x.gpkg")) == nil)
    let updated = try await library.install(staged, as: bed.record())
    #expect(updated.version == 2)
    #expect(FileStatus(temporaryDirectory.appending(path: "foreign.gpkg"))?.kind == .file)
  }

  @Test func `Edits behind a link keep their map from being replaced`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let foreign = temporaryDirectory.appending(path: "foreign.gpkg")
    try Edits.makeDatabase(at: foreign)
    try Edits.add("mine", to: foreign)
    let library = bed.library()
    let map = try await bed.install(in: library)
    try FileManager.default.createSymbolicLink(
      at: bed.layout.place(of: map).appending(path: "p13/x.gpkg"), withDestinationURL: foreign)
    await #expect(throws: LibraryError.unsentEdits(map: map.title, count: 1)) {
      try await bed.install(info: "two", in: library)
    }
  }

  @Test func `Where there is nothing to start from, a job starts from nothing`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let deleted = try await bed.install("deleted", in: library)
    try await library.delete(deleted.id)
    let file = try await bed.installFile("file", in: library)
    let gone = try await bed.install("gone", in: library)
    try FileManager.default.removeItem(at: bed.layout.place(of: gone))
    for id in [deleted.id, file.id, gone.id, try #require(MapID("unknown"))] {
      let hold = try await library.reuse(id, in: "update")
      #expect(hold == nil, "\(id.text)")
      #expect(try await library.paths(changedBy: "update", in: id) == nil, "\(id.text)")
    }
    #expect(bed.layout.contents(of: .staging).isEmpty)
    // One that has begun goes on with what it has.
    let map = try await bed.install(in: library)
    let begun = bed.layout.staging("begun")
    try FileManager.default.createDirectory(at: begun, withIntermediateDirectories: true)
    let hold = try await library.reuse(map.id, in: "begun")
    #expect(hold == nil && names(in: begun).isEmpty)
  }

  @Test func `A file that a job rewrote counts as changed only if its contents differ`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    try await library.reuse(map.id, in: "update")
    let job = bed.layout.staging("update")
    // Removed before, since the stored map has the same files.
    for (name, data) in [
      ("p13/tiles.tpkx", Data(repeating: 7, count: 5_000)), ("package.info", Data("eno".utf8)),
    ] {
      try FileManager.default.removeItem(at: job.appending(path: name))
      try data.write(to: job.appending(path: name))
    }
    for name in [".note", "p13/.note", "p13/data.geodatabase-shm"] {
      try Data("x".utf8).write(to: job.appending(path: name))
    }
    #expect(try await library.paths(changedBy: "update", in: map.id) == ["package.info"])
    #expect(try bed.info(of: map) == "one")
  }

  @Test func `Databases are copied out with their edits, each of them, and nothing else is`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let staged = try bed.staged()
    let paths = LibraryBed.editablePaths
    try Edits.makeDatabase(at: staged.appending(path: paths[1]))
    let map = try await library.install(staged, as: bed.record())
    let place = bed.layout.place(of: map)
    for path in paths { try Edits.add(path, to: place.appending(path: path)) }
    let writer = try Connection(at: place.appending(path: paths[1]), access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("INSERT INTO edit VALUES ('logged')")
    let folder = temporaryDirectory.appending(path: "out")
    #expect(try await library.copyDatabases(of: map, to: folder) == paths)
    #expect(names(in: folder) == [".portolan-carried.json"] + paths)
    #expect(try Edits.texts(in: folder.appending(path: paths[0])) == [paths[0]])
    #expect(try Edits.texts(in: folder.appending(path: paths[1])) == [paths[1], "logged"])
    #expect(writer.changeCount == 1, "the log was there all the time")
    // Whoever has copied them keeps nobody from editing.
    try await library.editingLock(of: map).release()
  }

  @Test func `A database that was cut to nothing while it had a log is not copied without it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let file = bed.geodatabase(of: map)
    let log = try leaveLog(of: file, besides: Data())
    let folder = temporaryDirectory.appending(path: "out")
    let error = await #expect(throws: LibraryError.self) {
      try await library.copyDatabases(of: map, to: folder)
    }
    guard case .damaged(file.plainPath, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try Data(contentsOf: URL(filePath: file.plainPath + "-wal")) == log)
  }

  @Test(arguments: ["", "something else"])
  func `A damaged database is copied as it is where that is wanted, with its log`(
    _ rest: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let file = bed.geodatabase(of: map)
    let log = try leaveLog(of: file, besides: Data(rest.utf8))
    let folder = temporaryDirectory.appending(path: "out")
    let copied = try await library.copyDatabases(of: map, to: folder, evenIfDamaged: true)
    #expect(copied == [LibraryBed.path])
    #expect(try Data(contentsOf: folder.appending(path: LibraryBed.path)) == Data(rest.utf8))
    #expect(try Data(contentsOf: folder.appending(path: LibraryBed.path + "-wal")) == log)
    #expect(try Data(contentsOf: URL(filePath: file.plainPath + "-wal")) == log)
  }

  @Test func `A database whose log another program is merging is not copied without it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let url = bed.geodatabase(of: map)
    let writer = try Connection(at: url, access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("INSERT INTO edit VALUES ('mine')")
    // SQLite locks this byte of the index while it merges the log.
    let index = URL(filePath: url.plainPath + "-shm")
    let merging = try #require(try ByteLock.attempt(at: 121, of: index))
    let error = await #expect(throws: LibraryError.self) {
      try await library.reuse(map.id, in: "update")
    }
    guard case .beingWritten? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    merging.release()
    try await library.reuse(map.id, in: "update")
    let copy = bed.layout.staging("update").appending(path: LibraryBed.path)
    #expect(try Edits.texts(in: copy) == ["mine"])
    #expect(writer.changeCount == 1, "the log was there all the time")
  }

  @Test func `A database that another program writes to is not copied, though its map is damaged`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let writer = try Connection(at: bed.geodatabase(of: map), access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    // A reader of what was there before keeps the log from being merged.
    let reader = try Connection(at: bed.geodatabase(of: map), access: .readOnly)
    try reader.execute("BEGIN")
    #expect(try Edits.texts(in: reader).isEmpty)
    for text in ["first", "second"] {
      try writer.execute("INSERT INTO edit VALUES (?1)", .text(text))
    }
    let folder = temporaryDirectory.appending(path: "out")
    let error = await #expect(throws: LibraryError.self) {
      try await library.copyDatabases(of: map, to: folder, evenIfDamaged: true)
    }
    guard case .beingWritten? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try reader.execute("COMMIT")
  }

  /// Writes something else to a database whose last edit is in its log alone; returns the log.
  private func leaveLog(of file: URL, besides rest: Data) throws -> Data {
    let place = URL(filePath: file.plainPath + "-wal")
    let log: Data
    do {
      let writer = try Connection(at: file, access: .readWrite)
      try writer.execute("PRAGMA journal_mode = WAL")
      try writer.execute("INSERT INTO edit VALUES ('logged')")
      log = try Data(contentsOf: place)
      #expect(writer.changeCount == 1, "the log was there all the time")
    }
    try log.write(to: place)
    try rest.write(to: file)
    return log
  }

  @Test func `Nothing is copied of a map without databases, even while it is being edited`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await library.install(
      bed.staged(hasGeodatabase: false), as: bed.record())
    let lease = try await library.open(map.id)
    try await library.beginEditing(lease)
    let folder = temporaryDirectory.appending(path: "out")
    #expect(try await library.copyDatabases(of: map, to: folder) == [])
    #expect(!FileSystem.live.exists(folder))
    #expect(lease.isEditing)
  }

  @Test func `A folder that is named like a database is none, and goes along`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let staged = try bed.staged()
    let note = "p13/old.geodatabase/inner.gpkg/note.txt"
    try FileManager.default.createDirectory(
      at: staged.appending(path: note).deletingLastPathComponent(),
      withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: staged.appending(path: note))
    let first = try await library.install(staged, as: bed.record())
    let folder = temporaryDirectory.appending(path: "out")
    #expect(try await library.copyDatabases(of: first, to: folder) == [LibraryBed.path])
    try Edits.add("mine", to: bed.geodatabase(of: first))
    try await library.reuse(first.id, in: "update")
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == ["mine"])
    let moved = bed.layout.place(of: second).appending(path: note)
    #expect(try Data(contentsOf: moved) == Data("mine".utf8))
    #expect(try await library.unsentEdits() == [first.id: 1])
  }

  @Test func `What starting from a map copies is the bytes of its databases`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let staged = try bed.staged()
    let paths = LibraryBed.editablePaths
    try Edits.makeDatabase(at: staged.appending(path: paths[1]))
    let map = try await bed.library().install(staged, as: bed.record())
    let place = bed.layout.place(of: map)
    let sizes = paths.map { FileStatus(place.appending(path: $0))?.byteCount ?? 0 }
    #expect(sizes.allSatisfy { $0 > 0 })
    #expect(MapLibrary.byteCountCopied(reusing: place) == sizes.reduce(0, +))
    #expect(MapLibrary.byteCountCopied(reusing: place.appending(path: "package.info")) == 0)
    #expect(MapLibrary.byteCountCopied(reusing: place.appending(path: "gone")) == 0)
  }

  @Test func `On a disk without second names starting from a map copies all its files`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let place = bed.layout.place(of: map)
    try Data(count: 100).write(to: place.appending(path: "p13/b.tpkx.part"))
    let disk = FileSystem { call in if case .link = call { EPERM } else { nil } }
    let names = [
      LibraryBed.path, "p13/mobile_map.mmap", "p13/tiles.tpkx", "package.info",
    ]
    let sizes = names.map { FileStatus(place.appending(path: $0))?.byteCount ?? 0 }
    #expect(MapLibrary.byteCountCopied(reusing: place, in: disk) == sizes.reduce(0, +))
    #expect(MapLibrary.byteCountCopied(reusing: place) == sizes[0])
  }

  /// The names of files in the folder of a database, with whether they go with it.
  @Test(arguments: [
    ("p13/a.gpkg", true), ("p13/a.gpkg-wal", true), ("p13/a.gpkg.aux.xml", true),
    ("p13/a.gpkgs", false), ("p13/a.gpkg_notes.txt", false), ("p13/a.gpkg-pictures/b.png", false),
    ("p13/a.gpkg.notes/b.txt", false), ("p13/a.gp", false), ("a.gpkg", false),
  ])
  func `Files of a database share its name and add a suffix`(_ path: String, _ belongs: Bool) {
    #expect(MapLibrary.belongs(path, toOneOf: ["other.gpkg", "p13/a.gpkg"]) == belongs)
  }
}
