import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The beginning and the end of the row versions that edits write.
@Suite(.temporaryDirectory) struct EditMomentsTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  /// Opens a new file, with a clock that stands still.
  private func store(at moment: Date) throws -> EditableGeodatabase {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    return try EditableGeodatabase.open(at: url, now: { moment }, makeID: { UUID() })
  }

  private func rows(_ sql: String) throws -> [[SQLValue]] {
    let query = try Connection(at: url, access: .readOnly).query(sql)
    var rows: [[SQLValue]] = []
    while try query.step() { rows.append((0..<query.columnCount).map { query[$0] }) }
    return rows
  }

  /// The Julian day of so many milliseconds since 1970, as files have it.
  private func day(_ milliseconds: Int64) -> SQLValue {
    .real(Double(210_866_760_000_000 + milliseconds) / 86_400_000)
  }

  private static let edit = FeatureEdit.update(3, table: "Huts", attributes: ["AREA": .double(1)])

  @Test func `Each transaction has a moment of whole milliseconds, later than the one before`()
    async throws
  {
    let store = try store(at: Date(timeIntervalSince1970: 1_700_000_000.0006))
    let (first, second) = (day(1_700_000_000_001), day(1_700_000_000_002))
    for moment in [first, second] {
      _ = try await store.apply([Self.edit])
      // The functions that defaults of the file call return the same.
      let told = try await store.session.reader.edit { editing throws(FeatureEditError) in
        try editing.file.rows(
          "SELECT gdb_transaction_time(), gdb_undo_start_moment()", in: "a test")
      }
      #expect(told == [[moment, moment]])
    }
    await store.close()
    let versions = try rows(
      """
      SELECT gdb_from_date, gdb_to_date FROM Huts WHERE OBJECTID = 3 ORDER BY gdb_from_date
      """)
    let (start, end) = (JulianDay.beginningOfTime, JulianDay.endOfTime)
    #expect(versions == [[.real(start), first], [first, second], [second, .real(end)]])
  }

  @Test func `All rows of a group have its moment`() async throws {
    let store = try store(at: Date(timeIntervalSince1970: 1_700_000_000))
    let file = NewAttachment(name: "n", contentType: "t", data: Data([1]))
    _ = try await store.apply([
      Self.edit, .delete(4, table: "Huts"), .addAttachment(file, to: 9, table: "Huts"),
      .add(NewFeature(attributes: ["TEXT": .text("new")]), table: "Notes"),
    ])
    await store.close()
    let moment = day(1_700_000_000_000)
    let start = SQLValue.real(JulianDay.beginningOfTime)
    let end = SQLValue.real(JulianDay.endOfTime)
    let versions = try ["Huts", "Huts__ATTACH", "Visits", "Notes"].map { table in
      try rows("SELECT gdb_from_date, gdb_to_date FROM \(table) ORDER BY rowid")
    }
    #expect(
      versions == [
        // One that was changed, one that was removed, one that stays, and what has changed.
        [[start, moment], [start, moment], [start, end], [moment, end]],
        [[start, end], [start, moment], [moment, end]],
        [[start, end], [start, end], [start, moment]],
        [[start, end], [start, end], [moment, end]],
      ])
  }

  @Test func `A clock beyond the calendar is ignored, and edits continue`() async throws {
    let store = try store(at: Date(timeIntervalSince1970: 1e12))
    for _ in 1...2 { _ = try await store.apply([Self.edit]) }
    #expect(try await store.localChanges().changes.map(\.kind) == [.update])
    await store.close()
    let next = try ContractGeodatabase.edited(url)
    _ = try await next.apply([Self.edit])
    await next.close()
    let starts = try rows("SELECT gdb_from_date FROM Huts WHERE OBJECTID = 3 ORDER BY 1")
      .compactMap { row -> Double? in if case .real(let day) = row[0] { day } else { nil } }
    try #require(starts.count == 4)
    // Some milliseconds after the beginning; then comes what a clock has said.
    #expect(starts[2] < JulianDay.beginningOfTime + 1e-6)
    #expect(SQLValue.real(starts[3]) == day(1_700_000_000_250))
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }
}
