import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// Jobs that began with a version of a map and end when another one is the current one: what was sent
/// meanwhile must neither be sent again nor be missing.
@Suite(.temporaryDirectory) struct OvertakenJobTests {
  private func edit(_ text: String, in map: StoredMap, _ bed: LibraryBed) async throws {
    let lease = try await bed.library().open(map.id)
    try await bed.library().beginEditing(lease)
    try Edits.add(text, to: bed.geodatabase(of: map))
    lease.endEditing()
  }

  /// A stored map with an edit, which a job takes over.
  private func editedMap(
    reusedIn job: String, _ bed: LibraryBed, _ library: MapLibrary
  ) async throws -> StoredMap {
    let map = try await bed.install(in: library)
    try await edit("mine", in: map, bed)
    try await library.reuse(map.id, in: job)
    return map
  }

  /// Changes what a job has noted of the databases that it has taken over.
  private func note(_ new: String, insteadOf old: String, in staged: URL) throws {
    let list = staged.appending(path: ".portolan-carried.json")
    let text = try String(contentsOf: list, encoding: .utf8)
    #expect(text.contains(old))
    try Data(text.replacing(old, with: new).utf8).write(to: list)
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `A job that began with an older version has what was sent since`(
    _ path: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let library = bed.library()
    let first = try await bed.install(in: library)
    try await edit("mine", in: first, bed)
    try await library.reuse(first.id, in: "slow")
    try await library.reuse(first.id, in: "quick")
    let second = try await library.install(bed.layout.staging("quick"), as: bed.record())
    try Edits.send(in: bed.geodatabase(of: second))
    let third = try await library.install(bed.layout.staging("slow"), as: bed.record())
    #expect(third.version == 3)
    #expect(try Edits.texts(in: bed.geodatabase(of: third)) == [], "nothing is to be sent again")
    #expect(try Edits.sent(in: bed.geodatabase(of: third)) == ["mine"])
    // Its content is known to be from the version before: that can be brought back with the next
    // one.
    try await edit("later", in: third, bed)
    try Edits.send(in: bed.geodatabase(of: third))
    #expect(try await library.rollBack(first.id) == second)
    #expect(try Edits.sent(in: bed.geodatabase(of: second)) == ["mine", "later"])
  }

  @Test(arguments: [true, false])
  func `A job that began before an update was taken back has what was sent since`(
    _ isGone: Bool
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await editedMap(reusedIn: "update", bed, library)
    let second = try await library.install(bed.layout.staging("update"), as: bed.record())
    // It is paused, and goes on after all the rest.
    try await library.reuse(second.id, in: "slow")
    #expect(try await library.rollBack(second.id) == first)
    try await edit("later", in: first, bed)
    try Edits.send(in: bed.geodatabase(of: first))
    // With the update goes what says that both have the same database, but for what the job has noted.
    if isGone { #expect(try await library.reclaimSpace() > 0) }
    let third = try await library.install(bed.layout.staging("slow"), as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: third)) == [], "nothing is to be sent again")
    #expect(try Edits.sent(in: bed.geodatabase(of: third)) == ["mine", "later"])
  }

