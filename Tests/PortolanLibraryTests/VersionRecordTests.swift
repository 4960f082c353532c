import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// The record of the versions of a map, to the last field, and the versions that are listed and
/// stay.
@Suite(.temporaryDirectory) struct VersionRecordTests {
  private static let options = StoredAreaOptions(
    basemap: .leftOut, continuesOnErrors: true, updateMode: "noUpdates")

  private func version(_ number: Int, _ bed: LibraryBed) async throws -> MapVersion {
    let versions = try await bed.storage.versions(of: bed.record().id)
    return try #require(versions.first { $0.number == number })
  }

  private func state(
    of path: String, in map: StoredMap, _ bed: LibraryBed
  ) throws -> GeodatabaseState {
    try GeodatabaseState(of: bed.layout.place(of: map).appending(path: path))
  }

  @Test func `An update reports what it took along, and the previous version what replaced it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    for day in 1...3 { _ = try await bed.storage.recordUse(onDay: day) }
    let library = bed.library()
    let paths = LibraryBed.editablePaths
    let staged = try bed.staged()
    try Edits.makeDatabase(at: staged.appending(path: paths[1]))
    let first = try await library.install(staged, as: bed.record())
    var expected = MapVersion(
      map: first, files: try await StoredFile.list(of: bed.layout.place(of: first)))
    #expect(try await version(1, bed) == expected)
    #expect(expected.files.allSatisfy { $0.digest?.count == 32 } && expected.files.count == 5)

    try await library.reuse(first.id, in: "update")
    // The portal has another one, which takes the place of the copy.
    let download = bed.layout.staging("update").appending(path: paths[1])
    try FileManager.default.removeItem(at: download)
    try Edits.makeDatabase(at: download)
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    (expected.replacedOn, expected.replacedBy) = (4, 2)
    for path in paths { expected.settled[path] = try state(of: path, in: first, bed) }
    #expect(try await version(1, bed) == expected)
    var update = MapVersion(
      map: second, files: try await StoredFile.list(of: bed.layout.place(of: second)))
    (update.hasCarried, update.carried) = (true, [LibraryBed.path])
    #expect(try await version(2, bed) == update)

    try await library.rollBack(first.id)
    (expected.replacedOn, expected.replacedBy) = (nil, nil)
    #expect(try await version(1, bed) == expected)
    (update.replacedOn, update.replacedBy) = (4, 1)
    for path in paths { update.settled[path] = try state(of: path, in: second, bed) }
    #expect(try await version(2, bed) == update)
    #expect(try await library.maps() == [first])
  }

  /// A map in a folder, and one in a file, whose place the disk does not confirm.
  @Test(arguments: [StoredMap.Form.folder, .file])
  func `A map that takes its place is announced with its files and what it replaces`(
    _ form: StoredMap.Form
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let before = try await bed.install(in: bed.library())
    let container = bed.layout.container(of: before.id, form).plainPath
    let hasMoved = Mutex(false)
    let disk = FileSystem { call in
      if case .move = call { hasMoved.withLock { $0 = true } }
      return hasMoved.withLock { $0 } && call == .sync(container) ? EIO : nil
    }
    var map = before
    (map.form, map.version) = (form, 2)
    let place = bed.layout.place(of: map)
    let reason = LibraryError.durabilityUnknown(file: place.plainPath, reason: "Input/output error")
    func install() async throws {
      let library = bed.library(files: disk)
      guard form == .file else {
        try await bed.install(in: library)
        return
      }
      _ = try await bed.installFile(in: library)
    }
    await #expect(throws: reason) { try await install() }
    let announced = try await bed.storage.installations()
    let installation = try #require(announced.first)
    #expect(announced.count == 1 && installation.map == map && installation.version?.map == map)
    #expect(installation.staged == (form == .folder ? "job-a" : "job-a/new.mmpk"))
    #expect(installation.file == FileStatus(place)?.identity)
    #expect(installation.previous?.map == before)
    #expect(installation.version?.files.count == (form == .folder ? 4 : 1))
    // The former version is what people see, until the disk confirms the next.
    #expect(try await bed.library().maps() == [before])
    try await bed.library().recover()
    #expect(try await bed.library().maps() == [map])
    #expect(try await bed.storage.installations().isEmpty)
    #expect(try await version(1, bed).replacedBy == 2)
  }

  @Test
  func `A map that could not be moved is no longer announced, and its version folder is removed`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let staged = try bed.staged()
    let disk = FileSystem { call in
      if case .move(let path, _) = call, path == staged.plainPath { EACCES } else { nil }
    }
    let place = bed.layout.container(of: try bed.record().id, .folder).appending(path: "1")
    let error = LibraryError.unwritable(file: place.plainPath, reason: "Permission denied")
    await #expect(throws: error) {
      try await bed.library(files: disk).install(staged, as: bed.record())
    }
    #expect(try await bed.storage.installations().isEmpty)
    #expect(bed.layout.contents(of: .maps).isEmpty)
    #expect(try await bed.storage.versions(of: bed.record().id).isEmpty)
    #expect(try await bed.library().install(staged, as: bed.record()).version == 1)
  }

  // MARK: - Earlier versions

  @Test func `A version whose files are missing is not listed, and forgotten with the next update`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    let second = try await bed.install(in: library)
    try FileManager.default.removeItem(at: bed.layout.place(of: first))
    #expect(try await library.earlierVersions(of: first.id).isEmpty)
    await #expect(throws: LibraryError.noEarlierVersion(map: "Map a")) {
      try await library.rollBack(second.id)
    }
    #expect(try await bed.storage.versions(of: first.id).map(\.number) == [1, 2])
    try await bed.install(in: library)
    #expect(try await bed.storage.versions(of: first.id).map(\.number) == [2, 3])
  }

  @Test func `A version whose files are missing is not the one that an update keeps`() async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    let second = try await bed.install(in: library)
    try FileManager.default.removeItem(at: bed.layout.place(of: second))
    try await bed.install(in: library)
    #expect(try await library.earlierVersions(of: first.id).map(\.number) == [1])
    #expect(FileSystem.live.exists(bed.layout.place(of: first)))
  }

  @Test func `A version that is being read does not keep earlier versions`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    var reader: MapLease? = try await library.open(first.id)
    let second = try await bed.install(in: library)
    let lease = try await library.open(second.id)
    try await bed.install(in: library)
    #expect(reader?.map == first)
    #expect(try await library.earlierVersions(of: first.id).map(\.number) == [2, 1])
    reader = nil
    #expect(try await library.reclaimSpace() > 0)
    #expect(try await library.earlierVersions(of: first.id).map(\.number) == [2])
    #expect(FileSystem.live.exists(lease.url))
  }

  // MARK: - Options

  @Test
  func `The download options of a map are recorded with its current version, and nothing else`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    var second = try await bed.install(in: library)
    let before = (try await version(1, bed), try await version(2, bed))
    try await bed.storage.markEdited(2, of: first.id)
    try await library.setOptions(Self.options, of: first.id)
    second.options = Self.options
    #expect(try await library.maps() == [second])
    #expect(try await version(1, bed) == before.0)
    var expected = before.1
    (expected.map, expected.isEdited) = (second, true)
    #expect(try await version(2, bed) == expected)
    try await library.setOptions(nil, of: first.id)
    #expect(try await library.maps().map(\.options) == [nil])
  }

  @Test func `The download options of a map from an older home are recorded without a version`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    var map = try bed.record()
    try LibraryBed.write(bed.layout.place(of: map))
    try await bed.storage.save(map)
    try await bed.library().setOptions(Self.options, of: map.id)
    map.options = Self.options
    #expect(try await bed.library().maps() == [map])
    #expect(try await bed.storage.versions(of: map.id).isEmpty)
  }

  // MARK: - Portals

  private static let portal = URL(string: "https://portal.example")

  @Test func `The portal that a map is synchronized with is recorded where none is known`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    var second = try await bed.install(in: library)
    let before = try await version(1, bed)
    try await bed.storage.markEdited(2, of: first.id)
    for portal in [Self.portal, URL(string: "https://other.example")] {
      try await library.setPortal(try #require(portal), of: first.id)
    }
    second.portal = Self.portal
    #expect(try await library.maps() == [second])
    #expect(try await version(1, bed) == before)
    let recorded = try await version(2, bed)
    #expect(recorded.map == second && recorded.isEdited)
  }

  @Test func `The portal of a map of an older home is recorded without a version`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    var map = try bed.record()
    try LibraryBed.write(bed.layout.place(of: map))
    try await bed.storage.save(map)
    try await bed.library().setPortal(try #require(Self.portal), of: map.id)
    map.portal = Self.portal
    #expect(try await bed.library().maps() == [map])
    #expect(try await bed.storage.versions(of: map.id).isEmpty)
  }

  @Test func `A version that is brought back has the portal that is known of the map by then`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    var first = try await bed.install(in: library)
    try await bed.install(in: library)
    try await library.setPortal(try #require(Self.portal), of: first.id)
    first.portal = Self.portal
    #expect(try await library.rollBack(first.id) == first)
    #expect(try await library.maps() == [first])
  }

  // MARK: - Edits

  @Test func `Maps that may hold edits are counted, each with its own`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    for id in ["untouched", "begun", "theirs", "before", "packed"] {
      try await bed.install(id, in: library)
    }
    _ = try await bed.installFile("file", in: library)
    func map(_ id: String) async throws -> StoredMap {
      try #require(try await library.maps().first { $0.id.text == id })
    }
    let lease = try await library.open(map("begun").id)
    try await library.beginEditing(lease)
    lease.endEditing()
    for text in ["one", "two"] {
      try Edits.add(text, to: bed.geodatabase(of: try await map("theirs")))
    }
    let first = try await map("before")
    try await bed.install("before", in: library)
    try Edits.add("late", to: bed.geodatabase(of: first))
    let folder = try await map("packed")
    try await bed.installFile("packed", in: library)
    try Edits.add("late", to: bed.geodatabase(of: folder))
    let counts = try await library.unsentEdits()
    let ids = Dictionary(uniqueKeysWithValues: counts.map { ($0.key.text, $0.value) })
    #expect(ids == ["begun": 0, "theirs": 2, "before": 1, "packed": 1])
  }

  @Test func `Every request for a missing map names it`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let lease = try await library.open(map.id)
    let unknown = try #require(MapID("zz"))
    let asked: [@Sendable () async throws -> Void] = [
      { _ = try await library.open(unknown) }, { try await library.delete(unknown) },
      { _ = try await library.deletion(of: unknown) }, { try await library.rollBack(unknown) },
      { try await library.undoDeletion(of: unknown) },
      { try await library.setOptions(nil, of: unknown) },
      { try await library.setPortal(URL(filePath: "/"), of: unknown) },
      { _ = try await library.earlierVersions(of: unknown) },
    ]
    for ask in asked {
      await #expect(throws: LibraryError.noSuchMap("zz")) { try await ask() }
    }
    // Somebody has taken it off the list, as no Portolan does of a map that is open.
    try await bed.storage.removeStoredMap(map.id)
    await #expect(throws: LibraryError.noSuchMap("a")) { try await library.beginEditing(lease) }
    #expect(!lease.isEditing)
    try await library.editingLock(of: map).release()
  }
}
