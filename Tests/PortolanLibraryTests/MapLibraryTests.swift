import Foundation
import PortolanFiles
import PortolanJobs
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

@Suite(.temporaryDirectory) struct MapLibraryTests {
  private static let day = Date(timeIntervalSince1970: 1_795_000_000)
  private let storage = InMemoryMapStorage()

  private var layout: HomeLayout { HomeLayout(home: temporaryDirectory.appending(path: "home")) }

  private func library(unsent: Int = 0) throws -> MapLibrary {
    try layout.prepare()
    return MapLibrary(
      layout: layout, storage: storage, now: { Self.day }, unsentEdits: { _ in unsent })
  }

  private func audit(_ library: MapLibrary) -> LibraryAudit {
    LibraryAudit(
      library,
      check: { url in
        let text = try String(
          contentsOf: url.appending(path: "package.info"), encoding: .utf8)
        guard text.hasPrefix("map ") else { throw LibraryError.noSuchMap("no package") }
        return String(text.dropFirst(4))
      }, now: { Self.day }, makeID: { MapID(UUID()) })
  }

  private func record(_ id: String, byteCount: Int = 10) throws -> StoredMap {
    StoredMap(
      id: try #require(MapID(id)), origin: .portalItem(id), form: .folder, title: "Map \(id)",
      installed: Self.day, byteCount: byteCount)
  }