  @Test func `What only the update that was taken back has is taken from there as it is now`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    // The update has another database than the version before.
    let second = try await bed.install(info: "two", in: library)
    try await edit("mine", in: second, bed)
    try await library.reuse(second.id, in: "slow")
    try Edits.send(in: bed.geodatabase(of: second))
    #expect(try await library.rollBack(second.id) == first)
    let third = try await library.install(bed.layout.staging("slow"), as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: third)) == [], "nothing is to be sent again")
    #expect(try Edits.sent(in: bed.geodatabase(of: third)) == ["mine"])
  }

  @Test func `A job that is cancelled leaves the last copy of edits`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await editedMap(reusedIn: "update", bed, library)
    // The disk has lost what it was copied from.
    try FileManager.default.removeItem(at: bed.layout.place(of: first))
    try await library.discardStaged("update")
    #expect(!FileSystem.live.exists(bed.layout.staging("update")))
    let kept = try #require(try await library.keptMaps().first)
    #expect(kept.mapName == "a" && kept.geodatabases == [LibraryBed.path])
    #expect(try Edits.texts(in: kept.url.appending(path: LibraryBed.path)) == ["mine"])
  }

  @Test(arguments: [true, false])
  func `A job that is cancelled leaves no copy of what is stored, and none without edits`(
    _ isStored: Bool
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    if isStored { try await edit("mine", in: first, bed) }
    try await library.reuse(first.id, in: "update")
    if !isStored { try FileManager.default.removeItem(at: bed.layout.place(of: first)) }
    try await library.discardStaged("update")
    #expect(!FileSystem.live.exists(bed.layout.staging("update")))
    #expect(try await library.keptMaps().isEmpty)
  }

  @Test func `What a process that died had taken over again stays known when another one is`()
    async throws
  {
    let (version, job) = (
      temporaryDirectory.appending(path: "1"), temporaryDirectory.appending(path: "job")
    )
    let paths = LibraryBed.editablePaths
    try LibraryBed.write(version, database: paths[0])
    try Edits.makeDatabase(at: version.appending(path: paths[1]))
    try FileSystem.live.createFolder(job)
    var carried = CarriedGeodatabases(version: 1)
    for path in paths { try carried.carry(path, from: version, to: job) }
    try carried.write(to: job)
    try Edits.add("mine", to: version.appending(path: paths[0]))
    // It dies once the first is in its place, before that is noted.
    try carried.carry(paths[0], from: version, to: job)
    try Edits.add("mine", to: version.appending(path: paths[1]))
    var next = try #require(CarriedGeodatabases(in: job))
    try next.carry(paths[1], from: version, to: job)
    try next.write(to: job)
    let known = try #require(try CarriedGeodatabases.read(in: job, by: .live))
    #expect(known.paths(in: job) == paths.sorted())
  }

  @Test func `What a job has of a version that is gone stays as it is`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(in: library)
    let second = try await bed.install(info: "two", in: library)
    try await edit("mine", in: second, bed)
    try await library.reuse(second.id, in: "slow")
    // The disk has lost it; the job has its last copy.
    try FileManager.default.removeItem(at: bed.layout.place(of: second))
    let audit = bed.audit(library)
    let missing = try await audit.findings().filter { $0.map == second }
    #expect(missing == [.filesMissing(map: second)])
    #expect(await audit.repair(missing).isEmpty)
    #expect(try await library.maps() == [first])
    let third = try await library.install(bed.layout.staging("slow"), as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: third)) == ["mine"])
  }

  @Test func `A copy is known as one though its disk has another number by now`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await editedMap(reusedIn: "update", bed, library)
    let staged = bed.layout.staging("update")
    let device = try #require(FileStatus(staged)?.identity.device)
    try note("\"device\":\(device ^ 1)", insteadOf: "\"device\":\(device)", in: staged)
    try Edits.send(in: bed.geodatabase(of: first))
    let second = try await library.install(staged, as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == [], "nothing is to be sent again")
    #expect(try Edits.sent(in: bed.geodatabase(of: second)) == ["mine"])
  }

  @Test func `A copy is known as one in a home that was copied with its dates`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await editedMap(reusedIn: "update", bed, library)
    let staged = bed.layout.staging("update")
    // In a copy of the home each file has another number.
    let copy = staged.appending(path: LibraryBed.path)
    let number = try #require(FileStatus(copy)?.identity.number)
    try note("\"number\":\(number ^ 1)", insteadOf: "\"number\":\(number)", in: staged)
    try Edits.send(in: bed.geodatabase(of: first))
    let second = try await library.install(staged, as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == [], "nothing is to be sent again")
    #expect(try Edits.sent(in: bed.geodatabase(of: second)) == ["mine"])
  }

  @Test func `Where it cannot be read what a job has taken over, nothing is stored`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await edit("mine", in: first, bed)
    try await bed.library().reuse(first.id, in: "update")
    try Edits.send(in: bed.geodatabase(of: first))
    let staged = bed.layout.staging("update")
    let list = staged.appending(path: ".portolan-carried.json").plainPath
    let isSynced = Mutex(false)
    let disk = FileSystem { call in
      call == .open(list) && isSynced.withLock { $0 } ? EMFILE : nil
    }
    let library = bed.library(
      files: disk,
      report: { step in
        if step == .installSynced { isSynced.withLock { $0 = true } }
      })
    await #expect {
      try await library.install(staged, as: bed.record())
    } throws: { error in
      guard case LibraryError.unreadable(file: list, _) = error else { return false }
      return true
    }
    #expect(try await bed.library().maps() == [first])
    let second = try await bed.library().install(staged, as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: second)) == [])
  }

  @Test func `A database that was cut meanwhile takes no place of a copy that is whole`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await editedMap(reusedIn: "update", bed, library)
    let staged = bed.layout.staging("update")
    try Data().write(to: bed.geodatabase(of: first))
    await #expect {
      try await library.install(staged, as: bed.record())
    } throws: { error in
      guard case LibraryError.editsUnknown(map: first.title, _) = error else { return false }
      return true
    }
    #expect(try Edits.texts(in: staged.appending(path: bed.path)) == ["mine"])
    #expect(try await library.maps() == [first])
  }
}
