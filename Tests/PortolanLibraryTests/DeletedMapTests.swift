import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// The records and files at each step of deleting, restoring and emptying the trash.
@Suite(.temporaryDirectory) struct DeletedMapTests {
  private func names(_ folder: HomeLayout.Folder, _ bed: LibraryBed) -> [String] {
    bed.layout.contents(of: folder).map(\.lastPathComponent)
  }

  private func freed(_ urls: URL...) -> Int {
    urls.reduce(0) { $0 + DiskUsage.freed(byRemoving: $1).allocatedByteCount }
  }

  @Test func `A deletion is recorded with its moment and its day before anything moves`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    for day in 1...3 { _ = try await bed.storage.recordUse(onDay: day) }
    let map = try await bed.install(in: bed.library())
    let places = [bed.layout.place(of: map), bed.layout.deletedPlace(of: map)]
    let seen = Mutex<[LibraryStep: [Bool]]>([:])
    let library = bed.library(report: { step in
      seen.withLock { $0[step] = places.map(FileSystem.live.exists) }
    })
    try await library.delete(map.id)
    var deleted = map
    (deleted.deleted, deleted.deletedOn) = (LibraryBed.day, 4)
    #expect(try await library.deletedMaps() == [deleted])
    try await library.undoDeletion(of: map.id)
    #expect(try await library.maps() == [map])
    #expect(
      seen.withLock { $0 } == [
        .deleteRecorded: [true, false], .deleteMoved: [false, true], .undoMoved: [true, false],
      ])
  }

  /// The folder that cannot be synced: the one that a map comes to, or the one that it leaves.
  @Test(arguments: [HomeLayout.Folder.trash, .maps])
  func `What the disk does not confirm is deleted and restored nevertheless`(
    _ folder: HomeLayout.Folder
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let path = bed.layout.folder(folder).plainPath
    let library = bed.library(files: FileSystem { $0 == .sync(path) ? EIO : nil })
    try await library.delete(map.id)
    #expect(try await library.deletedMaps().map(\.id) == [map.id])
    #expect(names(.trash, bed) == ["a"] && names(.maps, bed).isEmpty)
    try await library.undoDeletion(of: map.id)
    #expect(try await library.maps() == [map])
    #expect(names(.trash, bed).isEmpty && names(.maps, bed) == ["a"])
    try await library.delete(map.id)
    #expect(try await library.emptyTrash() > 0)
    #expect(names(.trash, bed).isEmpty && names(.maps, bed).isEmpty)
  }

  @Test func `Deleting frees what both forms of a map take, and all of its versions go`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let folder = try await bed.install(in: library)
    let file = try await bed.installFile(in: library)
    let bytes = freed(
      bed.layout.container(of: folder.id, .folder), bed.layout.container(of: file.id, .file))
    #expect(try await library.deletion(of: file.id) == bytes)
    // Whoever is asked has moved nothing, and keeps nobody out.
    do {
      let lease = try await library.open(file.id)
      #expect(lease.map == file)
    }
    try await library.delete(file.id)
    #expect(names(.trash, bed) == ["a", "a.mmpk"])
    await #expect(throws: LibraryError.noSuchMap("a")) { try await library.deletion(of: file.id) }
    await #expect(throws: LibraryError.noSuchMap("a")) { try await library.delete(file.id) }
    #expect(try await library.emptyTrash() == bytes)
    #expect(names(.trash, bed).isEmpty)
    #expect(try await bed.storage.versions(of: file.id).isEmpty)
    #expect(try await library.emptyTrash() == 0)
  }

  @Test func `Both forms of a map come back from the trash`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let folder = try await bed.install(in: library)
    let file = try await bed.installFile(in: library)
    try Edits.add("mine", to: bed.geodatabase(of: folder))
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await library.delete(file.id)
    }
    try await library.delete(file.id, discardingEdits: true)
    #expect(try await library.unsentEdits(of: file.id) == 1)
    try await library.undoDeletion(of: file.id)
    #expect(try await library.maps() == [file])
    #expect(try await library.earlierVersions(of: file.id).map(\.map) == [folder])
    #expect(try Edits.texts(in: bed.geodatabase(of: folder)) == ["mine"])
  }

  @Test func `Edits of a map that an older home has deleted are counted, there and when back`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    var deleted = try bed.record()
    let trash = bed.layout.trashPlace(of: deleted)
    try LibraryBed.write(trash)
    for text in ["one", "two"] { try Edits.add(text, to: trash.appending(path: LibraryBed.path)) }
    deleted.deleted = LibraryBed.day
    try await bed.storage.save(deleted)
    #expect(try await bed.library().unsentEdits(of: deleted.id) == 2)
    #expect(try await bed.library().unsentEdits(of: #require(MapID("b"))) == 0)
    try await bed.library().undoDeletion(of: deleted.id)
    #expect(try await bed.library().unsentEdits(of: deleted.id) == 2)
  }

  // MARK: - The trash

  @Test func `Emptying and reclaiming each report the space that they freed`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let deleted = try await bed.install("a", in: library)
    try await library.delete(deleted.id)
    let first = try await bed.install("b", in: library)
    let second = try await bed.install("b", info: "two", in: library)
    let earlier = freed(bed.layout.place(of: first))
    #expect(try await library.reclaimSpace() == earlier)
    #expect(!FileSystem.live.exists(bed.layout.place(of: first)))
    #expect(try await bed.storage.versions(of: first.id).map(\.number) == [second.version])
    #expect(try await library.deletedMaps().count == 1)
    let third = try await bed.install("b", info: "three", in: library)
    let all = freed(bed.layout.trashPlace(of: deleted), bed.layout.place(of: second))
    #expect(try await library.emptyTrash() == all)
    #expect(try await library.maps() == [third])
    #expect(names(.trash, bed).isEmpty && names(.kept, bed).isEmpty)
  }

  @Test func `The first file that cannot be removed is reported after all others are removed`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    for id in ["a", "b", "c"] { try await library.delete(bed.install(id, in: library).id) }
    try await bed.install("d", in: library)
    let map = try await bed.install("d", info: "two", in: library)
    let disk = FileSystem { call in
      guard case .remove(let path) = call else { return nil }
      if path.contains("/trash-a.removed/") { return EIO }
      return path.contains("/trash-b.removed/") ? EACCES : nil
    }
    let error = await #expect(throws: LibraryError.self) {
      try await bed.library(files: disk).emptyTrash()
    }
    guard case .unwritable(let file, "Input/output error")? = error else {
      Issue.record("it says \(String(describing: error))")
      return
    }
    #expect(file.contains("/trash-a.removed/"))
    #expect(try await library.deletedMaps().map(\.id.text) == ["a", "b"])
    #expect(try await bed.storage.versions(of: map.id).map(\.number) == [2])
    #expect(names(.trash, bed) == ["trash-a.removed", "trash-b.removed"])
    try await library.emptyTrash()
    try await library.recover()
    #expect(try await library.deletedMaps().isEmpty && names(.trash, bed).isEmpty)
  }

  @Test func `Emptying the trash hides no map whose deletion is not finished`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    for id in ["a", "b"] {
      var map = try await bed.install(id, in: bed.library())
      (map.deleted, map.deletedOn) = (LibraryBed.day, 1)
      // Recorded, and not moved yet.
      try await bed.storage.save(map)
    }
    let stuck = bed.layout.folder(.maps).appending(path: "b").plainPath
    let disk = FileSystem { call in
      if case .move(let path, _) = call, path == stuck { ENOSPC } else { nil }
    }
    let error = await #expect(throws: LibraryError.self) {
      try await bed.library(files: disk).emptyTrash()
    }
    guard case .diskFull? = error else {
      Issue.record("it says \(String(describing: error))")
      return
    }
    #expect(names(.maps, bed) == ["b"] && names(.trash, bed).isEmpty)
    #expect(try await bed.library().deletedMaps().map(\.id.text) == ["b"])
    // Nor does the end of its days.
    try await bed.library(retention: 0, files: disk).recover()
    #expect(names(.maps, bed) == ["b"])
    #expect(try await bed.library().deletedMaps().map(\.id.text) == ["b"])
    #expect(try await bed.library().emptyTrash() > 0)
    #expect(names(.maps, bed).isEmpty && names(.trash, bed).isEmpty)
    #expect(try await bed.library().deletedMaps().isEmpty)
  }

  @Test func `Emptying the trash hides no deleted map that is still open`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    var map = try await bed.install(in: bed.library())
    let lease = try await bed.library().open(map.id)
    // Another process has recorded the deletion, and died before anything moved.
    (map.deleted, map.deletedOn) = (LibraryBed.day, 1)
    try await bed.storage.save(map)
    try await bed.library().emptyTrash()
    #expect(FileSystem.live.exists(lease.url))
    #expect(try await bed.library().deletedMaps().map(\.id) == [map.id])
  }

  @Test func `Trashed maps without edits are removed when the same map is deleted again`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await bed.library().delete(first.id)
    let trash = bed.layout.trashPlace(of: first).plainPath
    let disk = FileSystem { call in
      if case .move(let path, _) = call, path == trash { EIO } else { nil }
    }
    let second = try await bed.install(info: "two", in: bed.library(files: disk))
    #expect(names(.trash, bed) == ["a"])
    try await bed.library().delete(second.id)
    #expect(names(.trash, bed) == ["a"] && names(.kept, bed).isEmpty)
    let place = bed.layout.deletedPlace(of: second)
    #expect(try Data(contentsOf: place.appending(path: "package.info")) == Data("two".utf8))
  }

  @Test func `Something is removed though the disk does not confirm that it was given its name`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    _ = try bed.staged()
    let trash = bed.layout.folder(.trash).plainPath
    let library = bed.library(files: FileSystem { $0 == .sync(trash) ? EIO : nil })
    try await library.removeStaged("job")
    #expect(names(.staging, bed).isEmpty && names(.trash, bed).isEmpty)
  }

  // MARK: - Restoring

  /// The files in its place of a download of the same map that did not come to its end.
  @Test(arguments: [
    [], [HomeLayout.versionsMarker], [HomeLayout.versionsMarker, ".editing-2", ".portolan-5.part"],
  ])
  func `A deleted map takes the place of a folder of versions without any`(
    _ left: [String]
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.library().delete(map.id)
    let container = bed.layout.container(of: map.id, .folder)
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    for name in left { try Data().write(to: container.appending(path: name)) }
    // Nor does that take its place in the trash.
    try await bed.library().recover()
    try await bed.library().undoDeletion(of: map.id)
    #expect(try await bed.library().maps() == [map])
    #expect(try bed.info(of: map) == "one" && names(.trash, bed).isEmpty)
  }

  @Test func `A deleted map does not take the place of anything else, and stays in the trash`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.library().delete(map.id)
    let notes = bed.layout.container(of: map.id, .folder).appending(path: "notes.txt")
    try FileManager.default.createDirectory(
      at: notes.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: notes)
    await #expect(throws: LibraryError.filesMissing(map: "Map a")) {
      try await bed.library().undoDeletion(of: map.id)
    }
    #expect(try Data(contentsOf: notes) == Data("mine".utf8))
    #expect(try await bed.library().deletedMaps().map(\.id) == [map.id])
    #expect(FileSystem.live.exists(bed.layout.deletedPlace(of: map)))
  }

  // MARK: - At the next start

  @Test(arguments: [EACCES, ENOSPC])
  func `One deletion that cannot be finished keeps no other from it`(_ code: Int32) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    for id in ["a", "b", "c"] {
      var map = try await bed.install(id, in: bed.library())
      map.deleted = LibraryBed.day
      // Recorded, and not moved yet.
      try await bed.storage.save(map)
    }
    let stuck = bed.layout.folder(.maps).appending(path: "b").plainPath
    let disk = FileSystem { call in
      if case .move(let path, _) = call, path == stuck { code } else { nil }
    }
    try await bed.library(files: disk).recover()
    #expect(names(.trash, bed) == ["a", "c"] && names(.maps, bed) == ["b"])
    #expect(try await bed.library().deletedMaps().map(\.id.text) == ["a", "b", "c"])
    try await bed.library().recover()
    #expect(names(.trash, bed) == ["a", "b", "c"] && names(.maps, bed).isEmpty)
  }

  @Test func `One deleted map that cannot be removed after its days keeps no other`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    for id in ["a", "b", "c"] {
      try await bed.library().delete(bed.install(id, in: bed.library()).id)
    }
    let stuck = bed.layout.folder(.trash).appending(path: "b").plainPath
    let disk = FileSystem { call in
      if case .move(let path, _) = call, path == stuck { EIO } else { nil }
    }
    try await bed.library(retention: 0, files: disk).recover()
    #expect(try await bed.library().deletedMaps().map(\.id.text) == ["b"])
    #expect(names(.trash, bed) == ["b"])
    try await bed.library(retention: 1).recover()
    #expect(names(.trash, bed) == ["b"], "its day is not over")
  }

  // MARK: - A catalogue of before

  /// A deleted map beside a later version, as where the catalogue and the trash were put back from a backup.
  private func deletedBesideLater(_ bed: LibraryBed) async throws -> (map: StoredMap, later: URL) {
    let map = try await bed.install(in: bed.library())
    try await bed.library().delete(map.id)
    let container = bed.layout.container(of: map.id, .folder)
    let later = container.appending(path: "2")
    try LibraryBed.write(later, info: "later")
    try Data().write(to: container.appending(path: HomeLayout.versionsMarker))
    try Edits.add("mine", to: later.appending(path: bed.path))
    return (map, later)
  }

  @Test func `A version that no record knows takes no place of the deleted one in the trash`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (map, later) = try await deletedBesideLater(bed)
    try await bed.library().recover()
    #expect(try Edits.texts(in: later.appending(path: bed.path)) == ["mine"])
    #expect(FileSystem.live.exists(bed.layout.deletedPlace(of: map)))
    let audit = bed.audit(bed.library())
    let findings = try await audit.findings()
    #expect(findings.map(\.names) == [["a"]])
    // It belongs to a map that is in the trash.
    #expect(await audit.repair(findings).count == 1)
    // Without that one it is a map of its own.
    #expect(try await bed.library().emptyTrash() > 0)
    let next = bed.audit(bed.library())
    #expect(await next.repair(try await next.findings()).isEmpty)
    #expect(try await bed.library().maps().map(\.version) == [2])
    #expect(try await bed.library().unsentEdits(of: map.id) == 1)
  }

  @Test func `A deleted map comes back beside a version that no record knows`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (map, later) = try await deletedBesideLater(bed)
    try await bed.library().undoDeletion(of: map.id)
    #expect(try await bed.library().maps() == [map])
    #expect(try bed.info(of: map) == "one")
    #expect(bed.layout.contents(of: .trash).isEmpty)
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await bed.library().maps() == [map])
    #expect(try await bed.library().unsentEdits(of: map.id) == 1)
    #expect(try Edits.texts(in: later.appending(path: bed.path)) == ["mine"])
  }
}