  /// A folder in the staging room with a map.
  private func staged(_ name: String, _ text: String = "map found") throws -> URL {
    let folder = layout.folder(.staging).appending(path: name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "p13"), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: "package.info"))
    try Data("{}".utf8).write(to: folder.appending(path: "p13/mobile_map.mmap"))
    return folder
  }

  private func install(_ id: String, in library: MapLibrary) async throws -> StoredMap {
    try await library.install(staged(id), as: record(id))
  }

  private func text(of map: StoredMap) throws -> String {
    try String(
      contentsOf: layout.place(of: map).appending(path: "package.info"), encoding: .utf8)
  }

  // MARK: - Storing

  @Test func `A staged map is stored under its id and recorded`() async throws {
    let library = try library()
    let map = try await install("a", in: library)
    #expect(try await library.maps() == [map])
    #expect(try text(of: map) == "map found")
    #expect(layout.contents(of: .staging).isEmpty)
    #expect(try await audit(library).findings().isEmpty)
  }

  @Test func `A map is whole while each of its files is there, and none was cut`() async throws {
    let library = try library()
    let map = try await install("a", in: library)
    #expect(try await library.isWhole(map))
    let part = layout.place(of: map).appending(path: "p13/mobile_map.mmap")
    try Data("{".utf8).write(to: part)
    #expect(try await !library.isWhole(map))
    try FileManager.default.removeItem(at: part)
    #expect(try await !library.isWhole(map))
  }

  @Test func `A newer version is stored beside the one before`() async throws {
    let library = try library()
    let before = try await install("a", in: library)
    let map = try await library.install(staged("b", "map newer"), as: record("a"))
    #expect(map.version == 2)
    #expect(try text(of: map) == "map newer" && text(of: before) == "map found")
    #expect(layout.contents(of: .staging).isEmpty && layout.contents(of: .maps).count == 1)
  }

  @Test func `Folders of a home are for their owner only`() throws {
    try layout.prepare()
    for folder in HomeLayout.Folder.allCases {
      let path = layout.folder(folder).path(percentEncoded: false)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  // MARK: - Deleting

  @Test func `A deleted map can be taken back until the trash is emptied`() async throws {
    let library = try library()
    let map = try await install("a", in: library)
    let freed = try await library.deletion(of: map.id)
    #expect(
      freed > 0
        && freed == DiskUsage(of: layout.folder(.maps).appending(path: "a")).allocatedByteCount)
    try await library.delete(map.id)
    #expect(try await library.maps().isEmpty)
    #expect(try await library.deletedMaps().map(\.id) == [map.id])
    try await library.undoDeletion(of: map.id)
    #expect(try await library.maps() == [map])
    #expect(try text(of: map) == "map found")
    try await library.delete(map.id)
    #expect(try await library.emptyTrash() == freed)
    await #expect(throws: LibraryError.noSuchMap("a")) {
      try await library.undoDeletion(of: map.id)
    }
    #expect(layout.contents(of: .trash).isEmpty)
  }

  @Test func `An open map is not deleted`() async throws {
    let library = try library()
    let map = try await install("a", in: library)
    do {
      let opened = try await library.open(map.id)
      #expect(opened.url == layout.place(of: map))
      await #expect(throws: LibraryError.inUse(map: "Map a", by: "this program")) {
        try await library.delete(map.id)
      }
    }
    try await library.delete(map.id)
  }

  @Test func `Edits that were not sent keep a map from being deleted`() async throws {
    let library = try library(unsent: 2)
    let map = try await install("a", in: library)
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 2)) {
      try await library.delete(map.id)
    }
    #expect(try await library.maps() == [map])
    try await library.delete(map.id, discardingEdits: true)
    #expect(try await library.maps().isEmpty)
  }

  @Test func `Edits that cannot be counted keep a map from being deleted and replaced`()
    async throws
  {
    let map = try await install("a", in: try library())
    try Data("x".utf8).write(to: layout.place(of: map).appending(path: "p13/data.geodatabase"))
    let library = MapLibrary(
      layout: layout, storage: storage, now: { Self.day },
      unsentEdits: { _ in throw LibraryError.damaged(file: "x", reason: "it is busy") })
    let refusal = LibraryError.editsUnknown(
      map: "Map a",
      reason: LibraryError.damaged(file: "x", reason: "it is busy").localizedDescription)
    await #expect(throws: refusal) { try await library.delete(map.id) }
    await #expect(throws: refusal) { try await library.install(staged("b", "map newer"), as: map) }
    #expect(try await library.maps() == [map])
    #expect(try text(of: map) == "map found")
    try await library.delete(map.id, discardingEdits: true)
    #expect(try await library.maps().isEmpty)
  }

  @Test func `Counting that was cancelled is a cancellation, not a count`() async throws {
    let map = try await install("a", in: try library())
    let library = MapLibrary(
      layout: layout, storage: storage, now: { Self.day },
      unsentEdits: { _ in throw CancellationError() })
    await #expect(throws: LibraryError.cancelled) { try await library.delete(map.id) }
    #expect(try await library.maps() == [map])
  }

  @Test func `Nothing outside of a marked folder is ever removed`() async throws {
    let library = try library()
    let outside = temporaryDirectory.appending(path: "precious")
    try Data("keep".utf8).write(to: outside)
    let unmarked = layout.home.appending(path: "library.sqlite")
    let marker = layout.folder(.maps).appending(path: HomeLayout.marker)
    for url in [outside, unmarked, marker, layout.folder(.maps), URL(filePath: "/")] {
      await #expect(throws: LibraryError.notOurs(file: url.path(percentEncoded: false))) {
        try await library.remove(url)
      }
    }
    try FileManager.default.removeItem(at: marker)
    let map = layout.folder(.maps).appending(path: "a")
    try Data().write(to: map)
    await #expect(throws: LibraryError.self) { try await library.remove(map) }
  }

  // MARK: - After a crash

  /// The steps of a deletion after which a process may die.
  @Test(arguments: ["recorded", "moved"])
  func `A deletion that was cut short is finished, or can be taken back`(
    _ step: String
  ) async throws {
    let library = try library()
    var map = try await install("a", in: library)
    map.deleted = Self.day
    await storage.save(map)
    if step == "moved" {
      try DurableMove.move(
        layout.folder(.maps).appending(path: "a"), to: layout.trashPlace(of: map))
    } else {
      #expect(try await audit(library).findings() == [.halfDeleted(map: map)])
    }
    try await library.recover()
    #expect(try await audit(library).findings().isEmpty)
    #expect(!DurableMove.exists(layout.place(of: map)))
    try await library.undoDeletion(of: map.id)
    #expect(try text(of: map) == "map found")
  }

  @Test func `A map that was moved but not recorded is found and put on the list`() async throws {
    let library = try library()
    let place = layout.folder(.maps).appending(path: "a", directoryHint: .isDirectory)
    try DurableMove.move(try staged("a"), to: place)
    let audit = audit(library)
    let findings = try await audit.findings()
    guard case .unrecorded(_, "found")? = findings.first else {
      Issue.record("found \(findings)")
      return
    }
    #expect(await audit.repair(findings).isEmpty)
    #expect(try await library.maps().map(\.title) == ["found"])
    #expect(try await audit.findings().isEmpty)
  }

  @Test func `Every defect is named, and repaired`() async throws {
    let library = try library()
    let lost = try await install("lost", in: library)
    try FileManager.default.removeItem(at: layout.place(of: lost))
    let damaged = try await install("damaged", in: library)
    try Data("x".utf8).write(to: layout.place(of: damaged).appending(path: "package.info"))
    try Data("x".utf8).write(to: layout.folder(.packages).appending(path: "notes.txt"))
    _ = try staged("job-of-nobody")
    try Data("x".utf8).write(to: layout.folder(.trash).appending(path: "old"))
    let audit = audit(library)
    let findings = try await audit.findings()
    #expect(findings.count == 5, "\(findings.map(\.sentence))")
    #expect(await audit.repair(findings).isEmpty)
    #expect(try await audit.findings().isEmpty)
    #expect(try await library.deletedMaps().map(\.id) == [damaged.id])
  }

  @Test func `Staged files of an unfinished job are left alone`() async throws {
    let library = try library()
    let id = try #require(JobID("job-1"))
    var job = Job(
      id: id, kind: "k", subject: "s", title: "S", parameters: Data(), created: Self.day,
      position: 0)
    _ = try staged("job-1")
    let failure = JobFailure(message: "The server is gone.", kind: .absent)
    for state in [JobState.paused, .failed(failure), .succeededInPart] {
      job.state = state
      try await storage.record(job)
      #expect(try await audit(library).findings().isEmpty, "\(state.word)")
    }
    job.state = .cancelled
    try await storage.record(job)
    #expect(try await audit(library).findings().count == 1)
  }
}
