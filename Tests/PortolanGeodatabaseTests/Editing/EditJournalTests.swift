import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanJSON
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Whether edits in tables that keep no history are known to whoever opens the file later.
@Suite(.temporaryDirectory) struct EditJournalTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  private func store() throws -> EditableGeodatabase {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: false, to: url)
    return try ContractGeodatabase.edited(url)
  }

  private static let text = NewAttachment(name: "a", contentType: "t", data: Data([1]))

  private func foundLater() async throws -> [LocalChange] {
    try await Geodatabase.open(at: url).localChanges().changes
  }

  @Test func `Edits of an earlier session are listed`() async throws {
    let store = try store()
    _ = try await store.apply([
      .update(3, table: "Huts", attributes: ["AREA": .double(12)]),
      .delete(4, table: "Huts"), .addAttachment(Self.text, to: 9, table: "Huts"),
      .add(NewFeature(attributes: ["TEXT": .text("new")]), table: "Notes"),
    ])
    let told = try await store.localChanges()
    await store.close()
    let found = try await foundLater()
    #expect(found == told.changes)
    let huts = found.filter { $0.table == "Huts" }
    #expect(huts.map(\.objectID) == [3, 4, 9])
    #expect(huts.map(\.kind) == [.update, .delete, nil])
    #expect(huts.last?.attachments.map(\.kind) == [.add])
    #expect(huts.first?.globalID == EditingTables.hutID(3))
    #expect(told.tablesWithoutHistory.contains("Huts"))
  }

  @Test func `Edits that are undone are not listed`() async throws {
    let store = try store()
    _ = try await store.apply([.update(3, table: "Huts", attributes: ["AREA": .double(12)])])
    _ = try await store.apply([.delete(4, table: "Huts")])
    _ = try await store.undo()
    #expect(try await store.localChanges().changes.map(\.objectID) == [3])
    await store.close()
    #expect(try await foundLater().map(\.objectID) == [3])
  }

  @Test func `A feature that was added and removed, in whichever sessions, is not listed`()
    async throws
  {
    let first = try store()
    let added = try await first.apply([
      .add(NewFeature(attributes: ["TEXT": .text("new")]), table: "Notes")
    ])
    let id = try #require(added.first?.objectID)
    await first.close()
    let second = try ContractGeodatabase.edited(url)
    _ = try await second.apply([.delete(.objectID(id), table: "Notes")])
    await second.close()
    #expect(try await foundLater() == [])
  }

  @Test func `An entry says what was edited and when, and what it was before`() async throws {
    let store = try store()
    _ = try await store.apply([
      .update(3, table: "Huts", attributes: ["AREA": .double(12)]),
      .delete(4, table: "Huts"), .addAttachment(Self.text, to: 9, table: "Huts"),
      .add(NewFeature(attributes: ["TEXT": .text("new")]), table: "Notes"),
    ])
    await store.close()
    let connection = try Connection(at: url, access: .readOnly)
    let query = try connection.query(
      """
      SELECT table_name, object_id, global_id, attachment_id, kind, edited, attachment_global_id,
        state_before FROM portolan_edits ORDER BY id
      """)
    var entries: [[SQLValue]] = []
    var files: [SQLValue] = []
    var states: [String] = []
    while try query.step() {
      entries.append((0..<6).map { query[$0] })
      files.append(query[6])
      states.append(query.text(at: 7))
    }
    let moment = SQLValue.real(1_700_000_000.25)
    func hut(_ id: Int64, _ attachment: SQLValue, _ kind: String) -> [SQLValue] {
      [
        "Huts", .integer(id), .text(EditingTables.hutID(id)), attachment, .text(kind), moment,
      ]
    }
    let expected: [[SQLValue]] = [
      hut(3, .null, "update"), hut(4, 2, "delete"), hut(4, .null, "delete"),
      // A visit goes with its hut.
      ["Visits", 3, .null, .null, "delete", moment],
      hut(9, 3, "add"), ["Notes", 3, .null, .null, "add", moment],
    ]
    #expect(entries == expected)
    let file = try connection.query("SELECT GLOBALID FROM Huts__ATTACH WHERE ATTACHMENTID = 3")
    #expect(try file.step() && files[4] == file[0])
    #expect(files.map { $0 == .null } == [true, false, true, true, false, true])
    #expect(states.map(\.isEmpty) == [false, true, false, false, true, true])
    let rows = try states.filter { !$0.isEmpty }.map { try JSONValue(parsing: $0) }
    #expect(rows.map { $0["NAME"]?.string } == ["Alm", "Berg", nil])
    #expect(rows[2]["TEXT"]?.string == "old")
    #expect(rows[2]["HUT"]?.string == EditingTables.hutID(4))
  }

  @Test(
    arguments: [
      (.null, .null), (.integer(.min), .integer(.min)), (.real(0.5), .number(0.5)),
      (.real(.infinity), ["real": "inf"]), (.text("ä"), "ä"),
      (.blob(Data([0, 255])), ["blob": "AP8="]),
    ] as [(SQLValue, JSONValue)])
  func `A changed value of a row is distinguished from any other`(
    _ value: SQLValue, _ json: JSONValue
  ) {
    #expect(value.json == json)
  }

  @Test func `The state before the first edit is kept`() async throws {
    let store = try store()
    for name in ["first", "second"] {
      _ = try await store.apply([.update(3, table: "Huts", attributes: ["NAME": .text(name)])])
    }
    await store.close()
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT state_before FROM portolan_edits ORDER BY id")
    #expect(try query.step())
    let state = try JSONValue(parsing: query.text(at: 0))
    #expect(state["NAME"]?.string == "Alm")
    #expect(state["GlobalID"]?.string == EditingTables.hutID(3))
    #expect(state["Shape"]?["blob"]?.string?.isEmpty == false)
    #expect(try query.step())
    #expect(query[0] == .null)
  }

  @Test func `The state before the first edit is kept, though an attachment was edited before`()
    async throws
  {
    let store = try store()
    _ = try await store.apply([.addAttachment(Self.text, to: 3, table: "Huts")])
    _ = try await store.apply([.update(3, table: "Huts", attributes: ["NAME": .text("new")])])
    await store.close()
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT state_before FROM portolan_edits WHERE attachment_id IS NULL")
    #expect(try query.step())
    #expect(try JSONValue(parsing: query.text(at: 0))["NAME"]?.string == "Alm")
  }

  @Test func `A group that fails leaves neither an edit nor an entry`() async throws {
    let store = try store()
    await #expect(throws: FeatureEditError.self) {
      try await store.apply([.delete(3, table: "Huts"), .delete(77, table: "Huts")])
    }
    await store.close()
    #expect(try await foundLater() == [])
  }

  @Test func `An edit that was not finished leaves no entry, and those before it stay`()
    async throws
  {
    let store = try store()
    _ = try await store.apply([.delete(1, table: "Notes")])
    await store.close()
    try KilledWriter.abandon(
      url, after: ["DELETE FROM portolan_edits", "DELETE FROM Notes"])
    #expect(try await foundLater().map(\.objectID) == [1])
  }

  @Test func `A file that was not edited has no journal`() async throws {
    let store = try store()
    #expect(try await store.localChanges().changes == [])
    await store.close()
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'portolan_edits'")
    #expect(try query.step())
    #expect(query.integer(at: 0) == 0)
  }

  @Test(arguments: [
    "UPDATE portolan_edits SET kind = 'lost'", "ALTER TABLE portolan_edits DROP COLUMN kind",
    "UPDATE portolan_edits SET object_id = 'three'",
  ])
  func `A journal that cannot be read is an error, not an empty list`(
    statement: String
  ) async throws {
    let store = try store()
    _ = try await store.apply([.delete(3, table: "Huts")])
    await store.close()
    try Connection(at: url, access: .edit).execute(statement)
    await #expect(throws: FeatureEditError.self) { try await foundLater() }
  }

  @Test func `The journal is no table of the map`() async throws {
    let store = try store()
    _ = try await store.apply([.delete(3, table: "Huts")])
    #expect(try await store.schemas().map(\.name) == EditingTables.all.map(\.schema.name))
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }
}
