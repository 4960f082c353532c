import Foundation
import Glibc
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// Edits at the moment in which one version of a map takes the place of another.
@Suite(.temporaryDirectory) struct HandedOverEditsTests {
  /// Whether somebody could begin to edit a version.
  private static func isFree(_ file: URL) -> Bool {
    guard let lock = try? FileLock.attempt(.exclusive, on: .lockFile(file)) else { return false }
    lock.release()
    return true
  }

  @Test func `A version cannot be edited while another takes its place`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    let file = bed.layout.editingLock(of: first)
    let seen = Mutex<[LibraryStep: Bool]>([:])
    let library = bed.library(report: { step in
      seen.withLock { $0[step] = Self.isFree(file) }
    })
    let second = try await bed.install(info: "two", in: library)
    let steps: [LibraryStep] = [.installAnnounced, .installMoved, .installRecorded]
    #expect(steps.map { step in seen.withLock { $0[step] } } == [false, false, false])
    #expect(Self.isFree(file))
    let next = bed.layout.editingLock(of: second)
    let isFree = Mutex<Bool?>(nil)
    let other = bed.library(report: { step in
      if step == .rollbackRecorded { isFree.withLock { $0 = Self.isFree(next) } }
    })
    try await other.rollBack(first.id)
    #expect(isFree.withLock { $0 } == false)
  }

  /// A version with an edit that has taken its place, and whose process died before it was recorded.
  private func moveUnrecorded(_ bed: LibraryBed) async throws -> StoredMap {
    var map = try bed.record()
    map.version = 2
    let folder = try bed.staged("dead")
    let file = try #require(FileStatus(folder)?.identity)
    try await bed.storage.announce(
      MapInstallation(
        map: map, staged: "dead", file: file, version: MapVersion(map: map, files: [])))
    try DurableMove.move(folder, to: bed.layout.place(of: map))
    try Edits.add("mine", to: bed.geodatabase(of: map))
    return map
  }

  @Test func `A version that a dead process put in its place is not passed over`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    // It is open all the time, so that nothing is recovered as it starts.
    let library = bed.library()
    try await bed.install(in: library)
    let second = try await moveUnrecorded(bed)
    let refusal = LibraryError.unsentEdits(map: second.title, count: 1)
    await #expect(throws: refusal) { try await bed.install(info: "three", in: library) }
    #expect(try await library.maps() == [second])

    let other = try await LibraryBed(in: temporaryDirectory.appending(path: "other"))
    let others = other.library()
    try await other.install(in: others)
    let next = try await moveUnrecorded(other)
    await #expect(throws: refusal) { try await others.delete(next.id) }
    #expect(try await others.maps() == [next])
  }

  @Test func `A version that a dead process put in its place is on the disk before it is recorded`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    let second = try await moveUnrecorded(bed)
    let folders = [bed.layout.container(of: second.id, .folder), bed.layout.folder(.staging)]
    for folder in folders {
      let path = folder.plainPath
      let disk = FileSystem { $0 == .sync(path) ? EIO : nil }
      try await bed.library(files: disk).recover()
      #expect(try await bed.storage.installations().count == 1)
      #expect(try await bed.library().maps().map(\.version) == [1])
    }
    try await bed.library().recover()
    #expect(try await bed.library().maps() == [second])
  }

  @Test func `A version that is replaced just before the lock is had is not edited`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    let second = try await bed.install(info: "two", in: bed.library())
    let first = try await bed.library().rollBack(second.id)
    let lease = try await bed.library().open(first.id)
    let (path, catalogue) = (bed.layout.editingLock(of: first).plainPath, bed.layout.catalogue)
    let disk = FileSystem { call in
      guard call == .lock(path) else { return nil }
      do {
        let other = try Connection(at: catalogue, access: .readWrite)
        try other.execute("UPDATE stored_map SET version = 2")
      } catch {
        Issue.record(error)
      }
      return nil
    }
    await #expect(throws: LibraryError.outdated(map: first.title)) {
      try await bed.library(files: disk).beginEditing(lease)
    }
    #expect(!lease.isEditing)
  }

  @Test func `A copy that another program has written to does not count as reused`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try Edits.add("mine", to: bed.geodatabase(of: first))
    try await library.reuse(first.id, in: "update")
    let staged = bed.layout.staging("update")
    let copy = staged.appending(path: LibraryBed.path)
    let size = FileStatus(copy)?.byteCount
    try Connection(at: copy, access: .readWrite).execute("UPDATE edit SET text = 'lost'")
    #expect(FileStatus(copy)?.byteCount == size)
    await #expect(throws: LibraryError.unsentEdits(map: first.title, count: 1)) {
      try await library.install(staged, as: bed.record())
    }
    #expect(try Edits.texts(in: bed.geodatabase(of: first)) == ["mine"])
  }

  @Test(arguments: ["p13/DATA.GEODATABASE", "p13/Data.GPKG"])
  func `A database whose name is in capitals is copied with its edits, not linked`(
    _ path: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try Edits.add("mine", to: bed.geodatabase(of: first))
    try await library.reuse(first.id, in: "update")
    let copy = bed.layout.staging("update").appending(path: path)
    #expect(FileStatus(copy)?.identity != FileStatus(bed.geodatabase(of: first))?.identity)
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == ["mine"])
    let lease = try await library.open(second.id)
    try await library.beginEditing(lease)
    let versions = try await bed.storage.versions(of: second.id)
    #expect(versions.map(\.isEdited) == [false, true])
  }

  @Test func `A database that a job took from an older version is a change of the map`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await library.reuse(first.id, in: "slow")
    try await library.reuse(first.id, in: "quick")
    try Edits.add("mine", to: bed.geodatabase(of: first))
    try await library.install(bed.layout.staging("quick"), as: bed.record())
    #expect(try await library.paths(changedBy: "slow", in: first.id) == [LibraryBed.path])
  }

  @Test func `Edits that were copied again are on the disk before the map takes its place`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await bed.library().reuse(first.id, in: "update")
    try Edits.add("mine", to: bed.geodatabase(of: first))
    let staged = bed.layout.staging("update")
    let copy = staged.appending(path: LibraryBed.path).plainPath
    let late = Mutex<[FileSystemCall]?>(nil)
    let disk = FileSystem { call in
      late.withLock { $0?.append(call) }
      return nil
    }
    let library = bed.library(
      files: disk,
      report: { step in
        if step == .installSynced { late.withLock { $0 = [] } }
      })
    let second = try await library.install(staged, as: bed.record())
    let calls = late.withLock { $0 ?? [] }
    let move = try #require(
      calls.firstIndex(of: .move(staged.plainPath, to: bed.layout.place(of: second).plainPath)))
    #expect(calls[..<move].contains(.sync(copy)))
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == ["mine"])
  }

  @Test func `A copy stays one though it is written to, and what replaces it is none`() async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await bed.library().reuse(first.id, in: "update")
    let staged = bed.layout.staging("update")
    let carried = try #require(CarriedGeodatabases(in: staged))
    #expect(carried.isCopy(at: LibraryBed.path, in: staged))
    #expect(!carried.isCopy(at: "p13/other.geodatabase", in: staged))
    let copy = staged.appending(path: LibraryBed.path)
    try Edits.add("theirs", to: copy)
    #expect(carried.isCopy(at: LibraryBed.path, in: staged))
    #expect(carried.geodatabase(at: LibraryBed.path, in: staged) == nil)
    try FileManager.default.moveItem(at: copy, to: temporaryDirectory.appending(path: "aside"))
    #expect(!carried.isCopy(at: LibraryBed.path, in: staged))
    try Edits.makeDatabase(at: copy)
    #expect(!carried.isCopy(at: LibraryBed.path, in: staged))
  }

  @Test func `Edits that were copied again are recorded as they are now`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await bed.library().reuse(first.id, in: "update")
    try Edits.add("mine", to: bed.geodatabase(of: first))
    let second = try await bed.library().install(
      bed.layout.staging("update"), as: bed.record())
    let versions = try await bed.storage.versions(of: second.id)
    let version = try #require(versions.first { $0.number == second.version })
    let file = try #require(version.files.first { $0.path == LibraryBed.path })
    let status = try #require(FileStatus(bed.geodatabase(of: second)))
    #expect(file.byteCount == status.byteCount && file.modified == status.modified)
    #expect(try file.digest == FileDigest.digest(of: bed.geodatabase(of: second)) { _ in })
  }

  @Test func `Edits that cannot be copied completely leave the copy as it was`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await library.reuse(first.id, in: "update")
    try Edits.add("mine", to: bed.geodatabase(of: first))
    // Files of another program beside a database belong to it; its place is not free.
    let name = LibraryBed.path + ".aux.xml"
    try Data("x".utf8).write(to: bed.layout.place(of: first).appending(path: name))
    let staged = bed.layout.staging("update")
    try FileManager.default.createDirectory(
      at: staged.appending(path: "\(name)/taken"), withIntermediateDirectories: true)
    await #expect(throws: LibraryError.self) {
      try await library.install(staged, as: bed.record())
    }
    #expect(try Edits.texts(in: staged.appending(path: LibraryBed.path)) == [])
    #expect(try Edits.texts(in: bed.geodatabase(of: first)) == ["mine"])
  }

  @Test func `A database whose log cannot be read is not reused without it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    let database = bed.geodatabase(of: first)
    var bytes = try Data(contentsOf: database)
    bytes.replaceSubrange(100..<200, with: Data(repeating: 0xFF, count: 100))
    try bytes.write(to: database)
    try Data("edits".utf8).write(to: URL(filePath: database.plainPath + "-wal"))
    await #expect(throws: LibraryError.self) { try await library.reuse(first.id, in: "update") }
  }

  /// A version and its update, which took its database along and was used since.
  private func update(_ bed: LibraryBed) async throws -> (first: StoredMap, second: StoredMap) {
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await library.reuse(first.id, in: "update")
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    let lease = try await library.open(second.id)
    try await library.beginEditing(lease)
    try Edits.add("sent", to: bed.geodatabase(of: second))
    try Edits.send(in: bed.geodatabase(of: second))
    lease.endEditing()
    return (first, second)
  }

  @Test func `Copied files are on the disk, and count as edited, before they become the map`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (first, second) = try await update(bed)
    let calls = Mutex<[FileSystemCall]>([])
    let count = Mutex(0)
    let disk = FileSystem { call in
      calls.withLock { $0.append(call) }
      return nil
    }
    let library = bed.library(
      files: disk,
      report: { step in
        if step == .rollbackRecorded { count.withLock { $0 = calls.withLock { $0.count } } }
      })
    #expect(try await library.rollBack(second.id) == first)
    let before = calls.withLock { $0 }.prefix(count.withLock { $0 })
    #expect(before.contains(.sync(bed.geodatabase(of: first).plainPath)))
    #expect(try Edits.sent(in: bed.geodatabase(of: first)) == ["sent"])
    let versions = try await bed.storage.versions(of: first.id)
    #expect(versions.first { $0.number == first.version }?.isEdited == true)
  }

  @Test func `An update gets no number of one that was taken back, from which databases came`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await library.reuse(first.id, in: "update")
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    try Edits.add("mine", to: bed.geodatabase(of: second))
    try Edits.send(in: bed.geodatabase(of: second))
    try await library.rollBack(second.id)
    #expect(try await library.reclaimSpace() > 0)
    let staged = try bed.staged("other")
    try Edits.add("theirs", to: staged.appending(path: bed.path))
    try Edits.send(in: staged.appending(path: bed.path))
    let third = try await library.install(staged, as: bed.record())
    #expect(third.version == 3)
    try await library.rollBack(third.id)
    #expect(try Edits.sent(in: bed.geodatabase(of: first)) == ["mine"])
  }

  @Test func `Edits in a rolled-back update outlast a map whose databases are missing`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try Edits.add("mine", to: bed.geodatabase(of: first))
    try await library.reuse(first.id, in: "update")
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    try await library.rollBack(second.id)
    try FileManager.default.removeItem(at: bed.geodatabase(of: first))
    try await bed.install(info: "three", in: library)
    try await library.emptyTrash()
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == ["mine"])
  }
}
