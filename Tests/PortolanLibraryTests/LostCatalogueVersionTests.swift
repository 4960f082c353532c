import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The known facts about the versions of maps once the catalogue was lost, and the files kept for
/// that.
@Suite(.temporaryDirectory) struct LostCatalogueVersionTests {
  /// The library of a home whose catalogue was lost, once everything is on the list again.
  private func libraryAfterLoss(_ bed: LibraryBed) async throws -> MapLibrary {
    for suffix in ["", "-wal", "-shm"] {
      // Not all of them are there.
      try? FileManager.default.removeItem(
        atPath: bed.layout.catalogue.path(percentEncoded: false) + suffix)
    }
    let library = MapLibrary(
      layout: bed.layout, storage: try await SQLiteMapStorage.open(at: bed.layout.catalogue),
      now: { LibraryBed.day }, unsentEdits: { try Edits.count(in: $0) })
    try await library.recover()
    let audit = bed.audit(library)
    // The versions before are found once the current one is recorded.
    for _ in 1...2 {
      let findings = try await audit.findings()
      #expect(await audit.repair(findings).isEmpty)
    }
    #expect(try await audit.findings().isEmpty)
    return library
  }

  private func names(_ bed: LibraryBed) throws -> [String] {
    try FileSystem.live.names(in: bed.layout.records).sorted()
  }

  @Test func `The version that was restored stays the current one after the catalogue was lost`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    let second = try await bed.install(info: "two", in: bed.library())
    try await bed.library().rollBack(first.id)
    let library = try await libraryAfterLoss(bed)
    #expect(try await library.maps().map(\.version) == [1])
    #expect(try await library.rollBack(first.id).version == second.version)
    #expect(try await libraryAfterLoss(bed).maps().map(\.version) == [2])
    #expect(try names(bed) == ["a-1.json", "a-2.json"])
  }

  @Test func `What was sent after a rollback goes along with the update, be the catalogue lost`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await bed.library().reuse(first.id, in: "update")
    let second = try await bed.library().install(
      bed.layout.staging("update"), as: bed.record())
    try await edit("mine", in: second, bed, bed.library())
    try await bed.library().rollBack(first.id)
    let library = try await libraryAfterLoss(bed)
    try await edit("later", in: first, bed, library)
    #expect(try await library.rollBack(first.id).version == second.version)
    #expect(try Edits.sent(in: bed.geodatabase(of: second)) == ["mine", "later"])
  }

  @Test func `Edits that only the update holds stay when it comes back, be the catalogue lost`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await bed.library().reuse(first.id, in: "update")
    let second = try await bed.library().install(
      bed.layout.staging("update"), as: bed.record())
    try await edit("mine", in: second, bed, bed.library())
    try await bed.library().rollBack(first.id)
    let library = try await libraryAfterLoss(bed)
    try await edit("later", in: first, bed, library)
    // Another program, which knows of no locks.
    try Edits.add("theirs", to: bed.geodatabase(of: second))
    try await library.rollBack(first.id)
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == ["theirs"])
  }

  /// Makes an edit, and sends it.
  private func edit(
    _ text: String, in map: StoredMap, _ bed: LibraryBed, _ library: MapLibrary
  ) async throws {
    let lease = try await library.open(map.id)
    try await library.beginEditing(lease)
    try Edits.add(text, to: bed.geodatabase(of: map))
    try Edits.send(in: bed.geodatabase(of: map))
    lease.endEditing()
  }

  @Test func `An update after a rollback is the current version once the catalogue was lost`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await bed.install(info: "two", in: bed.library())
    try await bed.library().rollBack(first.id)
    let third = try await bed.install(info: "three", in: bed.library())
    #expect(try await libraryAfterLoss(bed).maps().map(\.version) == [third.version])
  }

  @Test func `A rollback that was killed before it was recorded takes nothing back`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    let second = try await bed.install(info: "two", in: bed.library())
    let mark = bed.layout.takenBackMark(of: second.version, of: second.id.text)
    try FileSystem.live.write(Data(), to: mark)
    try await bed.library().recover()
    #expect(!FileSystem.live.exists(mark))
    #expect(try await libraryAfterLoss(bed).maps().map(\.version) == [second.version])
  }

  @Test func `A version before has its own record after the catalogue was lost`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    var old = try bed.record()
    (old.title, old.sourceModified) = ("As it was", LibraryBed.day)
    let first = try await bed.library().install(bed.staged(), as: old)
    try await bed.install(info: "two", in: bed.library())
    let library = try await libraryAfterLoss(bed)
    #expect(try await library.maps().map(\.title) == ["Map a"])
    let restored = try await library.rollBack(first.id)
    // Else the portal would seem to have nothing newer.
    #expect(restored.title == "As it was" && restored.sourceModified == LibraryBed.day)
  }

  @Test func `What was recorded of versions goes, though a process died while it removed them`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await bed.install(info: "two", in: bed.library())
    let other = try await bed.install("b", in: bed.library())
    #expect(try names(bed) == ["a-1.json", "a-2.json", "b-1.json"])
    try FileManager.default.removeItem(at: bed.layout.place(of: first))
    try await bed.library().delete(other.id)
    try FileManager.default.removeItem(at: bed.layout.trashPlace(of: other))
    try await bed.library().recover()
    #expect(try names(bed) == ["a-2.json"])
  }

  @Test func `What was recorded of a map in the trash stays as long as the map`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await bed.install(info: "two", in: bed.library())
    try await bed.installFile("b", in: bed.library())
    try await bed.library().delete(first.id)
    try await bed.library().recover()
    #expect(try names(bed) == ["a-1.json", "a-2.json", "b-1.json"])
  }

  @Test(
    arguments: [
      ("a-1.json", "a", 1), ("a-1.damaged", "a", 1), ("a-b-12.taken-back", "a-b", 12),
      ("a-1.part", nil, nil),
      ("a.json", nil, nil), ("a-x.json", nil, nil), (".portolan-5.part", nil, nil),
      ("-1.json", nil, nil),
    ] as [(String, String?, Int?)])
  func `The name of a record says which version it is about`(
    _ name: String, _ id: String?, _ number: Int?
  ) {
    let version = HomeLayout.version(ofRecord: name)
    #expect(version?.id.text == id)
    #expect(version?.number == number)
  }
}
