import Foundation
import PortolanFiles
import PortolanJobs
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// Versions of a map side by side: updates that lose nothing, and the way back.
@Suite(.temporaryDirectory) struct MapVersionTests {
  // MARK: - Edits

  @Test(arguments: LibraryBed.editablePaths)
  func `An update takes the edits of the version before along, also those made meanwhile`(
    _ path: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let before = try await bed.install(in: library)
    try Edits.add("first", to: bed.geodatabase(of: before))
    try await library.reuse(before.id, in: "update")
    // Between staging and installing somebody goes on editing.
    try Edits.add("second", to: bed.geodatabase(of: before))
    let after = try await library.install(bed.layout.staging("update"), as: bed.record())
    #expect(after.version == 2)
    #expect(try Edits.texts(in: bed.geodatabase(of: after)) == ["first", "second"])
    #expect(try Edits.texts(in: bed.geodatabase(of: before)) == ["first", "second"])
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `A process that dies while copying later edits leaves a job that resumes`(
    _ path: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let before = try await bed.install(in: library)
    let (place, staging) = (bed.layout.place(of: before), bed.layout.staging("update"))
    try Edits.add("first", to: bed.geodatabase(of: before))
    try await library.reuse(before.id, in: "update")
    try Edits.add("second", to: bed.geodatabase(of: before))
    // It dies before the new copy takes its place, which is not to be had here.
    let (copy, aside) = (staging.appending(path: path), temporaryDirectory.appending(path: "aside"))
    try FileManager.default.moveItem(at: copy, to: aside)
    try FileManager.default.createDirectory(
      at: copy.appending(path: "full"), withIntermediateDirectories: true)
    var interrupted = try #require(CarriedGeodatabases(in: staging))
    #expect(throws: LibraryError.self) {
      try interrupted.carry(path, from: place, to: staging)
    }
    try FileManager.default.removeItem(at: copy)
    try FileManager.default.moveItem(at: aside, to: copy)
    #expect(CarriedGeodatabases(in: staging)?.geodatabase(at: path, in: staging) != nil)
    // It dies after that, and before it writes what it has taken along.
    var unwritten = try #require(CarriedGeodatabases(in: staging))
    try unwritten.carry(path, from: place, to: staging)
    let found = try #require(CarriedGeodatabases(in: staging)?.geodatabase(at: path, in: staging))
    #expect(try found.source == GeodatabaseState(of: bed.geodatabase(of: before)))
    let after = try await library.install(staging, as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: after)) == ["first", "second"])
  }

  /// Adds an edit in write-ahead mode; the journal stays where somebody else has the file open.
  private static func write(_ text: String, to url: URL) throws {
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("INSERT INTO edit VALUES (?1)", .text(text))
  }

  @Test func `Closing a geodatabase while a copy of it is made does not write to it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let before = try await bed.install(in: library)
    let (place, staging) = (bed.layout.place(of: before), bed.layout.staging("update"))
    let source = bed.geodatabase(of: before)
    try await library.reuse(before.id, in: "update")
    for number in 0..<160 {
      // A reader keeps the journal, until it closes at one moment or another of what follows.
      let opened = DispatchSemaphore(value: 0)
      let closed = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        defer { closed.signal() }
        do {
          let reader = try Connection(at: source, access: .readOnly)
          #expect(try reader.query("SELECT count(*) FROM edit").step())
          try Self.write("\(number)", to: source)
          let rows = try reader.query("SELECT * FROM edit")
          #expect(try rows.step())
          opened.signal()
          for _ in 0..<(number * 97 % 4_000) { _ = FileStatus(source) }
          rows.reset()
        } catch {
          Issue.record(error)
          opened.signal()
        }
      }
      opened.wait()
      var carried = try #require(CarriedGeodatabases(in: staging))
      #expect(throws: Never.self) { try carried.carry(LibraryBed.path, from: place, to: staging) }
      closed.wait()
    }
    #expect(try Edits.texts(in: staging.appending(path: LibraryBed.path)).count == 160)
  }

  @Test func `A folder beside a geodatabase keeps no update from starting, and a file goes along`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let before = try await bed.install(in: library)
    let geodatabase = bed.geodatabase(of: before)
    try Edits.add("first", to: geodatabase)
    for suffix in ["-pictures", ".notes"] {
      let folder = URL(filePath: geodatabase.plainPath + suffix)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: folder.appending(path: "note.txt"))
    }
    // The last of them only begins like the database.
    let others = ["-pictures/note.txt", ".notes/note.txt", ".aux.xml", "s.txt"]
    for name in others.suffix(2) {
      try Data("<xml/>".utf8).write(to: URL(filePath: geodatabase.plainPath + name))
    }
    try await library.reuse(before.id, in: "update")
    let after = try await library.install(bed.layout.staging("update"), as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: after)) == ["first"])
    for name in others {
      let file = URL(filePath: bed.geodatabase(of: after).plainPath + name)
      #expect(FileStatus(file)?.kind == .file, "\(name)")
    }
  }

  @Test func `Copies that a process was making when it died do not become a part of the map`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let before = try await bed.install(in: library)
    try await library.reuse(before.id, in: "update")
    let draft = bed.layout.staging("update").appending(path: ".portolan-carrying")
    try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
    try Edits.makeDatabase(at: draft.appending(path: "data.geodatabase"))
    #expect(bed.layout.isCarried(draft.appending(path: "data.geodatabase")))
    let after = try await library.install(bed.layout.staging("update"), as: bed.record())
    let left = bed.layout.place(of: after).appending(path: ".portolan-carrying")
    #expect(FileStatus(left) == nil)
    let version = try #require(await bed.storage.versions(of: after.id).last)
    #expect(version.files.filter(\.isEditableDatabase).map(\.path) == [LibraryBed.path])
  }

  @Test func `Files that a job copied and did not change are the same as in the previous version`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    #expect(try await library.paths(changedBy: "none", in: #require(MapID("other"))) == nil)
    try await library.reuse(map.id, in: "update")
    try Edits.add("mine", to: bed.geodatabase(of: map))
    #expect(try await library.paths(changedBy: "update", in: map.id) == [])
    let staging = bed.layout.staging("update")
    try FileManager.default.removeItem(at: staging.appending(path: "p13/tiles.tpkx"))
    try Data().write(to: staging.appending(path: "p13/new.tpkx"))
    try FileManager.default.removeItem(at: staging.appending(path: LibraryBed.path))
    try Edits.makeDatabase(at: staging.appending(path: LibraryBed.path))
    #expect(
      try await library.paths(changedBy: "update", in: map.id)
        == ["p13/new.tpkx", "p13/tiles.tpkx", LibraryBed.path])
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `A database in write-ahead mode is copied together with its log`(
    _ path: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let before = try await bed.install(in: library)
    let url = bed.geodatabase(of: before)
    let writer = try Connection(at: url, access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("INSERT INTO edit VALUES ('in the journal')")
    try await library.reuse(before.id, in: "update")
    let copy = bed.layout.staging("update").appending(path: path)
    #expect(try Edits.texts(in: copy) == ["in the journal"])
    #expect(FileStatus(copy)?.identity != FileStatus(url)?.identity, "it is no second name")
    #expect(writer.changeCount == 1, "the journal was there all the time")
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `A journal that a reader keeps is no hindrance once all of it is in the database`(
    _ path: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let before = try await bed.install(in: library)
    let url = bed.geodatabase(of: before)
    let writer = try Connection(at: url, access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("INSERT INTO edit VALUES ('in the journal')")
    let reader = try Connection(at: url, access: .readOnly)
    try reader.execute("BEGIN")
    #expect(try Edits.texts(in: reader) == ["in the journal"])
    try await library.reuse(before.id, in: "update")
    let copy = bed.layout.staging("update").appending(path: path)
    #expect(try Edits.texts(in: copy) == ["in the journal"])
    // A commit after the reader has begun cannot be merged, and is not lost.
    try writer.execute("INSERT INTO edit VALUES ('later')")
    #expect(try Edits.texts(in: reader) == ["in the journal"])
    try reader.execute("COMMIT")
    let after = try await library.install(bed.layout.staging("update"), as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: after)) == ["in the journal", "later"])
  }

  @Test func `A geodatabase whose log is partly held by a reader is not copied without it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let before = try await bed.install(in: library)
    let url = bed.geodatabase(of: before)
    let writer = try Connection(at: url, access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    let reader = try Connection(at: url, access: .readOnly)
    try reader.execute("BEGIN")
    #expect(try Edits.texts(in: reader).isEmpty)
    for text in ["first", "second"] {
      try writer.execute("INSERT INTO edit VALUES (?1)", .text(text))
    }
    let error = await #expect(throws: LibraryError.self) {
      try await library.reuse(before.id, in: "update")
    }
    guard case .beingWritten? = error else {
      Issue.record("it says \(String(describing: error))")
      return
    }
    try reader.execute("COMMIT")
    try await library.reuse(before.id, in: "update")
    let copy = bed.layout.staging("update").appending(path: LibraryBed.path)
    #expect(try Edits.texts(in: copy) == ["first", "second"])
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `A journal removed with its last reader does not turn copied edits into new ones`(
    _ path: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let before = try await bed.install(in: library)
    let url = bed.geodatabase(of: before)
    let after: StoredMap
    do {
      let writer = try Connection(at: url, access: .readWrite)
      try writer.execute("PRAGMA journal_mode = WAL")
      try writer.execute("INSERT INTO edit VALUES ('mine')")
      let reader = try Connection(at: url, access: .readOnly)
      try reader.execute("BEGIN")
      #expect(try Edits.texts(in: reader) == ["mine"])
      try await library.reuse(before.id, in: "update")
      after = try await library.install(bed.layout.staging("update"), as: bed.record())
      try reader.execute("COMMIT")
      #expect(writer.changeCount == 1, "the journal was there all the time")
    }
    #expect(!FileSystem.live.exists(URL(filePath: url.path(percentEncoded: false) + "-wal")))
    try Edits.send(in: bed.geodatabase(of: after))
    #expect(try await library.unsentEdits(of: after.id) == 0)
    #expect(try await library.rollBack(after.id) == before)
    #expect(try Edits.texts(in: url) == [])
    #expect(try Edits.sent(in: url) == ["mine"])
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `Edits that were copied again from a log are settled`(_ path: String) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await library.reuse(first.id, in: "update")
    do {
      let writer = try Connection(at: bed.geodatabase(of: first), access: .readWrite)
      try writer.execute("PRAGMA journal_mode = WAL")
      try writer.execute("INSERT INTO edit VALUES ('late')")
      try await library.install(bed.layout.staging("update"), as: bed.record())
      #expect(writer.changeCount == 1, "the log was there all the time")
    }
    let before = try #require(try await library.earlierVersions(of: first.id).first)
    #expect(try await library.unsentEdits(onlyIn: before) == 0)
    #expect(try await library.unsentEdits(of: first.id) == 1)
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `A new version without the database that was edited is refused`(_ path: String) async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let before = try await bed.install(in: library)
    try Edits.add("mine", to: bed.geodatabase(of: before))
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await library.install(bed.staged("new", hasGeodatabase: false), as: bed.record())
    }
    #expect(try await library.maps() == [before])
    #expect(try Edits.texts(in: bed.geodatabase(of: before)) == ["mine"])
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `A database that was downloaded again does not replace edits`(_ path: String) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let before = try await bed.install(in: library)
    try Edits.add("mine", to: bed.geodatabase(of: before))
    try await library.reuse(before.id, in: "update")
    let copy = bed.layout.staging("update").appending(path: path)
    try FileManager.default.removeItem(at: copy)
    try Edits.makeDatabase(at: copy)
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await library.install(bed.layout.staging("update"), as: bed.record())
    }
    #expect(try await library.maps() == [before])
  }

  @Test func `Edits that cannot be counted keep an update waiting`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let before = try await bed.install(in: bed.library())
    try Data("no database".utf8).write(to: bed.geodatabase(of: before))
    await #expect {
      try await bed.library().install(bed.staged("new"), as: bed.record())
    } throws: { error in
      guard case LibraryError.editsUnknown(map: "Map a", _) = error else { return false }
      return true
    }
    #expect(try await bed.library().maps() == [before])
  }

  @Test func `A map whose files are missing can be downloaded again`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let before = try await bed.install(in: library)
    try FileManager.default.removeItem(at: bed.layout.place(of: before).deletingLastPathComponent())
    let after = try await bed.install(in: library)
    #expect(try await library.maps() == [after] && after.version == 2)
  }

  // MARK: - The way back

  @Test func `The version before comes back, and so does the update`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(info: "first", in: library)
    let second = try await bed.install(info: "second", in: library)
    #expect(try await library.rollBack(first.id) == first)
    #expect(try await library.maps() == [first])
    #expect(try bed.info(of: first) == "first")
    #expect(try await library.rollBack(first.id) == second)
    #expect(try await library.maps() == [second])
    let third = try await bed.install(info: "third", in: library)
    #expect(third.version == 3, "no number is used twice")
  }

  @Test func `Edits that were not sent keep a map from being rolled back`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    try await bed.install(in: library)
    let second = try await bed.install(in: library)
    let lease = try await library.open(second.id)
    try await library.beginEditing(lease)
    try Edits.add("mine", to: bed.geodatabase(of: second))
    lease.endEditing()
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await library.rollBack(second.id)
    }
    #expect(try await library.maps() == [second])
  }

  @Test func `An update that took edits along comes back, unless there are others by then`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    let lease = try await library.open(first.id)
    try await library.beginEditing(lease)
    try Edits.add("mine", to: bed.geodatabase(of: first))
    lease.endEditing()
    try await library.reuse(first.id, in: "update")
    try await library.install(bed.layout.staging("update"), as: bed.record())
    for version in [1, 2, 1] {
      #expect(try await library.rollBack(first.id).version == version)
    }
    try Edits.add("another", to: bed.geodatabase(of: first))
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 2)) {
      try await library.rollBack(first.id)
    }
  }

  /// A map with an edit, and an update that took it along.
  private func updatedWithEdit(
    _ bed: LibraryBed, _ path: String
  ) async throws -> (first: StoredMap, second: StoredMap) {
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await edit("mine", in: first, bed)
    try await library.reuse(first.id, in: "update")
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    return (first, second)
  }

  private func edit(_ text: String, in map: StoredMap, _ bed: LibraryBed) async throws {
    let library = bed.library()
    let lease = try await library.open(map.id)
    try await library.beginEditing(lease)
    try Edits.add(text, to: bed.geodatabase(of: map))
    lease.endEditing()
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `Edits sent since an update stay sent when the update is rolled back`(
    _ path: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let (first, second) = try await updatedWithEdit(bed, path)
    try await edit("changed", in: second, bed)
    try Edits.send(in: bed.geodatabase(of: second))
    #expect(try await library.rollBack(first.id) == first)
    #expect(try Edits.texts(in: bed.geodatabase(of: first)) == [], "nothing is to be sent again")
    #expect(try Edits.sent(in: bed.geodatabase(of: first)) == ["mine", "changed"])
    try await edit("later", in: first, bed)
    try Edits.send(in: bed.geodatabase(of: first))
    #expect(try await library.rollBack(first.id) == second)
    #expect(try Edits.sent(in: bed.geodatabase(of: second)) == ["mine", "changed", "later"])
    #expect(try await library.unsentEdits(of: first.id) == 0)
    // A difference from the installed version is no damage.
    let audit = LibraryAudit(
      library, check: { $0.lastPathComponent }, now: { LibraryBed.day }, makeID: { first.id })
    #expect(try await audit.findings() == [])
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `Edits that only the version before holds stay when it comes back`(
    _ path: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let (first, second) = try await updatedWithEdit(bed, path)
    try Edits.send(in: bed.geodatabase(of: second))
    // Another program, which knows of no leases, edits the version before.
    try Edits.add("theirs", to: bed.geodatabase(of: first))
    #expect(try await library.rollBack(first.id) == first)
    #expect(try Edits.texts(in: bed.geodatabase(of: first)) == ["mine", "theirs"])
  }

  @Test func `What a process copied before it died is copied again`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let (first, second) = try await updatedWithEdit(bed, LibraryBed.path)
    try Edits.send(in: bed.geodatabase(of: second))
    // It died before the version before became the current one.
    let versions = try await library.storage.versions(of: first.id)
    let (earlier, current) = (
      try #require(versions.first { $0.number == 1 }),
      try #require(versions.first { $0.number == 2 })
    )
    try await library.bringAlong(current, into: earlier)
    try await edit("later", in: second, bed)
    try Edits.send(in: bed.geodatabase(of: second))
    #expect(try await library.rollBack(first.id) == first)
    #expect(try Edits.texts(in: bed.geodatabase(of: first)) == [])
    #expect(try Edits.sent(in: bed.geodatabase(of: first)) == ["mine", "later"])
  }

  @Test func `A database that an update downloaded stays its own when the update is taken back`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await library.reuse(first.id, in: "update")
    // The portal has another one, which takes the place of the copy and is synchronized later.
    let download = bed.layout.staging("update").appending(path: LibraryBed.path)
    try FileManager.default.removeItem(at: download)
    try Edits.makeDatabase(at: download)
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    try await edit("theirs", in: second, bed)
    try Edits.send(in: bed.geodatabase(of: second))
    let before = try Data(contentsOf: bed.geodatabase(of: first))
    #expect(try await library.rollBack(first.id) == first)
    #expect(try Data(contentsOf: bed.geodatabase(of: first)) == before)
  }

  @Test func `A version that is being read is not restored with databases of another`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    let reader = try await library.open(first.id)
    try await library.reuse(first.id, in: "update")
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    try await edit("mine", in: second, bed)
    try Edits.send(in: bed.geodatabase(of: second))
    await #expect(throws: LibraryError.inUse(map: "Map a", by: "this program")) {
      try await library.rollBack(first.id)
    }
    #expect(try await library.maps() == [second])
    withExtendedLifetime(reader) {}
  }

  @Test func `A map without an earlier version cannot be rolled back`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    await #expect(throws: LibraryError.noEarlierVersion(map: "Map a")) {
      try await bed.library().rollBack(map.id)
    }
  }

  // MARK: - Space

  @Test func `One earlier version is kept until its space is requested`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    for _ in 1...3 { try await bed.install(in: library) }
    #expect(try await library.earlierVersions(of: bed.record().id).map(\.number) == [2])
    #expect(try await library.emptyTrash() > 0)
    #expect(try await library.earlierVersions(of: bed.record().id).isEmpty)
    #expect(try await library.maps().map(\.version) == [3])
    #expect(bed.layout.contents(of: .trash).isEmpty)
  }

  @Test func `After an update was taken back, the next one can be taken back to the same version`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(info: "first", in: library)
    try await bed.install(info: "unwanted", in: library)
    #expect(try await library.rollBack(first.id) == first)
    try await bed.install(info: "third", in: library)
    #expect(try await library.earlierVersions(of: first.id).map(\.number) == [1])
    #expect(try await library.rollBack(first.id) == first)
    #expect(try bed.info(of: first) == "first")
  }

  @Test func `A version that is being read is kept even if its space is requested`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    let lease = try await library.open(first.id)
    try await bed.install(in: library)
    try await bed.install(in: library)
    try await library.emptyTrash()
    #expect(try Edits.texts(in: lease.url.appending(path: LibraryBed.path)) == [])
    #expect(try await library.earlierVersions(of: first.id).map(\.number) == [1])
  }

  @Test func `A version with edits that its successor lacks is kept`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await bed.install(in: library)
    // A program that knows nothing of leases.
    try Edits.add("late", to: bed.geodatabase(of: first))
    try await library.emptyTrash()
    #expect(try Edits.texts(in: bed.geodatabase(of: first)) == ["late"])
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await library.delete(first.id)
    }
  }

  @Test func `The version before goes after days of use`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    try await bed.install(in: bed.library())
    for day in 1...3 {
      let later = LibraryBed.day.addingTimeInterval(Double(day) * 86_400)
      try await bed.library(now: later, retention: 3).recover()
      let count = try await bed.library().earlierVersions(of: bed.record().id).count
      #expect(count == (day < 3 ? 1 : 0), "day \(day)")
    }
  }

  @Test func `A deleted map comes back with its versions`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(info: "first", in: library)
    let second = try await bed.install(info: "second", in: library)
    try await library.delete(first.id)
    try await library.recover()
    try await library.reclaimSpace()
    try await library.undoDeletion(of: first.id)
    #expect(try await library.maps() == [second])
    #expect(try await library.rollBack(first.id) == first)
    #expect(try bed.info(of: first) == "first")
  }

  @Test func `Services are informed of the copies of a version once it is removed, not before`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let address = try #require(URL(string: "https://h/unRegisterReplica"))
    let library = bed.library(releases: { map, place, others in
      guard let id = OutboxMessage.ID("gone-\(map.version)-\(others.count)"),
        FileStatus(place) != nil, !others.contains(where: { $0.path == place.path })
      else { return [] }
      return [
        OutboxMessage(
          id: id, purpose: "", portal: address, address: address, fields: [:],
          created: LibraryBed.day)
      ]
    })
    let first = try await bed.install(in: library)
    try await bed.install(in: library)
    #expect(try await bed.storage.outgoingMessages().isEmpty)
    try await bed.install(in: library)
    #expect(FileStatus(bed.layout.place(of: first)) == nil)
    #expect(try await bed.storage.outgoingMessages().map(\.id.text) == ["gone-1-2"])
  }
}
