import Foundation
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// The requests to the disk, in order, and the outcome of maps when it fails.
@Suite(.temporaryDirectory) struct DurabilityTests {
  /// Takes down the calls, and lets one of them fail.
  final class Disk: Sendable {
    private let calls = Mutex<[FileSystemCall]>([])
    private let fails: @Sendable (Int, FileSystemCall) -> Int32?

    init(failing fails: @escaping @Sendable (Int, FileSystemCall) -> Int32? = { _, _ in nil }) {
      self.fails = fails
    }

    var files: FileSystem {
      FileSystem { call in
        let number = self.calls.withLock { calls in
          calls.append(call)
          return calls.count
        }
        return self.fails(number, call)
      }
    }

    var made: [FileSystemCall] { calls.withLock { $0 } }
  }

  @Test func `A disk that is full while a map takes its place is reported as full`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let disk = Disk { _, call in if case .move = call { ENOSPC } else { nil } }
    let error = await #expect(throws: LibraryError.self) {
      try await bed.install(in: bed.library(files: disk.files))
    }
    guard case .diskFull? = error else {
      Issue.record("it says \(String(describing: error))")
      return
    }
    #expect(FileSystem.live.exists(bed.layout.staging("job-a")))
  }

  @Test func `A map is on the disk before it takes its place, and its place before it is recorded`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let disk = Disk()
    let moves = Mutex(0)
    let library = bed.library(
      files: disk.files,
      report: { step in
        if step == .installRecorded { moves.withLock { $0 = disk.made.count } }
      })
    let map = try await bed.install(in: library)
    let calls = disk.made
    let place = bed.layout.place(of: map).plainPath
    let staged = bed.layout.staging("job-a").plainPath
    let move = try #require(calls.firstIndex(of: .move(staged, to: place)))
    let synced = Set(
      calls[..<move].compactMap { if case .sync(let path) = $0 { path } else { nil } })
    for file in ["package.info", "p13/mobile_map.mmap", "p13/tiles.tpkx", LibraryBed.path] {
      #expect(synced.contains("\(staged)/\(file)"), "\(file) is synced first")
    }
    #expect(synced.contains(staged) && synced.contains("\(staged)/p13"))
    let after = calls[move..<moves.withLock { $0 }]
    #expect(after.contains(.sync(bed.layout.container(of: map.id, .folder).plainPath)))
    #expect(after.contains(.sync(bed.layout.folder(.staging).plainPath)))
  }

  @Test func `A map that has moved and was not confirmed is recorded at the next start`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let container = bed.layout.container(of: try bed.record().id, .folder).plainPath
    let hasMoved = Mutex(false)
    let disk = Disk { _, call in
      if case .move = call { hasMoved.withLock { $0 = true } }
      return hasMoved.withLock { $0 } && call == .sync(container) ? EIO : nil
    }
    await #expect {
      try await bed.install(in: bed.library(files: disk.files))
    } throws: { error in
      guard case LibraryError.durabilityUnknown = error else { return false }
      return true
    }
    #expect(try await bed.storage.installations().count == 1)
    try await bed.library().recover()
    #expect(try await bed.library().maps().map(\.version) == [1])
    #expect(try await bed.audit(bed.library()).findings().isEmpty)
  }

  @Test func `What the disk does not let anybody look at stays announced`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let container = bed.layout.container(of: try bed.record().id, .folder).plainPath
    let disk = Disk { _, call in call == .sync(container) ? EIO : nil }
    _ = try? await bed.install(in: bed.library(files: disk.files))
    // The disk is no better at the next start.
    try await bed.library(files: disk.files).recover()
    let isAnnounced = try await bed.storage.installations().count == 1
    let isStaged = FileStatus(bed.layout.staging("job-a")) != nil
    #expect(isAnnounced || isStaged)
    try await bed.library().recover()
    let isStored = try await bed.library().maps().count == 1
    #expect(isStored || isStaged)
  }

  /// Each call of an operation fails once, by itself.
  @Test(arguments: ["install", "update", "delete", "undo", "rollback"])
  func `A map is as before or as after, whichever call fails`(_ operation: String) async throws {
    for code in [EIO, ENOSPC, EMFILE] {
      var number = 1
      while try await fail(operation, at: number, with: code) { number += 1 }
      #expect(number > 1, "\(operation) makes calls")
    }
  }

  @Test func `A map that took its place but cannot be recorded is not reported as failed`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    try await bed.install(info: "one", in: library)
    let catalogue = try Connection(at: bed.layout.catalogue, access: .readWrite)
    try catalogue.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON map_version WHEN new.number = 2
      BEGIN SELECT RAISE(ABORT, 'refused'); END
      """)
    do {
      try await bed.install(info: "two", in: library)
      Issue.record("it was recorded")
    } catch LibraryError.durabilityUnknown {
      #expect(try await library.maps().map(\.version) == [1])
    }
    try catalogue.execute("DROP TRIGGER refuse")
    try await library.recover()
    let map = try #require(try await library.maps().first)
    #expect(try map.version == 2 && bed.info(of: map) == "two")
  }

  @Test func `A version that cannot be recorded yet keeps no other map from being deleted`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(info: "one", in: bed.library())
    let other = try await bed.install("b", in: bed.library())
    let catalogue = try Connection(at: bed.layout.catalogue, access: .readWrite)
    // As a disk does that is full.
    try catalogue.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON map_version WHEN new.number = 2
      BEGIN SELECT RAISE(ABORT, 'refused'); END
      """)
    await #expect(throws: LibraryError.self) {
      try await bed.install(info: "two", in: bed.library())
    }
    let library = bed.library()
    try await library.recover()
    #expect(try await library.maps() == [first, other])
    try await library.delete(other.id)
    #expect(try await library.emptyTrash() > 0)
    // The next version does not take its place in what is announced.
    let error = await #expect(throws: LibraryError.self) {
      try await bed.install(info: "three", in: library)
    }
    guard case .catalogue? = error else {
      Issue.record("it says \(String(describing: error))")
      return
    }
    try catalogue.execute("DROP TRIGGER refuse")
    try await library.recover()
    let map = try #require(try await library.maps().first)
    #expect(try map.version == 2 && bed.info(of: map) == "two")
  }

  @Test func `A map whose update could not be recorded is deleted and restored as it is known`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(info: "one", in: library)
    let catalogue = try Connection(at: bed.layout.catalogue, access: .readWrite)
    // As a disk does that is full.
    try catalogue.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON map_version WHEN new.number = 2
      BEGIN SELECT RAISE(ABORT, 'refused'); END
      """)
    await #expect(throws: LibraryError.self) { try await bed.install(info: "two", in: library) }
    try await library.delete(first.id)
    try catalogue.execute("DROP TRIGGER refuse")
    try await library.undoDeletion(of: first.id)
    #expect(try await library.maps() == [first] && bed.info(of: first) == "one")
    // Of the update nothing is left that no record knows.
    #expect(try await bed.audit(library).findings().isEmpty)
    #expect(try await bed.install(info: "three", in: library).version == 2)
  }

  /// Answers whether a call failed.
  private func fail(_ operation: String, at number: Int, with code: Int32) async throws -> Bool {
    let folder = temporaryDirectory.appending(path: "\(operation)-\(number)-\(code)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let bed = try await LibraryBed(in: folder)
    let sound = bed.library()
    if operation != "install" { try await bed.install(info: "one", in: sound) }
    if operation == "undo" { try await sound.delete(bed.record().id) }
    if operation == "rollback" { try await bed.install(info: "two", in: sound) }
    let hasFailed = Mutex(false)
    let disk = Disk { made, _ in
      guard made == number else { return nil }
      hasFailed.withLock { $0 = true }
      return code
    }
    let library = bed.library(files: disk.files)
    var failure: (any Error)?
    do { try await perform(operation, bed, library) } catch { failure = error }
    guard hasFailed.withLock({ $0 }) else {
      if let failure { throw failure }
      return false
    }
    try await sound.recover()
    let (maps, deleted) = (try await sound.maps(), try await sound.deletedMaps())
    let place = "\(operation), call \(number), \(code), \(failure.map { "\($0)" } ?? "done")"
    for map in maps { #expect(try !bed.info(of: map).isEmpty, "\(place)") }
    for map in deleted {
      let info = bed.layout.deletedPlace(of: map).appending(path: "package.info")
      #expect(FileStatus(info) != nil, "\(place)")
    }
    let isStaged = FileStatus(bed.layout.staging("job-a")) != nil
    #expect(maps.count + deleted.count == 1 || operation == "install" && isStaged, "\(place)")
    // The reported outcome is true.
    if failure == nil { #expect(isDone(operation, maps, deleted), "\(place)") }
    let left = try await bed.audit(sound).findings().filter {
      if case .abandoned = $0 { false } else { true }
    }
    #expect(left.isEmpty, "\(place): \(left.map(\.sentence))")
    return true
  }

  private func perform(_ operation: String, _ bed: LibraryBed, _ library: MapLibrary) async throws {
    let id = try bed.record().id
    switch operation {
    case "install", "update": try await bed.install(info: "two", in: library)
    case "delete": try await library.delete(id)
    case "undo": try await library.undoDeletion(of: id)
    default: try await library.rollBack(id)
    }
  }

  private func isDone(_ operation: String, _ maps: [StoredMap], _ deleted: [StoredMap]) -> Bool {
    switch operation {
    case "install", "rollback": maps.map(\.version) == [1]
    case "update": maps.map(\.version) == [2]
    case "delete": deleted.count == 1
    default: maps.count == 1
    }
  }

  @Test func `Files prepared by a process that died are prepared again`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let draft = bed.layout.draft(of: "update")
    try LibraryBed.write(draft, info: "half", database: nil)
    try Data().write(to: draft.appending(path: "p13/left.tpkx"))
    try await library.reuse(map.id, in: "update")
    let staging = bed.layout.staging("update")
    #expect(FileStatus(staging.appending(path: "p13/left.tpkx")) == nil)
    #expect(
      try Data(contentsOf: staging.appending(path: "package.info")) == Data("one".utf8))
  }

  @Test func `A deleted map that cannot be removed keeps no other in the trash`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    for id in ["a", "b"] { try await library.delete(bed.install(id, in: library).id) }
    let disk = FileSystem { call in
      if case .remove(let path) = call, path.contains("/trash-a.removed/") { EIO } else { nil }
    }
    await #expect(throws: LibraryError.self) {
      try await bed.library(files: disk).emptyTrash()
    }
    #expect(try await library.deletedMaps().map(\.id.text) == ["a"])
    try await library.emptyTrash()
    try await library.recover()
    #expect(try await library.deletedMaps().isEmpty)
    #expect(bed.layout.contents(of: .trash).isEmpty)
  }
}
