import Foundation
import Glibc
import PortolanFiles
import PortolanJobs
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// The report of an audit to the last word, and the record of its findings.
@Suite(.temporaryDirectory) struct AuditFindingTests {
  // MARK: - Parts

  /// The damage done to a part of a map, and the report on it.
  enum Damage: CaseIterable, Sendable {
    case removed, folder, cut, changed, several

    var reason: String {
      switch self {
      case .removed: "p13/tiles.tpkx is missing."
      case .folder: "p13/tiles.tpkx is not a file any more."
      case .cut: "p13/tiles.tpkx has 3 of 5000 bytes."
      case .changed: "p13/tiles.tpkx is not what was installed."
      case .several: "p13/tiles.tpkx is missing. package.info has 1 of 3 bytes."
      }
    }

    func apply(to place: URL) throws {
      let (files, part) = (FileManager.default, place.appending(path: "p13/tiles.tpkx"))
      switch self {
      case .removed: try files.removeItem(at: part)
      case .folder:
        try files.removeItem(at: part)
        try files.createDirectory(at: part, withIntermediateDirectories: false)
      case .cut: try Data("abc".utf8).write(to: part)
      case .changed: try Data(repeating: 8, count: 5_000).write(to: part)
      case .several:
        try files.removeItem(at: part)
        try Data("1".utf8).write(to: place.appending(path: "package.info"))
      }
    }
  }

