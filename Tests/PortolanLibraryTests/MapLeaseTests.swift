import Foundation
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The permissions while others have a map open; each library stands for a process of its own.
@Suite(.temporaryDirectory) struct MapLeaseTests {
  @Test func `An open map is updated, and its reader continues`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(info: "first", in: bed.library())
    let lease = try await bed.library().open(first.id)
    let second = try await bed.install(info: "second", in: bed.library())
    #expect(try bed.info(of: first) == "first" && lease.map == first)
    #expect(try await bed.library().open(first.id).map == second)
  }

  @Test func `A map that is stored anew between two steps of opening it is the one that is open`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let place = bed.layout.place(of: map)
    let gone = temporaryDirectory.appending(path: "gone")
    // Another process deletes the map for good, and downloads it again, where this one has opened what it
    // is about to lock.
    let files = FileSystem { call in
      guard call == .lock(place.plainPath), !FileSystem.live.exists(gone) else { return nil }
      do {
        try FileManager.default.moveItem(at: place, to: gone)
        try FileManager.default.copyItem(at: gone, to: place)
      } catch {
        Issue.record(error)
      }
      return nil
    }
    let lease = try await bed.library(files: files).open(map.id)
    #expect(FileSystem.live.exists(gone) && lease.map == map)
    await #expect(throws: LibraryError.inUse(map: "Map a", by: "this program")) {
      try await bed.library().delete(map.id)
    }
  }

  @Test func `A map is not edited if that cannot be recorded`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let lease = try await library.open(map.id)
    try Connection(at: bed.layout.catalogue, access: .readWrite)
      .execute("ALTER TABLE map_version DROP COLUMN edited")
    await #expect(throws: LibraryError.self) { try await library.beginEditing(lease) }
    #expect(!lease.isEditing)
    try await library.editingLock(of: map).release()
  }

  @Test func `A map that is being edited is neither updated, edited nor rolled back by others`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    try await bed.install(in: library)
    let map = try await bed.install(in: library)
    let lease = try await library.open(map.id)
    try await library.beginEditing(lease)
    let refusal = LibraryError.beingEdited(map: "Map a", by: "this program")
    let other = bed.library()
    await #expect(throws: refusal) { try await bed.install(in: other) }
    await #expect(throws: refusal) { try await other.reuse(map.id, in: "update") }
    await #expect(throws: refusal) { try await other.rollBack(map.id) }
    await #expect(throws: refusal) { try await other.beginEditing(other.open(map.id)) }
    await #expect(throws: LibraryError.inUse(map: "Map a", by: "this program")) {
      try await other.delete(map.id)
    }
    #expect(try await library.maps() == [map])
    lease.endEditing()
    // A version that was refused is where it was.
    try await other.install(bed.layout.staging("job-a"), as: bed.record())
  }

  @Test func `A reader of the previous version cannot edit it`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    let lease = try await library.open(first.id)
    try await bed.install(in: library)
    await #expect(throws: LibraryError.outdated(map: "Map a")) {
      try await library.beginEditing(lease)
    }
    #expect(!lease.isEditing)
    // A caller that was refused keeps the right from nobody.
    try await library.editingLock(of: first).release()
  }

  @Test func `The editor is known before the first edit`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let lease = try await library.open(map.id)
    #expect(try await bed.storage.versions(of: map.id).map(\.isEdited) == [false])
    try await library.beginEditing(lease)
    try await library.beginEditing(lease)
    #expect(lease.isEditing)
    #expect(try await bed.storage.versions(of: map.id).map(\.isEdited) == [true])
    for _ in 1...2 {
      lease.endEditing()
      #expect(!lease.isEditing)
    }
    // Somebody else may edit it now, and still nobody may delete it.
    try await library.editingLock(of: map).release()
    await #expect(throws: LibraryError.inUse(map: "Map a", by: "this program")) {
      try await library.delete(map.id)
    }
    #expect(FileSystem.live.exists(lease.url))
  }

  @Test func `Databases are not copied out while they are being edited`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let lease = try await library.open(map.id)
    try await library.beginEditing(lease)
    let folder = temporaryDirectory.appending(path: "export")
    let other = bed.library()
    await #expect(throws: LibraryError.beingEdited(map: "Map a", by: "this program")) {
      try await other.copyDatabases(of: map, to: folder)
    }
    lease.endEditing()
    #expect(try await other.copyDatabases(of: map, to: folder) == [LibraryBed.path])
  }

  @Test func `An open map is not emptied, deleted or repaired away`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let lease = try await library.open(map.id)
    try Data("x".utf8).write(to: lease.url.appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    let findings = try await audit.findings()
    #expect(findings.count == 1)
    let failures = await audit.repair(findings)
    #expect(failures.map { $0.reason } == ["\"Map a\" is open in this program."])
    #expect(try await library.maps() == [map])
  }

  @Test func `A map can be opened on a medium that cannot be written`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let files = FileSystem { call in
      switch call {
      case .open, .lock: nil
      default: EROFS
      }
    }
    let lease = try await bed.library(files: files).open(map.id)
    #expect(lease.url == bed.layout.place(of: map))
  }

  @Test func `A map whose files are missing is not opened, and does not wait`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try FileManager.default.removeItem(at: bed.layout.place(of: map))
    await #expect(throws: LibraryError.filesMissing(map: "Map a")) {
      try await bed.library().open(map.id)
    }
  }
}
