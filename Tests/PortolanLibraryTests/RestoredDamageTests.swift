import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The known damage of maps that were set aside and put back.
@Suite(.temporaryDirectory) struct RestoredDamageTests {
  @Test(arguments: [true, false])
  func `What is altered or missing in a map that is put back is still found`(
    _ isMissing: Bool
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    let tiles = bed.layout.folder(.kept).appending(path: "a-1/1/p13/tiles.tpkx")
    if isMissing { try FileManager.default.removeItem(at: tiles) }
    let map = try await bed.audit(library).putBack("a-1")
    let fault = isMissing ? "is missing" : "has 1 of 5000 bytes"
    let reason = "p13/tiles.tpkx \(fault)."
    #expect(await library.notedDamage(of: [map]) == [map.id: reason])
    #expect(
      try await bed.audit(library).findings()
        == [.damaged(map: map, reason: reason, mayHoldEdits: true)])
    // Set aside once more, it is known as it was at first.
    let audit = bed.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    let again = try await audit.putBack(try #require(try await library.keptMaps().first).name)
    #expect(try await library.damage(of: again)?.reason == reason)
    #expect(try Edits.texts(in: bed.geodatabase(of: again)) == ["mine"])
  }

  @Test func `What is altered in a deleted map that is kept is still found`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    try await bed.edit(map, in: library)
    try await library.delete(map.id, discardingEdits: true)
    try Data("x".utf8).write(
      to: bed.layout.deletedPlace(of: map).appending(path: "p13/tiles.tpkx"))
    try await bed.install(in: library)
    let restored = try await bed.audit(library).putBack("a-deleted-1")
    #expect(try await library.damage(of: restored)?.reason == "p13/tiles.tpkx has 1 of 5000 bytes.")
    #expect(try Edits.texts(in: bed.geodatabase(of: restored)) == ["mine"])
  }

  @Test func `What is sound in a map that is put back is not called damaged`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = try await bed.keepOne()
    let tiles = bed.layout.folder(.kept).appending(path: "a-1/1/p13/tiles.tpkx")
    try Data(repeating: 7, count: 5_000).write(to: tiles)
    let map = try await bed.audit(library).putBack("a-1")
    #expect(try await bed.audit(library).findings(.deep).isEmpty)
    #expect(await library.notedDamage(of: [map]).isEmpty)
  }
}