  @Test(arguments: Damage.allCases)
  func `Each part that is not what was installed is named, and what is wrong with it`(
    _ damage: Damage
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try damage.apply(to: bed.layout.place(of: map))
    #expect(
      try await bed.audit(bed.library()).findings()
        == [.damaged(map: map, reason: damage.reason, mayHoldEdits: false)])
  }

  @Test func `A package that is one file is named by its file, and holds no edits`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.installFile(in: bed.library())
    try Data("PACKAGE".utf8).write(to: bed.layout.place(of: map))
    let audit = bed.audit(bed.library())
    let finding = LibraryFinding.damaged(
      map: map, reason: "1.mmpk is not what was installed.", mayHoldEdits: false)
    #expect(try await audit.findings() == [finding])
    #expect(await audit.repair([finding]).isEmpty)
    #expect(try await bed.library().deletedMaps().map(\.id) == [map.id])
  }

  @Test(arguments: [AuditDepth.quick, .deep])
  func `An edited database of which nothing is left is found at once`(
    _ depth: AuditDepth
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let lease = try await bed.library().open(map.id)
    try await bed.library().beginEditing(lease)
    lease.endEditing()
    #expect(try await bed.audit(bed.library()).findings(depth).isEmpty)
    try Data().write(to: bed.geodatabase(of: map))
    #expect(
      try await bed.audit(bed.library()).findings(depth)
        == [.damaged(map: map, reason: "\(LibraryBed.path) is empty.", mayHoldEdits: true)])
  }

  @Test func `A deep audit of all listed maps reports its progress`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    var count = 0
    for id in ["a", "b"] {
      let map = try await bed.install(id, in: library)
      let version = try #require(try await bed.storage.versions(of: map.id).first)
      count += version.files.reduce(0) { $0 + $1.byteCount }
    }
    try await library.delete(bed.install("deleted", in: library).id)
    let told = Mutex<[AuditProgress]>([])
    let audit = bed.audit(library)
    #expect(
      try await audit.findings(.deep) { progress in told.withLock { $0.append(progress) } } == [])
    let all = told.withLock { $0 }
    #expect(all.last?.byteCount == count && all.map(\.byteCount) == all.map(\.byteCount).sorted())
    #expect(Set(all.map(\.title)) == ["Map a", "Map b"])
    #expect(Set(all.map(\.totalByteCount)) == [20])
    let quick = Mutex(0)
    _ = try await audit.findings { _ in quick.withLock { $0 += 1 } }
    #expect(quick.withLock { $0 } == 0, "nothing was written to, so that nothing is read")
  }

  // MARK: - What no record is about

  @Test func `A found package is recorded with its name and the contents of its files`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (maps, packages) = (bed.layout.folder(.maps), bed.layout.folder(.packages))
    try LibraryBed.write(maps.appending(path: "town"))
    for number in ["1", "3"] { try LibraryBed.write(maps.appending(path: "ridge/\(number)")) }
    try Data().write(to: maps.appending(path: "ridge/\(HomeLayout.versionsMarker)"))
    try Data("package".utf8).write(to: packages.appending(path: "two words.mmpk"))
    let bytes = DiskUsage(of: maps.appending(path: "town")).byteCount
    let (made, portal) = (UUID(), URL(string: "https://portal.example"))
    let audit = LibraryAudit(
      bed.library(), check: { "Map of \($0.lastPathComponent)" }, now: { LibraryBed.day },
      makeID: { MapID(made) },
      describe: { url in
        guard url.lastPathComponent == "town" else { return nil }
        return MapDescription(
          origin: .onDemandArea(webMap: "w"), summary: "A town.", portal: portal)
      })
    let findings = try await audit.findings()
    #expect(
      findings.map(\.sentence) == [
        "\"Map of 3\" is stored in 3, but not in the catalogue.",
        "\"Map of town\" is stored in town, but not in the catalogue.",
        "\"Map of two words.mmpk\" is stored in two words.mmpk, but not in the catalogue.",
      ])
    #expect(await audit.repair(findings).isEmpty)
    let expected = [
      StoredMap(
        id: try #require(MapID("ridge")), origin: .imported("ridge"), form: .folder,
        title: "Map of 3", installed: LibraryBed.day, byteCount: bytes, version: 3),
      StoredMap(
        id: try #require(MapID("town")), origin: .onDemandArea(webMap: "w"), form: .folder,
        title: "Map of town", summary: "A town.", portal: portal, installed: LibraryBed.day,
        byteCount: bytes, version: 1),
      StoredMap(
        id: MapID(made), origin: .imported("two words"), form: .file,
        title: "Map of two words.mmpk", installed: LibraryBed.day, byteCount: 7, version: 1),
    ]
    #expect(try await bed.library().maps() == expected)
    #expect(bed.layout.contents(of: .packages).map(\.lastPathComponent) == [MapID(made).text])
    for map in expected { #expect(FileSystem.live.exists(bed.layout.place(of: map))) }
    // The version before is found once the current one is recorded.
    let rest = try await audit.findings()
    #expect(
      rest.map(\.sentence) == ["1 is a version of \"Map of 3\" that is not in the catalogue."])
    #expect(await audit.repair(rest).isEmpty)
    let versions = try await bed.storage.versions(of: expected[0].id)
    #expect(versions.map(\.number) == [1, 3] && versions.map(\.isEdited) == [true, true])
    #expect(versions.map(\.replacedOn) == [1, nil])
    #expect(try await audit.findings().isEmpty)
  }

  @Test func `A folder of versions without any is named as such, and removed`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let container = bed.layout.folder(.maps).appending(path: "empty")
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    try Data().write(to: container.appending(path: HomeLayout.versionsMarker))
    let audit = bed.audit(bed.library())
    let findings = try await audit.findings()
    #expect(
      findings.map(\.sentence) == ["empty is not a map: it holds no version of a map."])
    #expect(await audit.repair(findings).isEmpty)
    #expect(!FileSystem.live.exists(container) && bed.layout.contents(of: .kept).isEmpty)
  }

  @Test func `A version that is no map and may hold edits is set aside under the id of its map`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let container = bed.layout.folder(.maps).appending(path: "lost")
    try LibraryBed.write(container.appending(path: "2"))
    try FileManager.default.removeItem(at: container.appending(path: "2/package.info"))
    try Data().write(to: container.appending(path: HomeLayout.versionsMarker))
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    let kept = try await bed.library().keptMaps()
    #expect(kept.map(\.name) == ["lost-1"] && kept.map(\.mapName) == ["lost"])
    #expect(kept.map(\.geodatabases) == [[LibraryBed.path]])
    #expect(!FileSystem.live.exists(container))
  }

  @Test func `The folder of the only version goes with it where that is no map`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let container = bed.layout.folder(.maps).appending(path: "lost")
    try FileManager.default.createDirectory(
      at: container.appending(path: "1"), withIntermediateDirectories: true)
    try Data().write(to: container.appending(path: HomeLayout.versionsMarker))
    let audit = bed.audit(bed.library())
    let findings = try await audit.findings()
    #expect(findings.count == 1)
    #expect(findings.first?.sentence.hasPrefix("lost/1 is not a map: ") == true)
    #expect(await audit.repair(findings).isEmpty)
    #expect(!FileSystem.live.exists(container))
    #expect(try await audit.findings().isEmpty)
  }

  // MARK: - Repairing

  @Test func `What cannot be repaired is reported with its reason, and blocks no other repair`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let staged = try ["x", "y", "z"].map { try bed.staged($0) }
    let stuck = staged[1].plainPath
    let disk = FileSystem { call in
      if case .move(let path, _) = call, path == stuck { EACCES } else { nil }
    }
    let findings = try await bed.audit(bed.library()).findings()
    #expect(findings == staged.map { LibraryFinding.abandoned($0) })
    let failures = await bed.audit(bed.library(files: disk)).repair(findings)
    #expect(failures.map { $0.finding } == [.abandoned(staged[1])])
    let place = bed.layout.condemnedPlace(of: staged[1]).plainPath
    #expect(
      failures.map { $0.reason } == ["\(place) cannot be written: Permission denied."])
    #expect(staged.map(FileSystem.live.exists) == [false, true, false])
    #expect(bed.layout.contents(of: .trash).isEmpty)
  }

  @Test(arguments: ["edited", "unknown", "sent"])
  func `What a job has left that nobody knows is set aside where edits may be in it`(
    _ state: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    // As after the catalogue was lost.
    let staged = try bed.staged("lost")
    let database = staged.appending(path: LibraryBed.path)
    if state != "sent" { try Edits.add("mine", to: database) }
    let library = bed.library(unsentEdits: { url in
      guard state != "unknown" else { throw CocoaError(.fileReadNoPermission) }
      return try Edits.count(in: url)
    })
    let findings = try await bed.audit(library).findings()
    #expect(findings == [.abandoned(staged)])
    #expect(await bed.audit(library).repair(findings).isEmpty)
    #expect(!FileSystem.live.exists(staged))
    let kept = try await library.keptMaps()
    #expect(kept.map(\.name) == (state == "sent" ? [] : ["lost-1"]))
    guard state != "sent" else { return }
    #expect(kept.map(\.geodatabases) == [[LibraryBed.path]])
    let place = bed.layout.folder(.kept).appending(path: "lost-1/\(LibraryBed.path)")
    #expect(try Edits.texts(in: place) == ["mine"])
    #expect(try await bed.audit(library).findings().isEmpty)
  }

  @Test(arguments: ["job", "import-1", "export-1", "a.draft"])
  func `What a job has left whose files are somewhere else is removed with its edits`(
    _ name: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let staged = try bed.staged(name)
    try Edits.add("mine", to: staged.appending(path: LibraryBed.path))
    if name == "job" {
      var job = Job(
        id: try #require(JobID(name)), kind: "k", subject: "s", title: "A", parameters: Data(),
        created: LibraryBed.day, position: 0)
      _ = try await bed.storage.add(job)
      job.state = .cancelled
      try await bed.storage.record(job, answering: 0)
    }
    let library = bed.library()
    let findings = try await bed.audit(library).findings()
    #expect(findings == [.abandoned(staged)])
    #expect(await bed.audit(library).repair(findings).isEmpty)
    #expect(!FileSystem.live.exists(staged))
    #expect(try await library.keptMaps().isEmpty)
  }

  @Test func `Both forms of a damaged map are set aside, each under a name of its own`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let folder = try await bed.install(in: library)
    let file = try await bed.installFile(in: library)
    try Edits.add("mine", to: bed.geodatabase(of: folder))
    try Data("x".utf8).write(to: bed.layout.place(of: file))
    let audit = bed.audit(library)
    let findings = try await audit.findings()
    #expect(
      findings
        == [.damaged(map: file, reason: "2.mmpk has 1 of 7 bytes.", mayHoldEdits: false)])
    #expect(await audit.repair(findings).isEmpty)
    let kept = try await library.keptMaps()
    #expect(kept.map(\.name) == ["a-1", "a-2"])
    let databases = kept.map(\.geodatabases)
    #expect(databases == [["1/\(LibraryBed.path)"], []])
    let place = bed.layout.folder(.kept).appending(path: "a-1/1/\(LibraryBed.path)")
    #expect(try Edits.texts(in: place) == ["mine"])
    #expect(try await bed.storage.storedMaps().isEmpty)
    #expect(try await bed.storage.versions(of: file.id).isEmpty)
    #expect(try await audit.findings().isEmpty)
  }

  @Test func `The download options of a damaged map are kept for its next download`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let options = StoredAreaOptions(
      basemap: .file("mine.tpkx"), continuesOnErrors: false, updateMode: "noUpdates")
    var record = try bed.record()
    record.options = options
    let map = try await bed.library().install(bed.staged(), as: record)
    try Damage.removed.apply(to: bed.layout.place(of: map))
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await bed.library().deletedMaps().map(\.options) == [options])
    #expect(try await bed.storage.lostOptions(of: map.id) == options)
  }
}
