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
    #expect(kept.name == "a-1" && kept.byteCount > 5_000)
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
}
