import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// What happens to maps between two steps of others: of repairs, of downloads that the disk did not
/// confirm, of homes that are brought up to date.
@Suite(.temporaryDirectory) struct BetweenTwoStepsTests {
  @Test func `What is being copied in is not removed by a repair`() async throws {
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

  @Test func `What is being copied out is not removed by a repair`() async throws {
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

  /// Whether the days for which a deleted map is kept are over meanwhile.
  @Test(arguments: [false, true])
  func `A download of a deleted map that the disk did not confirm takes neither away`(
    isExpired: Bool
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(info: "deleted", in: bed.library())
    try await bed.library().delete(map.id)
    // The folder of versions cannot be synced, neither now nor at the next start.
    let container = bed.layout.container(of: map.id, .folder).plainPath
    let hasMoved = Mutex(false)
    let disk = FileSystem { call in
      if case .move(_, let path) = call, path.hasPrefix(container) {
        hasMoved.withLock { $0 = true }
      }
      return hasMoved.withLock { $0 } && call == .sync(container) ? EIO : nil
    }
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

  @Test func `Digests that are completed do not make a download be forgotten`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    var version = try #require(try await bed.storage.versions(of: map.id).first)
    version.files = version.files.map {
      StoredFile(path: $0.path, byteCount: $0.byteCount, modified: $0.modified, digest: nil)
    }
    try await bed.storage.install(version, replacing: nil)
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
