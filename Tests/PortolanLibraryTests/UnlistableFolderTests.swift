import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Folders that cannot be listed for a moment, as where a process has too many files open: what is in
/// them is not known, which is not the same as nothing.
@Suite(.temporaryDirectory) struct UnlistableFolderTests {
  private func disk(failing folder: URL) -> FileSystem {
    let path = folder.plainPath
    return FileSystem { $0 == .list(path) ? EMFILE : nil }
  }

  @Test func `A map that is open is not deleted although its versions cannot be listed`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let lease = try await bed.library().open(map.id)
    let disk = disk(failing: bed.layout.container(of: map.id, .folder))
    await #expect {
      try await bed.library(files: disk).delete(map.id)
    } throws: { error in
      guard case LibraryError.unreadable = error else { return false }
      return true
    }
    #expect(try await bed.library().maps() == [map])
    #expect(FileSystem.live.exists(lease.url))
  }

  @Test func `A map that cannot be shown to be closed is not deleted`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let lease = try await bed.library().open(map.id)
    let place = bed.layout.place(of: map).plainPath
    let disk = FileSystem { $0 == .open(place) ? EMFILE : nil }
    await #expect(throws: LibraryError.self) { try await bed.library(files: disk).delete(map.id) }
    #expect(try await bed.library().maps() == [map])
    #expect(FileSystem.live.exists(lease.url))
  }

  @Test func `A map is not stored without what is in a folder that cannot be listed`() async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let staged = try bed.staged()
    let disk = disk(failing: staged.appending(path: "p13"))
    await #expect(throws: LibraryError.self) {
      try await bed.library(files: disk).install(staged, as: bed.record())
    }
    #expect(try await bed.library().maps().isEmpty)
    #expect(try await bed.library().install(staged, as: bed.record()).version == 1)
  }

  @Test func `A map whose folder cannot be looked at now is not set aside by its update`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let container = bed.layout.container(of: map.id, .folder)
    for path in [container, container.appending(path: HomeLayout.versionsMarker)] {
      let disk = FileSystem { $0 == .look(path.plainPath) ? EIO : nil }
      await #expect {
        try await bed.install(info: "two", in: bed.library(files: disk))
      } throws: { error in
        guard case LibraryError.unreadable = error else { return false }
        return true
      }
      #expect(try await bed.library().maps() == [map])
      #expect(try bed.info(of: map) == "one")
      #expect(bed.layout.contents(of: .kept).isEmpty)
      try await bed.library().removeStaged("job-a")
    }
    #expect(try await bed.install(info: "two", in: bed.library()).version == 2)
  }

  @Test func `A new version does not start from half of the version before`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let disk = disk(failing: bed.layout.place(of: map).appending(path: "p13"))
    await #expect(throws: LibraryError.self) {
      try await bed.library(files: disk).reuse(map.id, in: "update")
    }
    #expect(!FileSystem.live.exists(bed.layout.staging("update")))
  }

  @Test func `A package is not copied without what is in a folder that cannot be listed`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = temporaryDirectory.appending(path: "package")
    try LibraryBed.write(source)
    let disk = disk(failing: source.appending(path: "p13"))
    await #expect(throws: LibraryError.self) {
      try await bed.library(files: disk).stageCopy(of: source, for: "import-1")
    }
    #expect(!FileSystem.live.exists(bed.layout.staging("import-1")))
  }

  @Test(arguments: [false, true])
  func `Staged files of a job are not removed while its worker is unknown`(
    _ isOpened: Bool
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let staged = try bed.staged()
    let call: FileSystemCall =
      isOpened ? .lock(staged.plainPath) : .open(staged.plainPath)
    let disk = FileSystem { $0 == call ? EIO : nil }
    let audit = bed.audit(bed.library(files: disk))
    #expect(try await audit.findings().isEmpty)
    #expect(await audit.repair([.abandoned(staged)]).isEmpty)
    #expect(FileSystem.live.exists(staged))
    #expect(try await bed.audit(bed.library()).findings() == [.abandoned(staged)])
  }

  @Test func `Maps that were set aside are not reported as none if they cannot be listed`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let kept = bed.layout.folder(.kept)
    try LibraryBed.write(kept.appending(path: "a-1"))
    let library = bed.library(files: disk(failing: kept))
    await #expect(throws: LibraryError.self) { try await library.keptMaps() }
    await #expect(throws: LibraryError.self) { try await library.deleteKept("a-1") }
    #expect(try await bed.library().keptMaps().map(\.name) == ["a-1"])
  }

  /// Makes a folder in which folders lie whose paths are longer than the system takes.
  ///
  /// - Returns: The part of it that is to be moved away before the whole can be removed.
  private func makeEndless(at place: URL) throws -> URL {
    let files = FileManager.default
    let chain = Array(repeating: String(repeating: "d", count: 200), count: 9)
      .joined(separator: "/")
    for name in ["a", "b", "c"] {
      try files.createDirectory(
        at: temporaryDirectory.appending(path: "\(name)/\(chain)"),
        withIntermediateDirectories: true)
    }
    let middle = place.appending(path: "\(chain)/b/\(chain)/c")
    try files.moveItem(at: temporaryDirectory.appending(path: "a"), to: place)
    try files.moveItem(
      at: temporaryDirectory.appending(path: "b"), to: place.appending(path: "\(chain)/b"))
    try files.moveItem(at: temporaryDirectory.appending(path: "c"), to: middle)
    return middle
  }

  @Test func `Stray files are not removed where a folder in them cannot be listed`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let lost = bed.layout.folder(.trash).appending(path: "lost")
    let middle = try makeEndless(at: lost).path(percentEncoded: false)
      .replacing(lost.path(percentEncoded: false) + "/", with: "")
    // Whether it is set aside or stays does not matter here.
    try? await bed.library().repair(.unknownTrash(lost), as: nil) { true }
    let place = try #require(
      ([lost] + bed.layout.contents(of: .kept)).first { FileSystem.live.exists($0) })
    // So that the folder of the test can be removed.
    try FileManager.default.moveItem(
      at: place.appending(path: middle), to: temporaryDirectory.appending(path: "c"))
  }

  @Test func `A map whose databases cannot be listed counts among those that may hold edits`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    #expect(try await bed.library().unsentEdits() == [:])
    let middle = try makeEndless(at: bed.layout.place(of: map).appending(path: "deep"))
    #expect(try await bed.library().unsentEdits() == [map.id: nil])
    // So that the folder of the test can be removed.
    try FileManager.default.moveItem(at: middle, to: temporaryDirectory.appending(path: "c"))
  }

  @Test func `The audit does not take what it cannot list for empty`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    for folder in [HomeLayout.Folder.maps, .packages, .staging, .trash] {
      let library = bed.library(files: disk(failing: bed.layout.folder(folder)))
      await #expect(throws: LibraryError.self) { try await bed.audit(library).findings() }
    }
    #expect(try await bed.audit(bed.library()).findings().isEmpty)
  }

  @Test func `A folder that cannot be looked at now is no map that is to be recorded`() async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let container = bed.layout.container(of: map.id, .folder)
    let mark = container.appending(path: HomeLayout.versionsMarker).plainPath
    let disk = FileSystem { $0 == .look(mark) ? EIO : nil }
    // That of a recorded map needs no look.
    #expect(try await bed.audit(bed.library(files: disk)).findings().isEmpty)
    try await bed.storage.removeStoredMap(map.id)
    let findings = try await bed.audit(bed.library(files: disk)).findings()
    guard case .unreadable? = findings.first, findings.count == 1 else {
      Issue.record("it says \(findings)")
      return
    }
    #expect(await bed.audit(bed.library(files: disk)).repair(findings).isEmpty)
    #expect(FileSystem.live.exists(bed.layout.place(of: map)))
  }

  /// Makes the trash a folder that even the administrator cannot look into.
  private func closeTrash(_ layout: HomeLayout) throws {
    let trash = layout.home.appending(path: "trash")
    try FileManager.default.moveItem(at: trash, to: layout.home.appending(path: "aside"))
    try FileManager.default.createSymbolicLink(
      atPath: trash.path(), withDestinationPath: trash.path())
  }

  private func openTrash(_ layout: HomeLayout) throws {
    let trash = layout.home.appending(path: "trash")
    try FileManager.default.removeItem(at: trash)
    try FileManager.default.moveItem(at: layout.home.appending(path: "aside"), to: trash)
  }

  @Test func `A map stays in place while the trash is not accessible`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try closeTrash(bed.layout)
    await #expect(throws: LibraryError.self) { try await bed.library().delete(map.id) }
    #expect(try await bed.library().maps() == [map])
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == [])
  }

  @Test func `An inaccessible trash does not block other maps`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let deleted = try await bed.install(in: bed.library())
    try await bed.library().delete(deleted.id)
    try closeTrash(bed.layout)
    for day in [0, 5] {
      let library = bed.library(
        now: LibraryBed.day.addingTimeInterval(Double(day) * 86_400), retention: 1)
      try await library.recover()
      #expect(try await bed.install("b\(day)", in: library).version == 1)
    }
    #expect(try await bed.library().deletedMaps().map(\.id) == [deleted.id])
    try openTrash(bed.layout)
    try await bed.library().undoDeletion(of: deleted.id)
  }
}
