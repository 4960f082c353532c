import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Versions that lie beside the current one and that no record knows, as in a catalogue that was made
/// anew.
@Suite(.temporaryDirectory) struct UnrecordedVersionTests {
  /// A map with such a version, in which somebody has edited something.
  private func edited(_ bed: LibraryBed) async throws -> (map: StoredMap, unrecorded: URL) {
    let map = try await bed.install(in: bed.library())
    let unrecorded = bed.layout.place(of: map).deletingLastPathComponent().appending(path: "7")
    try LibraryBed.write(unrecorded)
    try Edits.add("mine", to: unrecorded.appending(path: bed.path))
    return (map, unrecorded)
  }

  @Test func `A map is not deleted unasked while a version that no record knows holds edits`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (map, unrecorded) = try await edited(bed)
    let library = bed.library()
    let refusal = LibraryError.unsentEdits(map: map.title, count: 1)
    await #expect(throws: refusal) { try await library.deletion(of: map.id) }
    await #expect(throws: refusal) { try await library.delete(map.id) }
    #expect(try await library.maps() == [map])
    try Edits.send(in: unrecorded.appending(path: bed.path))
    #expect(try await library.deletion(of: map.id) > 0)
    try Edits.add("mine", to: unrecorded.appending(path: bed.path))
    try await library.delete(map.id, discardingEdits: true)
    #expect(try await library.maps().isEmpty)
  }

  @Test func `Such a version whose edits cannot be counted keeps its map as well`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (map, unrecorded) = try await edited(bed)
    let library = bed.library(unsentEdits: { place in
      guard place.lastPathComponent != "7" else { throw CocoaError(.fileReadCorruptFile) }
      return try Edits.count(in: place)
    })
    let error = await #expect(throws: LibraryError.self) { try await library.delete(map.id) }
    guard case .editsUnknown? = error else {
      Issue.record("deleting it ended with \(String(describing: error))")
      return
    }
    #expect(FileSystem.live.exists(unrecorded))
  }

  @Test func `Edits in such a version are reported with those of all maps`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let (map, _) = try await edited(bed)
    _ = try await bed.install("b", in: library)
    #expect(try await library.unsentEdits() == [map.id: 1])
    #expect(try await library.unsentEdits(of: map.id) == 1)
  }

  @Test func `A damaged map is set aside for the edits in such a version`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (map, _) = try await edited(bed)
    try FileManager.default.removeItem(
      at: bed.layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let library = bed.library()
    let audit = bed.audit(library)
    let damage = try await audit.findings().filter { finding in
      if case .damaged = finding { true } else { false }
    }
    #expect(damage.count == 1)
    #expect(await audit.repair(damage).isEmpty)
    let kept = try #require(try await library.keptMaps().first)
    #expect(try Edits.texts(in: kept.url.appending(path: "7/\(bed.path)")) == ["mine"])
    #expect(try await library.deletedMaps().isEmpty)
  }
}
