import Foundation
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// Another process keeps the right to move maps about, or writes to the catalogue, and does not end.
@Suite(.temporaryDirectory) struct HomeLockTests {
  private func hold(_ bed: LibraryBed) throws -> FileLock {
    try #require(
      try FileLock.attempt(.exclusive, on: .lockFile(bed.layout.home.appending(path: ".lock"))))
  }

  @Test func `A reader waits a second, learns which process holds the lock, and continues`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let held = try hold(bed)
    let notices = Mutex<[HomeLockNotice]>([])
    let clock = CountingClock()
    let library = bed.library(clock: clock) { notice in notices.withLock { $0.append(notice) } }
    try await library.recoverUnlessBusy()
    #expect(try await library.maps() == [map])
    #expect(clock.now.offset >= .seconds(1) && clock.now.offset < .seconds(2))
    #expect(notices.withLock { $0 } == [.goesOn(holder: "this program")])
    withExtendedLifetime(held) {}
  }

  @Test func `A writer waits, and learns which process holds the lock`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let held = try hold(bed)
    let notices = Mutex<[HomeLockNotice]>([])
    let clock = CountingClock { if $0 >= .seconds(9) { held.release() } }
    let library = bed.library(clock: clock) { notice in notices.withLock { $0.append(notice) } }
    try await library.delete(map.id)
    #expect(try await library.maps().isEmpty)
    #expect(notices.withLock { $0 } == [.waits(holder: "this program")])
    #expect(
      notices.withLock { $0.first?.sentence }
        == "Waiting for this program, which is changing what is stored here.")
  }

  @Test func `An import waits for the one before it, and hears whose it is`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.library().holdTitles()
    let notices = Mutex<[HomeLockNotice]>([])
    let clock = CountingClock { if $0 >= .seconds(9) { first.release() } }
    let library = bed.library(clock: clock) { notice in notices.withLock { $0.append(notice) } }
    let second = try await library.holdTitles()
    #expect(clock.now.offset >= .seconds(9))
    #expect(notices.withLock { $0 } == [.waits(holder: "this program")])
    // Whoever comes next has its turn at once.
    second.release()
    try await bed.library().holdTitles().release()
  }

  @Test func `An identity that another process gives the home meanwhile is kept`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let file = bed.layout.identityFile
    let held = try hold(bed)
    let clock = CountingClock { _ in
      try? Data("theirs".utf8).write(to: file)
      held.release()
    }
    let identity = try await bed.library(clock: clock).homeIdentity()
    #expect(identity.hasSuffix("-theirs"))
    #expect(bed.layout.identity == identity)
  }

  @Test func `A repair that has waited for another process looks again when it is its turn`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let place = bed.layout.place(of: map)
    let away = temporaryDirectory.appending(path: "away")
    try FileManager.default.moveItem(at: place, to: away)
    let findings = try await bed.audit(bed.library()).findings()
    #expect(findings == [.filesMissing(map: map)])
    let held = try hold(bed)
    let clock = CountingClock {
      guard $0 >= .seconds(9) else { return }
      try? FileManager.default.moveItem(at: away, to: place)
      held.release()
    }
    #expect(await bed.audit(bed.library(clock: clock)).repair(findings).isEmpty)
    #expect(clock.now.offset >= .seconds(9))
    #expect(try await bed.library().maps() == [map])
    #expect(FileSystem.live.exists(place))
  }

  @Test func `Maps not recovered at the start are recovered before anything is changed`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    // The deletion was recorded, and its process died before the files had moved.
    var deleted = map
    deleted.deleted = LibraryBed.day
    deleted.deletedOn = 1
    try await bed.storage.save(deleted)
    let held = try hold(bed)
    let library = bed.library(clock: CountingClock())
    try await library.recoverUnlessBusy()
    #expect(FileSystem.live.exists(bed.layout.place(of: map)))
    held.release()
    try await bed.install("b", in: library)
    #expect(!FileSystem.live.exists(bed.layout.place(of: map)))
    try await library.undoDeletion(of: map.id)
    #expect(try await library.maps().map(\.id.text) == ["a", "b"])
  }

  @Test func `A catalogue is opened and listed while another process writes to it`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let writer = try Connection(at: bed.layout.catalogue, access: .readWrite)
    try writer.execute("BEGIN EXCLUSIVE")
    let storage = try await SQLiteMapStorage.open(at: bed.layout.catalogue)
    #expect(storage.readOnlyReason == nil)
    let library = MapLibrary(
      layout: bed.layout, storage: storage, now: { LibraryBed.day }, unsentEdits: { _ in 0 })
    #expect(try await library.maps() == [map])
    try writer.execute("ROLLBACK")
  }
}
