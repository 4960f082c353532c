import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanGeodatabase

/// Whether edits leave exactly the rows that Esri's own views and triggers would.
@Suite(.temporaryDirectory, .needsSharedFiles) struct EsriTriggerTests {
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)

  @Test func `Histories are those that the view of a tracked table keeps`() async throws {
    let (ours, theirs) = try copies(of: .canyonlands)
    let moments = Moments()
    let store = try EditableGeodatabase.open(
      at: ours, now: { moments.next() }, makeID: Self.ids())
    let view = try EsriView(theirs, index: "st_spindex__CNP_Trails_SHAPE")
    let shape = try await shape(of: 3, in: store)
    let idOfNew = "{\(Self.ids()().uuidString)}"
    // Each edit is a transaction of its own, at the same moment in both files.
    _ = try await store.apply([
      .update(5, table: "CNP_Trails", attributes: ["TRLNAME": .text("New name")])
    ])
    try view.run(at: moments.last(), "UPDATE CNP_Trails_evw SET TRLNAME = 'New name' WHERE FID = 5")
    _ = try await store.apply([
      .update(5, table: "CNP_Trails", attributes: [:], geometry: .set(shape))
    ])
    try view.run(
      at: moments.last(),
      """
      UPDATE CNP_Trails_evw SET SHAPE = (SELECT SHAPE FROM CNP_Trails WHERE FID = 3) WHERE FID = 5
      """)
    _ = try await store.apply([.delete(7, table: "CNP_Trails")])
    try view.run(at: moments.last(), "DELETE FROM CNP_Trails_evw WHERE FID = 7")
    _ = try await store.apply([
      .add(
        NewFeature(attributes: ["TRLNAME": .text("Added")], geometry: shape), table: "CNP_Trails")
    ])
    try view.run(
      at: moments.last(),
      """
      INSERT INTO CNP_Trails_evw (TRLNAME, GlobalID_2, SHAPE)
      SELECT 'Added', '\(idOfNew)', SHAPE FROM CNP_Trails WHERE FID = 3
      """)
    _ = try await store.apply([.delete(56, table: "CNP_Trails")])
    try view.run(at: moments.last(), "DELETE FROM CNP_Trails_evw WHERE FID = 56")
    await store.close()
    view.close()
    try expectSame(ours, theirs, table: "CNP_Trails", index: "st_spindex__CNP_Trails_SHAPE")
  }

  @Test func `What one transaction does to a row twice is what the view leaves of it`() async throws
  {
    let (ours, theirs) = try copies(of: .canyonlands)
    let moments = Moments()
    let store = try EditableGeodatabase.open(
      at: ours, now: { moments.next() }, makeID: Self.ids())
    let view = try EsriView(theirs, index: "st_spindex__CNP_Trails_SHAPE")
    _ = try await store.apply([
      .update(5, table: "CNP_Trails", attributes: ["TRLNAME": .text("One")]),
      .update(5, table: "CNP_Trails", attributes: ["TRLNAME": .text("Two")]),
      .update(6, table: "CNP_Trails", attributes: ["TRLNAME": .text("Gone")]),
      .delete(6, table: "CNP_Trails"),
    ])
    for statement in [
      "UPDATE CNP_Trails_evw SET TRLNAME = 'One' WHERE FID = 5",
      "UPDATE CNP_Trails_evw SET TRLNAME = 'Two' WHERE FID = 5",
      "UPDATE CNP_Trails_evw SET TRLNAME = 'Gone' WHERE FID = 6",
      "DELETE FROM CNP_Trails_evw WHERE FID = 6",
    ] { try view.run(at: moments.last(), statement) }
    await store.close()
    view.close()
    // A row that a transaction replaces gets another number there, and leaves its box behind.
    #expect(
      try rows(ours, "CNP_Trails", besides: "gdb_archive_oid")
        == rows(theirs, "CNP_Trails", besides: "gdb_archive_oid"))
  }

  @Test func `Rows and boxes are those that the triggers of a plain table keep`() async throws {
    let (ours, theirs) = try copies(of: .trails)
    let store = try EditableGeodatabase.open(
      at: ours, now: { Self.start }, makeID: Self.ids())
    let view = try EsriView(theirs, index: "st_spindex__Trailheads_Shape")
    let shape = try await shape(of: 3, in: store, "Trailheads")
    _ = try await store.apply([
      .update(5, table: "Trailheads", attributes: ["TRL_NAME": .text("x")]),
      .update(6, table: "Trailheads", attributes: [:], geometry: .set(shape)),
      .delete(7, table: "Trailheads"),
      .add(NewFeature(attributes: ["LAT": .integer(3)], geometry: shape), table: "Trailheads"),
    ])
    for statement in [
      "UPDATE Trailheads SET TRL_NAME = 'x' WHERE OBJECTID_1 = 5",
      """
      UPDATE Trailheads SET Shape = (SELECT Shape FROM Trailheads WHERE OBJECTID_1 = 3)
      WHERE OBJECTID_1 = 6
      """, "DELETE FROM Trailheads WHERE OBJECTID_1 = 7",
      "INSERT INTO Trailheads (LAT, Shape) SELECT 3.0, Shape FROM Trailheads WHERE OBJECTID_1 = 3",
    ] { try view.run(at: Self.start, statement) }
    await store.close()
    view.close()
    try expectSame(ours, theirs, table: "Trailheads", index: "st_spindex__Trailheads_Shape")
  }

  // MARK: - Helpers

  private static func ids() -> @Sendable () -> UUID {
    let numbers = SeededIDs(seed: 3)
    return { numbers.id() }
  }

  private func copies(of sample: SampleGeodatabase) throws -> (ours: URL, theirs: URL) {
    let (ours, theirs) = (
      temporaryDirectory.appending(path: "ours.geodatabase"),
      temporaryDirectory.appending(path: "theirs.geodatabase")
    )
    try sample.copy(to: ours)
    try sample.copy(to: theirs)
    return (ours, theirs)
  }

  private func shape(
    of id: Int64, in store: EditableGeodatabase, _ table: String = "CNP_Trails"
  ) async throws -> Geometry {
    let query = QueryParameters(objectIDs: [id])
    return try #require(
      try await store.features(in: table, matching: query).collect().first?.geometry)
  }

  private func expectSame(_ ours: URL, _ theirs: URL, table: String, index: String) throws {
    #expect(try rows(ours, table) == rows(theirs, table))
    #expect(try rows(ours, index) == rows(theirs, index))
    #expect(try GeodatabaseAudit.findings(in: ours) == [])
  }

  /// All rows of a table; of blobs, whose unused bytes are anybody's, what they draw.
  private func rows(
    _ url: URL, _ table: String, besides column: String? = nil
  ) throws -> [[SQLValue]] {
    let connection = try Connection(at: url, access: .readOnly)
    let query = try connection.query("SELECT * FROM \"\(table)\"")
    let names = query.columnNames
    var rows: [[SQLValue]] = []
    while try query.step() {
      rows.append(
        names.indices.filter { names[$0] != column }.map { index in
          guard case .blob(let blob) = query[index],
            let box = try? GeometryBlob.decode(blob.bytes, precision: .webMercator).geometry
          else { return query[index] }
          return .text("\(box)")
        })
    }
    return rows.sorted { "\($0)" < "\($1)" }
  }
}

