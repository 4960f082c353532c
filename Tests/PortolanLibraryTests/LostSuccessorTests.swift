import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// A current version whose files are gone, which had taken over the edits of the version before.
@Suite(.temporaryDirectory) struct LostSuccessorTests {
  /// Two versions, the second with the edits of the first, and loses files of the second.
  private func loseSecond(_ bed: LibraryBed, _ lost: String) async throws -> StoredMap {
    let library = bed.library()
    let first = try await bed.install(info: "first", in: library)
    let lease = try await library.open(first.id)
    try await library.beginEditing(lease)
    try Edits.add("mine", to: bed.geodatabase(of: first))
    lease.endEditing()
    try await library.reuse(first.id, in: "update")
    let staged = bed.layout.staging("update")
    try LibraryBed.write(staged, info: "second", database: nil)
    let second = try await library.install(staged, as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == ["mine"])
    try FileManager.default.removeItem(at: bed.layout.place(of: second).appending(path: lost))
    return first
  }

  @Test(arguments: ["", LibraryBed.path])
  func `It is not deleted without a question, since the edits are in the version before only`(
    _ lost: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await loseSecond(bed, lost)
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await bed.library().delete(first.id)
    }
    try await bed.library().emptyTrash()
    #expect(try Edits.texts(in: bed.geodatabase(of: first)) == ["mine"])
  }

  @Test func `The edits stay where the version that took them along is cut short`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await loseSecond(bed, "package.info")
    let second = try #require(try await bed.library().maps().first)
    try Data().write(to: bed.geodatabase(of: second))
    try await bed.library().reclaimSpace()
    #expect(try Edits.texts(in: bed.geodatabase(of: first)) == ["mine"])
  }

  @Test(arguments: ["", LibraryBed.path])
  func `The edits outlast the next versions`(_ lost: String) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await loseSecond(bed, lost)
    for _ in 1...3 { try await bed.install(in: bed.library()) }
    try await bed.library().emptyTrash()
    #expect(try Edits.texts(in: bed.geodatabase(of: first)) == ["mine"])
  }

  @Test func `In the previous version only edits that no other version holds count`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try Edits.add("mine", to: bed.geodatabase(of: first))
    try await library.reuse(first.id, in: "update")
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    let version = try #require(try await library.earlierVersions(of: first.id).first)
    #expect(try await library.unsentEdits(onlyIn: version) == 0)
    try Data().write(to: bed.geodatabase(of: second))
    #expect(try await library.unsentEdits(onlyIn: version) == 1)
    let blind = bed.library(unsentEdits: { _ in throw CocoaError(.fileReadCorruptFile) })
    #expect(try await blind.unsentEdits(onlyIn: version) == nil)
  }

  @Test func `Copied edits are counted once, in the trash too`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try Edits.add("mine", to: bed.geodatabase(of: first))
    try await library.reuse(first.id, in: "update")
    try await library.install(bed.layout.staging("update"), as: bed.record())
    #expect(try await library.unsentEdits(of: first.id) == 1)
    try await library.delete(first.id, discardingEdits: true)
    #expect(try await library.unsentEdits(of: first.id) == 1)
    let blind = bed.library(unsentEdits: { _ in throw CocoaError(.fileReadCorruptFile) })
    #expect(try await blind.unsentEdits(of: first.id) == nil)
  }

  @Test func `Deleted, it comes back with the version before`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await loseSecond(bed, "")
    try await bed.library().delete(first.id, discardingEdits: true)
    try await bed.library().recover()
    try await bed.library().undoDeletion(of: first.id)
    try await bed.library().recover()
    #expect(try await bed.library().maps().map(\.id) == [first.id])
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await bed.library().maps() == [first])
    #expect(try Edits.texts(in: bed.geodatabase(of: first)) == ["mine"])
  }
}
