import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// The outcome of maps between two steps of others: of repairs, of downloads that the disk did not
/// confirm, of homes that are brought up to date.
@Suite(.temporaryDirectory) struct BetweenTwoStepsTests {
  @Test func `Files being copied in are not removed by a repair`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = temporaryDirectory.appending(path: "package")
    try LibraryBed.write(source)
    let audit = bed.audit(bed.library())
    var copy: StagedCopy? = try await bed.library().stageCopy(of: source, for: "import-1")
    #expect(try await audit.findings().isEmpty)
    let staged = try #require(copy?.url)
    #expect(await audit.repair([.abandoned(staged)]).isEmpty)
    #expect(FileSystem.live.exists(staged))
    // Whoever has copied it is gone.
    copy = nil
    #expect(try await audit.findings() == [.abandoned(staged)])
  }

  @Test func `Files being copied out are not removed by a repair`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    var hold = try await bed.library().reuse(map.id, in: "export-1")
    #expect(hold != nil)
    #expect(try await bed.audit(bed.library()).findings().isEmpty)
    hold = nil
    #expect(try await bed.audit(bed.library()).findings().count == 1)
  }

  @Test func `A copy that has lost a file since it was made is not stored`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = temporaryDirectory.appending(path: "package")
    try LibraryBed.write(source)
    let copy = try await bed.library().stageCopy(of: source, for: "import-1")
    try FileManager.default.removeItem(at: copy.url.appending(path: "p13/tiles.tpkx"))
    await #expect(throws: LibraryError.filesMissing(map: "Map a")) {
      try await bed.library().install(copy.url, as: bed.record(), knowing: copy.files)
    }
    #expect(try await bed.library().maps().isEmpty)
  }

  private static let options = StoredAreaOptions(
    basemap: .leftOut, continuesOnErrors: true, updateMode: "noUpdates")

  /// A disk on which a folder of versions cannot be synced once a version has moved there.
  private func unconfirming(_ container: URL) -> FileSystem {
    let container = container.plainPath
    let hasMoved = Mutex(false)
    return FileSystem { call in
      if case .move(_, let path) = call, path.hasPrefix(container) {
        hasMoved.withLock { $0 = true }
      }
      return hasMoved.withLock { $0 } && call == .sync(container) ? EIO : nil
    }
  }

  private func isUnconfirmed(_ error: LibraryError?) -> Bool {
    if case .durabilityUnknown = error { true } else { false }
  }

  @Test func `A version that another has replaced is not edited, though that is not recorded yet`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    let lease = try await bed.library().open(first.id)
    let disk = unconfirming(bed.layout.container(of: first.id, .folder))
    await #expect(throws: LibraryError.self) {
      try await bed.install(info: "new", in: bed.library(files: disk))
    }
    // The disk fails still.
    let error = await #expect(throws: LibraryError.self) {
      try await bed.library(files: disk).beginEditing(lease)
    }
    #expect(isUnconfirmed(error) && !lease.isEditing)
    #expect(try await bed.storage.installations().count == 1)
    // It is well again.
    await #expect(throws: LibraryError.outdated(map: first.title)) {
      try await bed.library().beginEditing(lease)
    }
    #expect(!lease.isEditing)
    #expect(try await bed.library().maps().map(\.version) == [2])
  }

  @Test func `The record of a map waits for a version that the disk did not confirm`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    let second = try await bed.install(in: bed.library())
    let disk = unconfirming(bed.layout.container(of: second.id, .folder))
    await #expect(throws: LibraryError.self) {
      try await bed.install(info: "new", in: bed.library(files: disk))
    }
    let library = bed.library(files: disk)
    let errors = [
      await #expect(throws: LibraryError.self) { try await library.rollBack(second.id) },
      await #expect(throws: LibraryError.self) {
        try await library.setOptions(Self.options, of: second.id)
      },
      await #expect(throws: LibraryError.self) {
        try await library.setPortal(URL(filePath: "/"), of: second.id)
      },
    ]
    var third = second
    third.version = 3
    let refusal = LibraryError.durabilityUnknown(
      file: bed.layout.place(of: third).path(percentEncoded: false),
      reason: "until it does, \"Map a\" stays as it is")
    #expect(errors == [refusal, refusal, refusal])
    #expect(try await bed.storage.installations().map(\.map) == [third])
    try await bed.library().recover()
    #expect(try await bed.library().maps() == [third])
  }

  @Test func `A repair does not forget a version that has taken its place since the audit`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    let second = try await bed.install(info: "second", in: bed.library())
    try FileManager.default.removeItem(at: bed.layout.place(of: second))
    let findings = try await bed.audit(bed.library()).findings()
    #expect(findings == [.filesMissing(map: second)])
    let disk = unconfirming(bed.layout.container(of: second.id, .folder))
    await #expect(throws: LibraryError.self) {
      try await bed.install(info: "third", in: bed.library(files: disk))
    }
    for (files, version) in [(disk, 2), (FileSystem.live, 3)] {
      let library = bed.library(files: files)
      #expect(await bed.audit(library).repair(findings).count == 1)
      #expect(try await library.maps().map(\.version) == [version])
    }
    #expect(try await bed.storage.installations().isEmpty)
  }

  @Test func `A deleted map is not restored over a download that the disk did not confirm`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(info: "deleted", in: bed.library())
    // It is open all the time, so that nothing is recovered as it starts.
    let library = bed.library()
    try await library.delete(map.id)
    let disk = unconfirming(bed.layout.container(of: map.id, .folder))
    await #expect(throws: LibraryError.self) {
      try await bed.install(info: "new", in: bed.library(files: disk))
    }
    let error = await #expect(throws: LibraryError.self) {
      try await bed.library(files: disk).undoDeletion(of: map.id)
    }
    #expect(isUnconfirmed(error))
    await #expect(throws: LibraryError.notInTrash(map.title)) {
      try await library.undoDeletion(of: map.id)
    }
    let stored = try #require(try await library.maps().first)
    #expect(try stored.version == 2 && bed.info(of: stored) == "new")
    #expect(try Edits.texts(in: bed.geodatabase(of: stored)) == [])
  }

  /// Whether the days for which a deleted map is kept are over meanwhile.
  @Test(arguments: [false, true])
  func `A download of a deleted map that the disk did not confirm takes neither away`(
    isExpired: Bool
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(info: "deleted", in: bed.library())
    try await bed.library().delete(map.id)
    // Neither now nor at the next start.
    let disk = unconfirming(bed.layout.container(of: map.id, .folder))
    await #expect(throws: LibraryError.self) {
      try await bed.install(info: "new", in: bed.library(files: disk))
    }
    let now = LibraryBed.day.addingTimeInterval(isExpired ? 86_400 : 0)
    try await bed.library(now: now, retention: 1, files: disk).recover()
    #expect(FileSystem.live.exists(bed.layout.trashPlace(of: map)))
    #expect(try await bed.storage.installations().count == 1)
    // The disk is well again.
    try await bed.library().recover()
    let stored = try #require(try await bed.library().maps().first)
    #expect(try stored.version == 2 && bed.info(of: stored) == "new")
  }

  /// Records a map as an older Portolan has, which read no file to its end.
  private func forgetDigests(of map: StoredMap, _ bed: LibraryBed) async throws {
    var version = try #require(try await bed.storage.versions(of: map.id).first)
    version.files = version.files.map {
      StoredFile(path: $0.path, byteCount: $0.byteCount, modified: $0.modified, digest: nil)
    }
    try await bed.storage.install(version, replacing: nil)
  }

  @Test(.needsMounting)
  func `Where nothing can be written, an audit reads everything and records nothing`() async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await forgetDigests(of: map, bed)
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { url in
      try FileManager.default.copyItem(at: bed.layout.home, to: url.appending(path: "home"))
    }
    let mounted = HomeLayout(home: medium.url.appending(path: "home"))
    let library = MapLibrary(
      layout: mounted, storage: try await SQLiteMapStorage.open(at: mounted.catalogue),
      now: { LibraryBed.day }, unsentEdits: { try Edits.count(in: $0) })
    #expect(library.storage.readOnlyReason != nil)
    #expect(try await bed.audit(library).findings(.deep).isEmpty)
    #expect(medium.url.isFileURL, "it is mounted all the time")
  }

  @Test func `Digests are completed for an unchanged map while no map is being moved`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await forgetDigests(of: map, bed)
    let library = bed.library(clock: CountingClock())
    let home = bed.layout.home.appending(path: ".lock")
    let lock = try #require(try FileLock.attempt(.exclusive, on: .lockFile(home)))
    try await library.completeDigests(of: map) { _ in }
    lock.release()
    var other = map
    other.title = "As it was before"
    try await library.completeDigests(of: other) { _ in }
    let before = try #require(try await bed.storage.versions(of: map.id).first).files
    #expect(before.allSatisfy { $0.digest == nil } && before.count == 4)
    let count = Mutex(0)
    try await library.completeDigests(of: map) { bytes in count.withLock { $0 += bytes } }
    let files = try #require(try await bed.storage.versions(of: map.id).first).files
    let read = files.filter { $0.digest != nil }
    #expect(read.map(\.path) == ["p13/mobile_map.mmap", "p13/tiles.tpkx", "package.info"])
    #expect(count.withLock { $0 } == read.reduce(0) { $0 + $1.byteCount })
    for file in read {
      let place = bed.layout.place(of: map).appending(path: file.path)
      #expect(try file.digest == FileDigest.digest(of: place) { _ in })
    }
  }

  @Test func `Digests that are completed do not make a download be forgotten`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await forgetDigests(of: map, bed)
    var next = map
    next.version = 2
    let upcoming = MapInstallation(
      map: next, staged: "job", file: FileIdentity(device: 1, number: 1),
      version: MapVersion(map: next, files: []))
    try await bed.storage.announce(upcoming)
    try await bed.library().completeDigests(of: map) { _ in }
    #expect(try await bed.storage.installations() == [upcoming])
    try await bed.storage.withdraw(upcoming)
    try await bed.library().completeDigests(of: map) { _ in }
    let files = try #require(try await bed.storage.versions(of: map.id).first).files
    #expect(files.filter { $0.digest != nil }.count == 3)
  }
}