/// The moments of one transaction after the other, for two files.
private final class Moments: Sendable {
  private let count = Mutex(0)

  func next() -> Date {
    count.withLock { count in
      count += 1
      return Date(timeIntervalSince1970: 1_700_000_000 + Double(count))
    }
  }

  func last() -> Date {
    count.withLock { Date(timeIntervalSince1970: 1_700_000_000 + Double($0)) }
  }
}

/// A file that is edited as Esri's runtime does: through views and triggers, which call functions.
private final class EsriView {
  private var connection: Connection?
  private let index: String
  private let calls = IndexCalls()

  init(_ url: URL, index: String) throws {
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute("PRAGMA trusted_schema = ON")
    try Self.mendQuotes(connection)
    for name in ["InsertIndexEntry", "UpdateIndexEntry"] {
      try connection.register(function: name, argumentCount: 4, traits: .innocuous) {
        [calls] arguments in
        calls.note(arguments)
        return .null
      }
    }
    try connection.register(
      function: "gdb_transaction_time", argumentCount: 0, traits: .innocuous
    ) { [calls] _ in .real(calls.day.withLock(\.self)) }
    try connection.register(function: "Next_RowID", argumentCount: 2, traits: .innocuous) { _ in
      .integer(56)
    }
    self.connection = consume connection
    self.index = index
  }

  /// Puts single quotes around the texts in triggers, where Esri has double ones, which our
  /// connections take for names only.
  private static func mendQuotes(_ connection: borrowing Connection) throws {
    var triggers: [(name: String, sql: String)] = []
    do {
      let query = try connection.query(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%IndexEntry%'")
      while try query.step() { triggers.append((query.text(at: 0), query.text(at: 1))) }
    }
    for trigger in triggers {
      try connection.execute("DROP TRIGGER \(SQLIdentifier.quoted(trigger.name))")
      try connection.execute(
        trigger.sql.replacing(/IndexEntry \("([^"]*)"/) { "IndexEntry ('\($0.output.1)'" })
    }
  }

  /// Runs a statement in a transaction of its own, and then does for the spatial index what the
  /// functions are there for.
  func run(at moment: Date, _ sql: String) throws {
    let milliseconds = (moment.timeIntervalSince1970 * 1000).rounded() + 210_866_760_000_000
    calls.day.withLock { $0 = milliseconds / 86_400_000 }
    try connection?.execute(sql)
    for (row, blob) in calls.take() {
      guard let box = try GeometryBlob.extent(of: blob.bytes, precision: .webMercator) else {
        continue
      }
      try connection?.execute(
        "INSERT OR REPLACE INTO \(index) VALUES (?1, ?2, ?3, ?4, ?5)", .integer(row),
        .real(box.xMin), .real(box.xMax), .real(box.yMin), .real(box.yMax))
    }
  }

  func close() { connection = nil }
}

private final class IndexCalls: Sendable {
  let day = Mutex(0.0)
  private let calls = Mutex<[(Int64, Data)]>([])

  func note(_ arguments: [SQLValue]) {
    guard case .blob(let blob) = arguments[1], case .integer(let row) = arguments[2] else { return }
    calls.withLock { $0.append((row, blob)) }
  }

  func take() -> [(Int64, Data)] {
    calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }
}
