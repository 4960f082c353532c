import Foundation
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Maps of which another program keeps a database locked, which is no damage and passes.
@Suite(.temporaryDirectory) struct LockedDatabaseTests {
  private static let lock = LibraryError.beingWritten(
    file: "data.geodatabase", by: "process 4711 (python3)")

  /// A library in which the edits of no map can be counted, since their databases are locked.
  private func lockedOut(_ bed: LibraryBed) -> MapLibrary {
    bed.library(unsentEdits: { _ in throw Self.lock })
  }

  /// Keeps a database locked, as a program that writes to it, until the connection goes.
  private func locked(_ database: URL) throws -> Connection {
    let connection = try Connection(at: database, access: .readWrite)
    try connection.execute("BEGIN EXCLUSIVE")
    return connection
  }

  private func isOfLock(_ error: LibraryError?) -> Bool {
    if case .beingWritten? = error { true } else { false }
  }

  @Test func `A lock is told with its holder, and that it passes`() {
    #expect(Self.lock.errorDescription?.contains("process 4711 (python3)") == true)
    #expect(Self.lock.recoverySuggestion?.contains("try again") == true)
    #expect(Self.lock.recoverySuggestion?.contains("disk") == false)
  }

  @Test(arguments: [AuditDepth.quick, .deep])
  func `A map with a locked database is neither damaged nor repaired`(
    _ depth: AuditDepth
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    if depth == .quick {
      // What is edited is opened by the quick audit as well.
      let lease = try await bed.library().open(map.id)
      try await bed.library().beginEditing(lease)
      lease.endEditing()
    }
    let writer = try locked(bed.geodatabase(of: map))
    let audit = bed.audit(bed.library())
    let findings = try await audit.findings(depth)
    guard case .unreadable(map, let reason)? = findings.first, findings.count == 1 else {
      Issue.record("\(findings)")
      return
    }
    #expect(reason.contains("locked") && reason.hasSuffix("."))
    #expect(findings.allSatisfy { $0.repair == nil })
    let damage = LibraryFinding.damaged(map: map, reason: "No.", mayHoldEdits: true)
    // The quick look does not open what is as it was installed.
    if depth == .quick {
      let failures = await audit.repair([damage])
      #expect(failures.map(\.reason).allSatisfy { $0.contains("locked") } && failures.count == 1)
    }
    try writer.execute("ROLLBACK")
    #expect(try await audit.findings(depth).isEmpty)
    #expect(try await bed.library().maps() == [map])
  }

  @Test func `A locked database is not copied for an update or an export, and the lock is named`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let writer = try locked(bed.geodatabase(of: map))
    var error: LibraryError?
    do throws(LibraryError) { try await bed.library().reuse(map.id, in: "update") } catch let lock {
      error = lock
    }
    #expect(isOfLock(error))
    #expect(!FileSystem.live.exists(bed.layout.staging("update")))
    do throws(LibraryError) {
      _ = try await bed.library().copyDatabases(
        of: map, to: temporaryDirectory.appending(path: "export"), evenIfDamaged: true)
      Issue.record("it was copied")
    } catch {
      #expect(isOfLock(error))
    }
    try writer.execute("ROLLBACK")
    _ = try await bed.library().copyDatabases(
      of: map, to: temporaryDirectory.appending(path: "export"))
  }

  @Test func `A locked database that is counted is named by its path`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let database = bed.geodatabase(of: map)
    let writer = try locked(database)
    var error: LibraryError?
    do throws(LibraryError) { try await bed.library().delete(map.id) } catch let lock {
      error = lock
    }
    guard case .beingWritten(let file, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(file == database.path(percentEncoded: false))
    try writer.execute("ROLLBACK")
    try await bed.library().delete(map.id)
  }

  @Test func `A map with a locked database is neither deleted, replaced nor rolled back`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    let map = try await bed.install(info: "two", in: bed.library())
    let library = lockedOut(bed)
    await #expect(throws: Self.lock) { try await library.delete(map.id) }
    await #expect(throws: Self.lock) {
      try await library.install(bed.staged("next", info: "three"), as: bed.record())
    }
    try Edits.add("mine", to: bed.geodatabase(of: map))
    await #expect(throws: Self.lock) { try await library.rollBack(map.id) }
    #expect(try await bed.library().maps() == [map])
    #expect(FileSystem.live.exists(bed.layout.place(of: first)))
    #expect(FileSystem.live.exists(bed.layout.staging("next")))
  }

  @Test func `A version before with a locked database keeps no other from making room`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    for id in ["a", "b"] {
      let first = try await bed.install(id, in: bed.library())
      try await bed.install(id, info: "two", in: bed.library())
      // It is counted what is in it: it was written to since.
      try Edits.add("mine", to: bed.geodatabase(of: first))
      try Edits.send(in: bed.geodatabase(of: first))
    }
    let library = bed.library(unsentEdits: { url in
      guard url.path().contains("/b/") else { throw Self.lock }
      return 0
    })
    try await library.reclaimSpace()
    let earlier = try await bed.storage.earlierVersions().map(\.map.id.text)
    #expect(earlier == ["a"])
  }

  @Test func `What a lost job has left with a locked database stays where it is`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let staged = try bed.staged("lost")
    let library = lockedOut(bed)
    let failures = await bed.audit(library).repair([.abandoned(staged)])
    #expect(failures.map(\.reason) == [Self.lock.errorDescription])
    #expect(FileSystem.live.exists(staged))
    #expect(bed.layout.contents(of: .kept).isEmpty)
  }

  @Test func `A map on no list with a locked database is not taken for something foreign`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.storage.removeStoredMap(map.id)
    let audit = LibraryAudit(
      bed.library(), check: { _ in throw Self.lock }, now: { LibraryBed.day },
      makeID: { MapID(UUID()) })
    let findings = try await audit.findings()
    #expect(findings.map(\.repair) == [nil])
    #expect(findings.first?.sentence.contains("process 4711 (python3)") == true)
    #expect(await audit.repair(findings).isEmpty)
    #expect(FileSystem.live.exists(bed.layout.place(of: map)))
  }

  @Test func `A map of which a part is locked when it is opened is not damaged`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let audit = LibraryAudit(
      bed.library(), check: { _ in throw Self.lock }, now: { LibraryBed.day },
      makeID: { MapID(UUID()) })
    let reason = try #require(Self.lock.errorDescription)
    #expect(try await audit.findings() == [.unreadable(map: map, reason: reason)])
  }
}
