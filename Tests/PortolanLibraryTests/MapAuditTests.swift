import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The findings of an audit in stored maps, and the files that repairing leaves alone.
@Suite(.temporaryDirectory) struct MapAuditTests {
  private static let parts = [
    "package.info", "p13/mobile_map.mmap", "p13/tiles.tpkx", LibraryBed.path,
  ]

  private func finding(
    _ bed: LibraryBed, _ depth: AuditDepth = .quick
  ) async throws -> LibraryFinding? {
    let findings = try await bed.audit(bed.library()).findings(depth)
    #expect(findings.count < 2)
    return findings.first
  }

  /// Whether a part is said to be damaged, and to hold edits if it is a database that somebody wrote to.
  private func isDamaged(
    _ finding: LibraryFinding?, _ part: String, isWritten: Bool = false
  ) -> Bool {
    guard case .damaged(_, let reason, let mayHoldEdits)? = finding else { return false }
    return reason.contains(part) && mayHoldEdits == (isWritten && part == LibraryBed.path)
  }

  // MARK: - Parts

  @Test func `Links to files are parts, since maps open them, and others are none`() throws {
    let file = temporaryDirectory.appending(path: "note.txt")
    try Data("no database".utf8).write(to: file)
    let map = temporaryDirectory.appending(path: "map", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: map, withIntermediateDirectories: true)
    for (name, target) in [("a.gpkg", "note.txt"), ("b.gpkg", "nowhere"), ("c.gpkg", "map")] {
      try FileManager.default.createSymbolicLink(
        at: map.appending(path: name),
        withDestinationURL: temporaryDirectory.appending(path: target))
    }
    #expect(MapParts(of: map).urls.map(\.lastPathComponent) == ["a.gpkg"])
  }

  @Test(arguments: parts) func `A part that is missing, cut or grown is found at once`(
    _ part: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let url = bed.layout.place(of: try await bed.install(in: bed.library())).appending(path: part)
    #expect(try await finding(bed) == nil)
    let whole = try Data(contentsOf: url)
    for change in [whole.dropLast(), whole + [0], Data()] {
      try change.write(to: url)
      let finding = try await finding(bed)
      #expect(isDamaged(finding, part, isWritten: true), "\(change.count) of \(whole.count) bytes")
    }
    try FileManager.default.removeItem(at: url)
    #expect(isDamaged(try await finding(bed), part))
  }

  @Test(arguments: parts) func `A bit that was flipped is found by reading everything`(
    _ part: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let url = bed.layout.place(of: map).appending(path: part)
    let whole = try Data(contentsOf: url)
    var status = stat()
    try #require(unsafe stat(url.path(), &status) == 0)
    for number in 0..<12 {
      var bytes = whole
      let offset = number * (whole.count - 1) / 11
      bytes[offset] ^= 1 << (number % 8)
      try bytes.write(to: url)
      // As a failing disk does it, which changes no date.
      let times = [status.st_atim, status.st_mtim]
      let isDated = unsafe utimensat(AT_FDCWD, url.path(), times, 0) == 0
      #expect(isDated)
      #expect(isDamaged(try await finding(bed, .deep), part), "byte \(offset)")
    }
  }

  @Test(arguments: parts) func `A page of zeros is found at once where the file was written to`(
    _ part: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let url = bed.layout.place(of: try await bed.install(in: bed.library())).appending(path: part)
    var bytes = try Data(contentsOf: url)
    let end = min(bytes.count, 4_096)
    bytes.replaceSubrange(0..<end, with: Data(count: end))
    try bytes.write(to: url)
    #expect(isDamaged(try await finding(bed), part, isWritten: true))
  }

