import Foundation
import Glibc
import PortolanFiles
import PortolanJobs
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The judgement of an audit on damage, and its repairs.
@Suite(.temporaryDirectory) struct AuditJudgementTests {
  private func audit(
    _ bed: LibraryBed, check: @escaping LibraryAudit.Check
  ) -> LibraryAudit {
    LibraryAudit(
      bed.library(), check: check, now: { LibraryBed.day }, makeID: { MapID(UUID()) })
  }

  private struct NotOpened: LocalizedError {
    var errorDescription: String? { "It cannot be opened." }
  }

  @Test func `A job that begins while an audit looks at what jobs have left is not taken for over`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let job = Job(
      id: try #require(JobID("new")), kind: "k", subject: "s", title: "S", parameters: Data(),
      created: LibraryBed.day, position: 1)
    let (record, catalogue) = (try StorageRecord.data(job), bed.layout.catalogue)
    let (staging, folder) = (bed.layout.folder(.staging).plainPath, bed.layout.staging("new"))
    let disk = FileSystem { call in
      guard call == .list(staging) else { return nil }
      // Another process adds it, and begins to work on it.
      do {
        let connection = try Connection(at: catalogue, access: .readWrite)
        try connection.execute(
          "INSERT OR IGNORE INTO job (id, position, record) VALUES ('new', 1, ?1)", .blob(record))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      } catch {
        Issue.record(error)
      }
      return nil
    }
    let findings = try await bed.audit(bed.library(files: disk)).findings()
    #expect(findings.isEmpty)
    #expect(FileSystem.live.exists(folder))
  }

  @Test func `A map is damaged of which one part cannot be opened`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    for part in ["data.geodatabase", "tiles.tpkx"] {
      let audit = audit(bed) { url in
        guard url.lastPathComponent != part else { throw NotOpened() }
        return url.lastPathComponent
      }
      #expect(
        try await audit.findings()
          == [.damaged(map: map, reason: "It cannot be opened.", mayHoldEdits: false)])
    }
  }

  @Test func `A map that no record knows and that cannot be opened now is left where it is`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.library().install(
      bed.staged(hasGeodatabase: false), as: bed.record())
    // As after the catalogue was lost, on a full disk.
    try await bed.storage.removeStoredMap(map.id)
    let full = audit(bed) { _ in
      throw LibraryError.unreadable(file: "a", reason: "there is no space to decompress it")
    }
    let findings = try await full.findings()
    #expect(
      findings.map(\.sentence) == [
        "\"Map a\" cannot be read now: there is no space to decompress it."
      ])
    #expect(findings.allSatisfy { $0.repair == nil })
    #expect(await full.repair(findings).isEmpty)
    let place = bed.layout.place(of: map)
    #expect(FileSystem.live.exists(place))
    #expect(try await bed.audit(bed.library()).findings().map(\.map) == [nil])
    let cancelled = audit(bed) { _ in throw CancellationError() }
    await #expect(throws: LibraryError.cancelled) { _ = try await cancelled.findings() }
  }

  @Test func `An audit that is cancelled finds no damage`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    let audit = audit(bed) { _ in throw CancellationError() }
    await #expect(throws: LibraryError.cancelled) { _ = try await audit.findings() }
  }

  @Test func `A damaged map of which nothing is recorded may hold edits if there are some`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let place = bed.layout.folder(.maps).appending(path: "a")
    try LibraryBed.write(place)
    try Edits.add("mine", to: place.appending(path: LibraryBed.path))
    let map = try bed.record()
    try await bed.storage.save(map)
    let audit = audit(bed) { _ in throw NotOpened() }
    #expect(
      try await audit.findings()
        == [.damaged(map: map, reason: "It cannot be opened.", mayHoldEdits: true)])
    #expect(try await bed.library().unsentEdits() == [map.id: 1])
  }

  @Test func `An edited database that continues after its last page is damaged`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let lease = try await bed.library().open(map.id)
    try await bed.library().beginEditing(lease)
    try Edits.add("mine", to: bed.geodatabase(of: map))
    lease.endEditing()
    let audit = bed.audit(bed.library())
    #expect(try await audit.findings(.deep).isEmpty)
    let handle = try FileHandle(forWritingTo: bed.geodatabase(of: map))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("x".utf8))
    try handle.close()
    let finding = try #require(try await audit.findings(.deep).first)
    #expect(finding.sentence.contains("does not end where a page does"))
  }

  @Test func `What only reading everything finds is repaired`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let part = bed.layout.place(of: map).appending(path: "p13/tiles.tpkx")
    let date = try #require(FileStatus(part)?.modified)
    var bytes = try Data(contentsOf: part)
    bytes[100] ^= 1
    try bytes.write(to: part)
    let time = timespec(
      tv_sec: Int(date / 1_000_000_000), tv_nsec: Int(date % 1_000_000_000))
    let isDated = unsafe utimensat(AT_FDCWD, part.path(), [time, time], 0) == 0
    #expect(isDated)
    let audit = bed.audit(bed.library())
    let findings = try await audit.findings(.deep)
    #expect(findings.count == 1)
    #expect(await audit.repair(findings).isEmpty)
    #expect(try await bed.library().maps().isEmpty)
    #expect(try await bed.library().deletedMaps().count == 1)
  }

  @Test func `A deletion that has moved one of two forms is not over`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    let staged = bed.layout.staging("job-b").appending(path: "new.mmpk")
    try FileManager.default.createDirectory(
      at: staged.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("package".utf8).write(to: staged)
    var record = try bed.record()
    record.form = .file
    var map = try await bed.library().install(staged, as: record)
    try await bed.library().removeStaged("job-b")
    map.deleted = LibraryBed.day
    try await bed.storage.save(map)
    let (place, trash) = try #require(bed.layout.trashMoves(of: map).first)
    try FileManager.default.moveItem(at: place, to: trash)
    let audit = bed.audit(bed.library())
    #expect(try await audit.findings() == [.halfDeleted(map: map)])
    #expect(await audit.repair([.halfDeleted(map: map)]).isEmpty)
    #expect(try await audit.findings().isEmpty)
    #expect(FileSystem.live.exists(bed.layout.deletedPlace(of: map)))
  }

  @Test func `If the files of a map are missing, its latest earlier version is restored`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    let lease = try await bed.library().open(first.id)
    let second = try await bed.install(info: "two", in: bed.library())
    let third = try await bed.install(info: "three", in: bed.library())
    #expect(try await bed.library().earlierVersions(of: first.id).count == 2)
    try FileManager.default.removeItem(at: bed.layout.place(of: third))
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await bed.library().maps() == [second])
    #expect(FileSystem.live.exists(lease.url))
  }

  @Test func `The download options of a map with missing files are kept for its next download`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let options = StoredAreaOptions(
      basemap: .leftOut, continuesOnErrors: true, updateMode: "noUpdates")
    var record = try bed.record()
    record.options = options
    let map = try await bed.library().install(bed.staged(), as: record)
    try FileManager.default.removeItem(at: bed.layout.place(of: map))
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await bed.library().maps().isEmpty)
    #expect(try await bed.storage.lostOptions(of: map.id) == options)
  }

  @Test func `A version that is found is recorded beside the current one, which stays`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let unknown = bed.layout.container(of: map.id, .folder).appending(path: "7")
    try LibraryBed.write(unknown, info: "found")
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await bed.library().maps() == [map])
    #expect(try await bed.library().earlierVersions(of: map.id).map(\.number) == [7])
    #expect(try await audit.findings().isEmpty)
  }

  @Test func `A version whose record cannot be read is named`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let connection = try Connection(at: bed.layout.catalogue, access: .readWrite)
    try connection.execute("UPDATE map_version SET record = '{}'")
    #expect(try await bed.storage.unreadableRecords() == ["map_version \(map.id)"])
  }

  // MARK: - Set aside

  @Test func `Files that were set aside count as edited once they are back, for every counter`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try LibraryBed.write(bed.layout.folder(.kept).appending(path: "a-1"))
    let map = try await bed.audit(bed.library()).putBack("a-1")
    #expect(try await bed.storage.versions(of: map.id).map(\.isEdited) == [true])
  }

  @Test func `A folder in which more than versions was set aside comes back as a whole`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let folder = bed.layout.folder(.kept).appending(path: "a-1")
    try LibraryBed.write(folder)
    try LibraryBed.write(folder.appending(path: "1"), info: "part")
    try Edits.add("mine", to: folder.appending(path: LibraryBed.path))
    let map = try await bed.audit(bed.library()).putBack("a-1")
    #expect(map.title == "one")
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == ["mine"])
  }

  @Test func `What was set aside does not take the id of a map in the trash`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let deleted = try await bed.install(info: "deleted", in: library)
    try await library.delete(deleted.id)
    try LibraryBed.write(bed.layout.folder(.kept).appending(path: "a-1"))
    let map = try await bed.audit(library).putBack("a-1")
    #expect(map.id != deleted.id)
    try await library.undoDeletion(of: deleted.id)
    #expect(Set(try await library.maps()) == [deleted, map])
  }
}
