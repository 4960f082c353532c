import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Damaged maps that were set aside: listed, and deleted only when a person asks for it.
@Suite(.temporaryDirectory) struct KeptMapTests {
  /// A map with edits is damaged and repaired, so that it is set aside.
  private func keepOne(_ bed: LibraryBed) async throws -> MapLibrary {
    let library = bed.library()
    let map = try await bed.install(in: library)
    do {
      let lease = try await library.open(map.id)
      try await library.beginEditing(lease)
      try Edits.add("mine", to: bed.geodatabase(of: map))
    }
    try Data("x".utf8).write(to: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    return library
  }

  @Test func `What was set aside is listed with its geodatabases, which can be read`() async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await keepOne(bed)
    let kept = try #require(try await library.keptMaps().first)
    #expect(kept.name == "a-1" && kept.mapName == "a" && kept.byteCount > 5_000)
    #expect(!kept.isDeleted)
    let path = try #require(kept.geodatabases.first)
    #expect(kept.geodatabases.count == 1)
    #expect(try Edits.texts(in: kept.url.appending(path: path)) == ["mine"])
  }

  @Test func `Nothing but asking for it deletes what was set aside`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await keepOne(bed)
    try await library.emptyTrash()
    try await library.recover()
    try await bed.library(now: LibraryBed.day.addingTimeInterval(86_400 * 4_000)).recover()
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await library.keptMaps().map(\.name) == ["a-1"])
    #expect(try await library.deleteKept("a-1") > 0)
    #expect(try await library.keptMaps().isEmpty)
    #expect(bed.layout.contents(of: .trash).isEmpty)
  }

  @Test(arguments: ["b-1", "", "..", "../maps/a", ".portolan-room"])
  func `A name that was not set aside deletes nothing`(_ name: String) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await keepOne(bed)
    await #expect(throws: LibraryError.notKept(name)) { try await library.deleteKept(name) }
    #expect(try await library.keptMaps().map(\.name) == ["a-1"])
  }

  // MARK: - Putting back

  @Test func `What was set aside comes back as a map with its edits`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await keepOne(bed)
    let audit = bed.audit(library)
    let map = try await audit.putBack("a-1")
    #expect(map.id.text == "a" && map.title == "one")
    #expect(try await library.maps() == [map])
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == ["mine"])
    #expect(try await library.keptMaps().isEmpty)
    #expect(bed.layout.contents(of: .kept).isEmpty)
    #expect(try await audit.findings().isEmpty)
    let edits = LibraryError.unsentEdits(map: "one", count: 1)
    await #expect(throws: edits) { try await library.delete(map.id) }
  }

  @Test func `Where another map has its id and title, it gets others`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await keepOne(bed)
    var other = try bed.record()
    other.title = "one"
    other = try await library.install(bed.staged(), as: other)
    let map = try await bed.audit(library).putBack("a-1")
    #expect(map.id != other.id && map.title == "one 2")
    #expect(Set(try await library.maps()) == [other, map])
    #expect(try Edits.texts(in: bed.geodatabase(of: map)) == ["mine"])
  }

  @Test func `Of several versions the latest comes back, and the others stay`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await keepOne(bed)
    let folder = bed.layout.folder(.kept).appending(path: "a-1")
    try LibraryBed.write(folder.appending(path: "0"), info: "before")
    let audit = bed.audit(library)
    #expect(try await audit.putBack("a-1").title == "one")
    #expect(try await library.keptMaps().map(\.name) == ["a-1"])
    #expect(try await audit.putBack("a-1").title == "before")
    #expect(try await library.keptMaps().isEmpty)
  }

  @Test func `What does not open stays set aside`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await keepOne(bed)
    let kept = try #require(try await library.keptMaps().first)
    try FileManager.default.removeItem(at: kept.url.appending(path: "1/package.info"))
    let audit = bed.audit(library)
    await #expect(throws: (any Error).self) { try await audit.putBack("a-1") }
    await #expect(throws: LibraryError.notKept("b-1")) { try await audit.putBack("b-1") }
    #expect(try await library.keptMaps().map(\.name) == ["a-1"])
    #expect(try await library.maps().isEmpty)
  }

  @Test(arguments: [LibraryStep.installSynced, .installAnnounced, .installMoved, .installRecorded])
  func `A process that dies while it puts a map back leaves it set aside or stored`(
    _ step: LibraryStep
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    _ = try await keepOne(bed)
    let home = bed.layout.home
    let copy = temporaryDirectory.appending(path: "copies/home")
    try FileManager.default.createDirectory(
      at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
    let library = bed.library(report: { reported in
      guard reported == step, !FileSystem.live.exists(copy) else { return }
      // What a process that dies here leaves behind.
      do { try FileManager.default.copyItem(at: home, to: copy) } catch { Issue.record(error) }
    })
    _ = try await bed.audit(library).putBack("a-1")

    let left = try await LibraryBed(in: copy.deletingLastPathComponent())
    let next = left.library()
    try await next.recover()
    let isStored = [.installMoved, .installRecorded].contains(step)
    let maps = try await next.maps()
    #expect(maps.map(\.id.text) == (isStored ? ["a"] : []))
    let kept = try await next.keptMaps()
    let databases =
      kept.flatMap { map in map.geodatabases.map { map.url.appending(path: $0) } }
      + maps.map { left.geodatabase(of: $0) }
    #expect(try databases.map { try Edits.texts(in: $0) } == [["mine"]])
  }
}
