import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The changes that count as edits where clocks were wrong when a file was synchronized.
@Suite(.temporaryDirectory) struct SyncMomentTests {
  private static let hour = 3_600.0
  /// In the year 2099.
  private static let farAhead = Date(timeIntervalSince1970: 4_080_000_000)

  /// Opens a file by a clock.
  private func open(_ copy: SyncedSites, at date: Date) throws -> EditableGeodatabase {
    try EditableGeodatabase.open(at: copy.url, now: { date }, makeID: { UUID() })
  }

  /// Another program changes a site, by its own clock.
  private func editElsewhere(_ copy: SyncedSites, at date: Date) throws {
    try Connection(at: copy.url, access: .edit).execute(
      "UPDATE Sites SET gdb_from_date = \(JulianDay.day(date)) WHERE OBJECTID = 1")
  }

  private func add(to store: EditableGeodatabase) async throws -> Int64 {
    try await store.apply([
      .add(NewFeature(attributes: ["NAME": .text("Brief")]), table: "Sites")
    ])[0].objectID
  }

  /// A site is renamed by a clock that is far ahead, and its upload begins.
  private func beginUpload(of copy: SyncedSites) async throws -> SyncUpload {
    await copy.store.close()
    let early = try open(copy, at: Self.farAhead)
    _ = try await early.apply([
      .update(.objectID(1), table: "Sites", attributes: ["NAME": .text("Mine")])
    ])
    let upload = try await early.makeUpload()
    await early.close()
    return upload
  }

  /// The service has received the new name of that site.
  private static let accepted = GeodatabaseDelta.EditResult(
    objectID: nil, globalID: SyncedSites.alpha, isSuccess: true, kind: .update, layerID: 0)

