import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// What counts as an edit where clocks were wrong when a file was synchronized.
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
}
