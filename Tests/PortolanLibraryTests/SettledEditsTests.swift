import Foundation
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// Edits that several versions of a map hold, after one of them has sent them.
@Suite(.temporaryDirectory) struct SettledEditsTests {
  private func edit(_ text: String, in map: StoredMap, _ bed: LibraryBed) async throws {
    let lease = try await bed.library().open(map.id)
    try await bed.library().beginEditing(lease)
    try Edits.add(text, to: bed.geodatabase(of: map))
    lease.endEditing()
  }

  /// A map whose update has taken an edit along and was taken back.
  private func rolledBack(_ bed: LibraryBed) async throws -> (first: StoredMap, second: StoredMap) {
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await edit("mine", in: first, bed)
    try await library.reuse(first.id, in: "update")
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    #expect(try await library.rollBack(first.id) == first)
    #expect(try await library.unsentEdits(of: first.id) == 1)
    return (first, second)
  }

  @Test func `An edit is not unsent that was sent after an update was taken back`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (first, second) = try await rolledBack(bed)
    try Edits.send(in: bed.geodatabase(of: first))
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == ["mine"])
    #expect(try await bed.library().unsentEdits(of: first.id) == 0)
    #expect(try await bed.library().unsentEdits() == [first.id: 0])
  }

  @Test
  func `An update whose databases are missing is not restored over edits that it took along`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (first, second) = try await rolledBack(bed)
    try FileManager.default.removeItem(at: bed.geodatabase(of: second))
    await #expect(throws: LibraryError.unsentEdits(map: first.title, count: 1)) {
      try await bed.library().rollBack(first.id)
    }
    #expect(try await bed.library().maps() == [first])
  }

  @Test func `An edit of another program counts, though the system dates files coarsely`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    func date(_ url: URL) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: LibraryBed.day], ofItemAtPath: url.path)
    }
    let staged = try bed.staged()
    try date(staged.appending(path: bed.path))
    let map = try await bed.library().install(staged, as: bed.record())
    #expect(try await bed.library().unsentEdits() == [:])
    let before = try #require(try FileStatus(at: bed.geodatabase(of: map)))
    try Edits.add("theirs", to: bed.geodatabase(of: map))
    try date(bed.geodatabase(of: map))
    let after = try #require(try FileStatus(at: bed.geodatabase(of: map)))
    #expect(after.byteCount == before.byteCount && after.modified == before.modified)
    #expect(try await bed.library().unsentEdits() == [map.id: 1])
  }

  /// Counts edits, and adds one right after the first time, as a program that knows of no lock.
  private func library(adding text: String, to database: URL, _ bed: LibraryBed) -> MapLibrary {
    let hasAdded = Mutex(false)
    return bed.library(unsentEdits: { place in
      let count = try Edits.count(in: place)
      let isFirst = hasAdded.withLock { hasAdded in
        defer { hasAdded = true }
        return !hasAdded
      }
      if isFirst { try Edits.add(text, to: database) }
      return count
    })
  }

  @Test func `What another program adds while edits are counted keeps the map from being replaced`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let library = library(adding: "theirs", to: bed.geodatabase(of: map), bed)
    await #expect(throws: LibraryError.unsentEdits(map: map.title, count: 1)) {
      try await library.install(bed.staged("new"), as: bed.record())
    }
    #expect(try await library.maps() == [map])
  }

  @Test func `What another program adds while edits are counted keeps an update from being undone`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try await bed.install(in: bed.library())
    let map = try await bed.install(info: "two", in: bed.library())
    try await bed.storage.markEdited(map.version, of: map.id)
    let library = library(adding: "theirs", to: bed.geodatabase(of: map), bed)
    await #expect(throws: LibraryError.unsentEdits(map: map.title, count: 1)) {
      try await library.rollBack(map.id)
    }
    #expect(try await library.maps() == [map])
  }

  @Test func `Edits that another program added to the previous version are unsent`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let (first, second) = try await rolledBack(bed)
    try Edits.send(in: bed.geodatabase(of: first))
    try Edits.add("theirs", to: bed.geodatabase(of: second))
    #expect(try await bed.library().unsentEdits(of: first.id) == 2)
  }
}