  @Test func `What another program edits counts though the clock was years ahead before`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.store.noteSync(at: Self.farAhead)
    await copy.store.close()
    try editElsewhere(copy, at: SyncedSites.moment.addingTimeInterval(Self.hour))
    #expect(try await Geodatabase.open(at: copy.url).localChanges().changes.map(\.objectID) == [1])
  }

  @Test func `An edit is later than a synchronization by a clock that was ahead`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.store.noteSync(at: Self.farAhead)
    try await copy.rename(1, in: .sites, "Mine")
    #expect(try await copy.changes().map(\.objectID) == [1])
    await copy.store.close()
    // For programs that know no more than the date, too.
    let query = try Connection(at: copy.url, access: .readOnly).query(
      "SELECT max(gdb_from_date) FROM Sites")
    #expect(try query.step())
    #expect(query.real(at: 0) > JulianDay.day(Self.farAhead))
  }

  @Test func `What was received by a clock that was ahead is no edit once that is right`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.store.noteSync(at: Self.farAhead)
    let others = [SyncedSites.feature(.sites, SyncedSites.id(9), "Theirs")]
    _ = try await copy.receive(.sites, adds: others)
    let now = SyncedSites.moment.addingTimeInterval(Self.hour)
    try await copy.store.noteSync(at: now)
    #expect(try await copy.changes().isEmpty)
    #expect(try await copy.names()[0] == ["Alpha", "Beta", "Theirs"])
    #expect(try await copy.store.syncState()?.lastSync == now)
    await copy.store.close()
    try editElsewhere(copy, at: now.addingTimeInterval(Self.hour))
    #expect(try await Geodatabase.open(at: copy.url).localChanges().changes.map(\.objectID) == [1])
  }

  @Test func `A history of a clock that was ahead is dated back when everything is synchronized`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    await copy.store.close()
    let early = try open(copy, at: Self.farAhead)
    let id = try await add(to: early)
    _ = try await early.apply([.delete(.objectID(id), table: "Sites")])
    try await early.noteSync(at: Self.farAhead.addingTimeInterval(1))
    await early.close()
    let now = SyncedSites.moment.addingTimeInterval(Self.hour)
    let store = try open(copy, at: now)
    try await store.noteSync(at: now)
    #expect(try await store.localChanges().changes.isEmpty)
    #expect(try await store.count(in: "Sites", matching: QueryParameters()) == 2)
    await store.close()
    try editElsewhere(copy, at: now.addingTimeInterval(Self.hour))
    #expect(try await Geodatabase.open(at: copy.url).localChanges().changes.map(\.objectID) == [1])
    #expect(try GeodatabaseAudit.findings(in: copy.url).isEmpty)
  }

  /// Another program adds a table whose rows have no object ids.
  private func addPairs(to copy: SyncedSites, at date: Date) throws {
    let other = try Connection(at: copy.url, access: .edit)
    try other.execute(
      """
      CREATE TABLE Pairs (gdb_archive_oid INTEGER PRIMARY KEY NOT NULL, SITE TEXT,
        gdb_from_date REAL NOT NULL, gdb_to_date REAL NOT NULL)
      """)
    try other.execute(
      "INSERT INTO Pairs VALUES (1, 'a', \(JulianDay.day(date)), \(JulianDay.endOfTime))")
  }

  @Test func `The history of a table without object ids is dated back as well`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    await copy.store.close()
    try addPairs(to: copy, at: Self.farAhead)
    let early = try open(copy, at: Self.farAhead)
    try await early.noteSync(at: Self.farAhead)
    await early.close()
    let now = SyncedSites.moment.addingTimeInterval(Self.hour)
    let store = try open(copy, at: now)
    try await store.noteSync(at: now)
    #expect(try await store.localChanges().changes.isEmpty)
    await store.close()
    try editElsewhere(copy, at: now.addingTimeInterval(Self.hour))
    #expect(try await Geodatabase.open(at: copy.url).localChanges().changes.map(\.objectID) == [1])
  }

  @Test func `What was added and removed by a clock that was ahead is never sent as a removal`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    await copy.store.close()
    let start = SyncedSites.moment
    let first = try open(copy, at: start.addingTimeInterval(2 * Self.hour))
    let id = try await add(to: first)
    await first.close()
    let second = try open(copy, at: start.addingTimeInterval(4 * Self.hour))
    _ = try await second.apply([.delete(.objectID(id), table: "Sites")])
    // The clock is right again, and passes the time at which it was there.
    for hours in [1.0, 3] {
      try await second.noteSync(at: start.addingTimeInterval(hours * Self.hour))
      #expect(try await second.localChanges().changes.isEmpty)
    }
    await second.close()
  }

  /// Another program changes a site that it has read, or removes it, as its triggers do by its own clock.
  private func replace(_ copy: SyncedSites, at date: Date, isRemoval: Bool) throws {
    let other = try Connection(at: copy.url, access: .edit)
    let day = JulianDay.day(date)
    try other.execute(
      "UPDATE Sites SET gdb_to_date = \(day) WHERE OBJECTID = 1 AND gdb_to_date > 5000000")
    guard !isRemoval else { return }
    try other.execute(
      """
      INSERT INTO Sites (OBJECTID, NAME, PARENT, GlobalID, gdb_from_date, gdb_to_date)
      SELECT OBJECTID, 'Later', PARENT, GlobalID, \(day), \(JulianDay.endOfTime)
      FROM Sites WHERE OBJECTID = 1 AND gdb_to_date = \(day)
      """)
  }

  @Test(arguments: [false, true])
  func `What another program makes of a feature during its upload is an edit by any clock`(
    _ isRemoval: Bool
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    let upload = try await beginUpload(of: copy)
    try replace(copy, at: SyncedSites.moment.addingTimeInterval(Self.hour), isRemoval: isRemoval)
    let store = try open(copy, at: SyncedSites.moment.addingTimeInterval(2 * Self.hour))
    try await store.finish(PendingUpload(upload), results: [Self.accepted])
    #expect(try await store.localChanges().changes.map(\.kind) == [isRemoval ? .delete : .update])
    let sent = try await store.synchronizedFeature(1, in: "Sites")
    #expect(sent?.attributes["NAME"] == .text("Mine"))
    let next = try await store.makeUpload()
    try await store.finish(
      PendingUpload(next),
      results: next.edits.map {
        GeodatabaseDelta.EditResult(
          objectID: nil, globalID: $0.globalID, isSuccess: true,
          kind: isRemoval ? .delete : .update, layerID: 0)
      })
    #expect(try await store.localChanges().changes.isEmpty)
    await store.close()
    // Its attachment is left over where its feature was removed without it.
    if !isRemoval { #expect(try GeodatabaseAudit.findings(in: copy.url).isEmpty) }
  }

  @Test func `What is edited here during an upload by a clock that was ahead is an edit`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let upload = try await beginUpload(of: copy)
    let store = try open(copy, at: SyncedSites.moment.addingTimeInterval(Self.hour))
    _ = try await store.apply([.delete(.objectID(1), table: "Sites")])
    try await store.finish(PendingUpload(upload), results: [Self.accepted])
    let changes = try await store.localChanges().changes
    #expect(changes.filter { $0.table == "Sites" }.map(\.kind) == [.delete])
    await store.close()
  }
}
