import Foundation
import PortolanFiles
import PortolanJobs
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// The changes of others to a map between two steps of an operation, and maps of more than one
/// part.
@Suite(.temporaryDirectory) struct MapVersionRaceTests {
  /// Fails one call of those that match, after having called `before`.
  private func files(
    _ matches: @escaping @Sendable (FileSystemCall) -> Bool, fails number: Int, with code: Int32?,
    before: @escaping @Sendable () -> Void = {}
  ) -> FileSystem {
    let count = Counter()
    return FileSystem { call in
      guard matches(call), count.next() == number else { return nil }
      before()
      return code
    }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
  }

  /// Stores one version as a folder and the next as a file.
  private func storeInTwoForms(
    _ bed: LibraryBed
  ) async throws -> (folder: StoredMap, file: StoredMap) {
    let folder = try await bed.install(info: "folder", in: bed.library())
    let staged = bed.layout.staging("job-b").appending(path: "new.mmpk")
    try FileManager.default.createDirectory(
      at: staged.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("package".utf8).write(to: staged)
    var record = try bed.record()
    record.form = .file
    return (folder, try await bed.library().install(staged, as: record))
  }

  @Test func `A deletion that fails halfway puts everything back`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (folder, file) = try await storeInTwoForms(bed)
    let trash = bed.layout.folder(.trash).plainPath
    let disk = files(
      { if case .move(_, let path) = $0 { path.hasPrefix(trash) } else { false } }, fails: 2,
      with: EIO)
    await #expect(throws: LibraryError.self) { try await bed.library(files: disk).delete(file.id) }
    #expect(try await bed.library().maps() == [file])
    for map in [folder, file] { #expect(FileSystem.live.exists(bed.layout.place(of: map))) }
    #expect(bed.layout.contents(of: .trash).isEmpty)
  }

  @Test func `A version that no record knows keeps its number`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    let unknown = bed.layout.place(of: first).deletingLastPathComponent().appending(path: "2")
    try LibraryBed.write(unknown, info: "unknown")
    let next = try await bed.install(info: "next", in: bed.library())
    #expect(try next.version == 3 && bed.info(of: next) == "next")
    #expect(FileSystem.live.exists(unknown))
  }

  @Test func `A version that is put on the list takes no place of an update that was stored since`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    let unknown = bed.layout.place(of: first).deletingLastPathComponent().appending(path: "2")
    try LibraryBed.write(unknown, info: "unknown")
    let audit = bed.audit(bed.library())
    let findings = try await audit.findings()
    #expect(findings.count == 1)
    // Somebody is asked what to do; meanwhile another process updates the map.
    let third = try await bed.install(info: "three", in: bed.library())
    #expect(await audit.repair(findings).isEmpty)
    #expect(try await bed.library().maps() == [third])
    #expect(try await bed.storage.versions(of: first.id).map(\.number) == [1, 2, 3])
  }

  @Test func `Edits that a job took from an older version are those of this one in the end`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try Edits.add("first", to: bed.geodatabase(of: first))
    try await library.reuse(first.id, in: "slow")
    try await library.reuse(first.id, in: "quick")
    let second = try await library.install(bed.layout.staging("quick"), as: bed.record())
    #expect(second.version == 2)
    try Edits.add("second", to: bed.geodatabase(of: second))
    let third = try await library.install(bed.layout.staging("slow"), as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: third)) == ["first", "second"])
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == ["first", "second"])
  }

  @Test func `Edits in any database of a map keep it from being replaced`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let staged = try bed.staged()
    let names = ["p13/a.geodatabase", "p13/z.geodatabase"]
    for name in names { try Edits.makeDatabase(at: staged.appending(path: name)) }
    let map = try await library.install(staged, as: bed.record())
    for (count, name) in names.enumerated() {
      try Edits.add("mine", to: bed.layout.place(of: map).appending(path: name))
      await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: count + 1)) {
        try await library.install(bed.staged("new-\(count)"), as: bed.record())
      }
    }
    #expect(try await library.maps() == [map])
  }

  @Test func `A map that is replaced while it is being opened opens as what has replaced it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(info: "first", in: bed.library())
    let second = try await bed.install(info: "second", in: bed.library())
    let first = try await bed.library().rollBack(second.id)
    let (place, catalogue) = (bed.layout.place(of: first).plainPath, bed.layout.catalogue)
    let replace: @Sendable () -> Void = {
      do {
        let other = try Connection(at: catalogue, access: .readWrite)
        try other.execute("UPDATE stored_map SET version = 2")
      } catch {
        Issue.record(error)
      }
    }
    let disk = files({ $0 == .open(place) }, fails: 1, with: nil, before: replace)
    let lease = try await bed.library(files: disk).open(first.id)
    #expect(lease.map.version == 2 && lease.url == bed.layout.place(of: second))
  }

  @Test func `A part that was cut and kept its date is found at once`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let part = bed.layout.place(of: map).appending(path: "p13/tiles.tpkx")
    let date = try FileManager.default.attributesOfItem(atPath: part.path)[.modificationDate]
    try Data(repeating: 7, count: 4_096).write(to: part)
    try FileManager.default.setAttributes(
      [.modificationDate: date as Any], ofItemAtPath: part.path)
    let findings = try await bed.audit(bed.library()).findings()
    guard case .damaged(_, let reason, _)? = findings.first else {
      Issue.record("found \(findings)")
      return
    }
    #expect(reason.contains("p13/tiles.tpkx has 4096 of 5000 bytes"))
  }

  @Test func `A damaged map that is sound again is left where it is`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let part = bed.layout.place(of: map).appending(path: "p13/tiles.tpkx")
    let (whole, aside) = (try Data(contentsOf: part), temporaryDirectory.appending(path: "aside"))
    try FileManager.default.moveItem(at: part, to: aside)
    let findings = try await bed.audit(library).findings()
    #expect(findings.count == 1)
    try FileManager.default.moveItem(at: aside, to: part)
    #expect(await bed.audit(library).repair(findings).isEmpty)
    #expect(try await library.maps() == [map])
    #expect(try Data(contentsOf: part) == whole)
  }

  @Test func `What belongs to a download that was begun since is left where it is`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let staged = try bed.staged("later")
    let findings = try await bed.audit(library).findings()
    #expect(findings == [.abandoned(staged)])
    _ = try await bed.storage.add(
      Job(
        id: try #require(JobID("later")), kind: "k", subject: "s", title: "A", parameters: Data(),
        created: LibraryBed.day, position: 0))
    #expect(await bed.audit(library).repair(findings).isEmpty)
    #expect(FileSystem.live.exists(staged))
  }

  @Test func `A deleted map can be restored for exactly as many days of use as it says`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library(retention: 3))
    try await bed.library(retention: 3).delete(map.id)
    for day in 1...3 {
      let later = LibraryBed.day.addingTimeInterval(Double(day) * 86_400)
      try await bed.library(now: later, retention: 3).recover()
      #expect(try await bed.library().deletedMaps().count == (day < 3 ? 1 : 0), "day \(day)")
    }
  }
}