  @Test func `Edits are no damage, and what damages an edited geodatabase is found`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let lease = try await library.open(map.id)
    try await library.beginEditing(lease)
    try Edits.add(String(repeating: "mine ", count: 5_000), to: bed.geodatabase(of: map))
    lease.endEditing()
    #expect(try await finding(bed, .deep) == nil)
    var bytes = try Data(contentsOf: bed.geodatabase(of: map))
    bytes.replaceSubrange(4_096..<8_192, with: Data(count: 4_096))
    try bytes.write(to: bed.geodatabase(of: map))
    guard case .damaged(_, _, mayHoldEdits: true)? = try await finding(bed, .deep) else {
      Issue.record("a page of zeros was not found")
      return
    }
  }

  @Test func `A geodatabase that cannot be looked at counts as written to`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let examination = MapExamination(library: bed.library(), check: nil, depth: .quick)
    let place = temporaryDirectory.appending(path: "map", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    // A link to itself, in which nobody gets to a file.
    try FileManager.default.createSymbolicLink(
      atPath: place.appending(path: "loop").path, withDestinationPath: "loop")
    for (path, isWritten) in [("loop/data.geodatabase", true), ("none/data.geodatabase", false)] {
      let file = StoredFile(path: path, byteCount: 1, modified: 1, digest: nil)
      #expect(try examination.isWritten(file, in: place) == isWritten, "\(path)")
    }
  }

  @Test(arguments: [false, true])
  func `A database that another program has edited is no damage`(_ isDeep: Bool) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    for text in ["theirs", String(repeating: "theirs ", count: 5_000)] {
      try Edits.add(text, to: bed.geodatabase(of: map))
      #expect(try await finding(bed, isDeep ? .deep : .quick) == nil)
    }
    // Once something else is damaged it is not thrown away.
    try Data("x".utf8).write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    guard case .damaged(_, _, mayHoldEdits: true)? = try await finding(bed) else {
      Issue.record("the edits would go to the trash")
      return
    }
  }

  @Test func `Edits of another program that exist only in a log are not discarded`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    // The file itself is as it was installed.
    try Data(repeating: 1, count: 4_152).write(
      to: URL(filePath: bed.geodatabase(of: map).path() + "-wal"))
    try Data("x".utf8).write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    guard case .damaged(_, _, mayHoldEdits: true)? = try await finding(bed) else {
      Issue.record("the edits would go to the trash")
      return
    }
  }

  // MARK: - What cannot be read now

  @Test func `A map that is currently unreadable is named, and left as it is`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let path = bed.layout.place(of: map).appending(path: "p13/tiles.tpkx").path()
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    let audit = bed.audit(bed.library())
    let findings = try await audit.findings()
    #expect(findings == [.unreadable(map: map, reason: "no permission to read tiles.tpkx.")])
    #expect(await audit.repair(findings).isEmpty)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try await bed.library().maps() == [map])
    #expect(try await finding(bed, .deep) == nil)
  }

  @Test func `A disk that fails for a moment makes no map damaged`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let failing = FileSystem { call in
      if case .open(let path) = call, path.hasSuffix("tiles.tpkx") { EIO } else { nil }
    }
    let audit = bed.audit(bed.library(files: failing))
    #expect(
      try await audit.findings() == [.unreadable(map: map, reason: "Input/output error.")])
  }

  @Test func `A map that cannot be opened now is not taken for damaged, and left where it is`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let reason = "there is no space to decompress it"
    let audit = LibraryAudit(
      bed.library(),
      check: { throw LibraryError.unreadable(file: $0.lastPathComponent, reason: reason) },
      now: { LibraryBed.day }, makeID: { MapID(UUID()) })
    let findings = try await audit.findings()
    #expect(findings == [.unreadable(map: map, reason: "\(reason).")])
    #expect(await audit.repair(findings).isEmpty)
    // A map that was found damaged before, and cannot be opened now, may be sound.
    let damaged = LibraryFinding.damaged(map: map, reason: "it is cut.", mayHoldEdits: false)
    #expect(await audit.repair([damaged]).count == 1)
    #expect(try await bed.library().maps() == [map])
  }

  @Test func `A folder of a map that cannot be listed now makes no map damaged`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let failing = FileSystem { call in
      if case .list(let path) = call, path.hasSuffix("/p13") { EMFILE } else { nil }
    }
    let findings = try await bed.audit(bed.library(files: failing)).findings()
    #expect(findings == [.unreadable(map: map, reason: "Too many open files.")])
  }

  @Test func `Defect 6, a map whose files cannot be removed stays on the list`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let failing = FileSystem { call in
      switch call {
      case .move, .rename, .remove: EACCES
      default: nil
      }
    }
    await #expect(throws: LibraryError.self) {
      try await bed.library(files: failing).delete(map.id)
    }
    let library = bed.library()
    try await library.recover()
    let listed = try await library.maps() + library.deletedMaps()
    #expect(listed.map(\.id) == [map.id])
    let places = [bed.layout.place(of: map), bed.layout.deletedPlace(of: map)]
    #expect(places.contains { FileStatus($0) != nil })
  }

  @Test func `Defect 11, what a download that died has left is found and removed`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let left = try bed.staged("job-dead")
    let library = bed.library()
    try await library.recover()
    let audit = bed.audit(library)
    let findings = try await audit.findings()
    let finding = try #require(findings.first)
    guard case .abandoned(let url) = finding else {
      Issue.record("\(findings)")
      return
    }
    #expect(url.lastPathComponent == left.lastPathComponent)
    #expect(await audit.repair([finding]).isEmpty)
    #expect(FileStatus(left) == nil)
    #expect(try await audit.findings().isEmpty)
  }

  // MARK: - Repairing

  @Test func `A damaged map without edits goes to the trash`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    try Data().write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await library.deletedMaps().map(\.id) == [map.id])
    #expect(try await audit.findings().isEmpty)
  }

  @Test func `A damaged map that may hold edits is set aside, and can be downloaded again`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    do {
      let lease = try await library.open(map.id)
      try await library.beginEditing(lease)
      try Edits.add("mine", to: bed.geodatabase(of: map))
      try Data("no database".utf8).write(to: bed.geodatabase(of: map))
    }
    try await repairAway(map, bed)
    #expect(try await library.maps().isEmpty && bed.layout.contents(of: .trash).isEmpty)
    let kept = bed.layout.folder(.kept).appending(path: "a-1/1/\(LibraryBed.path)")
    #expect(try Data(contentsOf: kept) == Data("no database".utf8))
    try await bed.install(in: library)
    try await library.emptyTrash()
    #expect(try Data(contentsOf: kept) == Data("no database".utf8))
    #expect(try await finding(bed, .deep) == nil)
  }

  @Test func `A database with only a new date is undamaged, and a changed one is damaged`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let url = bed.geodatabase(of: try await bed.install(in: bed.library()))
    #expect(utimes(url.path, nil) == 0)
    #expect(try await finding(bed) == nil)
    #expect(try await finding(bed, .deep) == nil)
    var bytes = try Data(contentsOf: url)
    bytes[100] ^= 0xFF
    try bytes.write(to: url)
    #expect(isDamaged(try await finding(bed, .deep), LibraryBed.path, isWritten: true))
  }

  @Test func `A damaged map that cannot be set aside stays on the list, with its files`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try Data("no database".utf8).write(to: bed.geodatabase(of: map))
    let kept = bed.layout.folder(.kept).plainPath
    let disk = FileSystem { call in
      if case .move(_, let target) = call, target.hasPrefix(kept) { EIO } else { nil }
    }
    let findings = try await bed.audit(bed.library()).findings()
    guard case .damaged(map, _, mayHoldEdits: true)? = findings.first else {
      Issue.record("found \(findings)")
      return
    }
    #expect(await bed.audit(bed.library(files: disk)).repair(findings).count == 1)
    #expect(try await bed.library().maps() == [map])
    #expect(FileSystem.live.exists(bed.geodatabase(of: map)))
  }

  @Test func `A map on the list whose files lie in the trash is put back`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.library().delete(map.id)
    // The power failed after the deletion was taken back, before the disk had moved the files.
    try await bed.storage.save(map)
    let audit = bed.audit(bed.library())
    #expect(try await audit.findings() == [.halfDeleted(map: map)])
    #expect(await audit.repair([.halfDeleted(map: map)]).isEmpty)
    #expect(try await bed.library().maps() == [map])
    #expect(try bed.info(of: map) == "one")
  }

  private func repairAway(_ map: StoredMap, _ bed: LibraryBed) async throws {
    let audit = bed.audit(bed.library())
    let findings = try await audit.findings()
    guard case .damaged(map, _, mayHoldEdits: true)? = findings.first else {
      Issue.record("found \(findings)")
      return
    }
    #expect(await audit.repair(findings).isEmpty)
  }

  @Test func `A map that was downloaded again since it was found damaged is left alone`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    try Data().write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    let findings = try await audit.findings()
    let again = try await bed.install(in: library)
    let failures = await audit.repair(findings)
    #expect(
      failures.map { $0.reason } == ["It has changed since it was found, and was left alone."])
    #expect(try await library.maps() == [again])
  }

  @Test func `A damaged map that was edited since it was found so is left alone`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    try Data().write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    let findings = try await audit.findings()
    try await bed.edit(map, in: library)
    #expect(
      await audit.repair(findings).map { $0.reason }
        == ["It has changed since it was found, and was left alone."])
    #expect(try await library.maps() == [map])
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == ["mine"])
  }

  @Test func `A map that was deleted since it was found damaged can still be restored`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    try Data().write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    let findings = try await audit.findings()
    try await library.delete(map.id)
    #expect(await audit.repair(findings).count == 1)
    try await library.undoDeletion(of: map.id)
    #expect(try await library.maps() == [map])
  }

  @Test func `If the current version is missing, the previous one is restored`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    let second = try await bed.install(in: library)
    try FileManager.default.removeItem(at: bed.layout.place(of: second))
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await library.maps() == [first])
    #expect(try await audit.findings().isEmpty)
    let versions = try await bed.storage.versions(of: first.id)
    #expect(versions.map(\.map) == [first] && versions.map(\.replacedOn) == [nil])
    #expect(versions.map(\.replacedBy) == [nil])
  }

  @Test func `A deleted map without a record is kept if there are geodatabases in it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    try LibraryBed.write(bed.layout.folder(.trash).appending(path: "x"))
    try LibraryBed.write(
      bed.layout.folder(.trash).appending(path: "y"), database: nil)
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(bed.layout.contents(of: .trash).isEmpty)
    #expect(bed.layout.contents(of: .kept).map(\.lastPathComponent) == ["x-1"])
  }
}
