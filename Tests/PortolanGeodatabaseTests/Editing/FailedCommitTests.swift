import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Groups of edits that are refused at the very end.
///
/// Another table refers to a note, which SQLite looks at when the group is committed.
@Suite(.temporaryDirectory) struct FailedCommitTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  private func store() async throws -> EditableGeodatabase {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: false, to: url)
    let connection = try Connection(at: url, access: .readWrite)
    try connection.execute(
      """
      CREATE TABLE mentions (note REFERENCES Notes (OBJECTID) DEFERRABLE INITIALLY DEFERRED)
      """)
    try connection.execute("INSERT INTO mentions VALUES (2)")
    let store = try ContractGeodatabase.edited(url)
    try await store.session.reader.edit { editing throws(FeatureEditError) in
      try editing.file.run("PRAGMA foreign_keys = ON", in: "a test")
    }
    return store
  }

  private static let refused: [FeatureEdit] = [
    .update(1, table: "Notes", attributes: ["TEXT": .text("half")]), .delete(2, table: "Notes"),
  ]

  private func texts(_ store: EditableGeodatabase) async throws -> [AttributeValue?] {
    try await store.features(in: "Notes", matching: .init()).collect().map { $0.attributes["TEXT"] }
  }

  @Test func `A group whose commit fails leaves nothing, and cannot be undone`() async throws {
    let store = try await store()
    await #expect(throws: FeatureEditError.self) { try await store.apply(Self.refused) }
    #expect(await store.undoCount() == 0)
    #expect(try await texts(store) == [.text("old"), .text("old")])
    #expect(try await store.localChanges().changes.isEmpty)
    await #expect(throws: FeatureEditError.nothingToUndo) { try await store.undo() }
    await store.close()
    #expect(try await Geodatabase.open(at: url).localChanges().changes.isEmpty)
  }

  @Test func `After it editing continues, and earlier edits can be undone`() async throws {
    let store = try await store()
    _ = try await store.apply([.update(2, table: "Notes", attributes: ["TEXT": .text("first")])])
    await #expect(throws: FeatureEditError.self) { try await store.apply(Self.refused) }
    _ = try await store.apply([.update(1, table: "Notes", attributes: ["TEXT": .text("last")])])
    #expect(await store.undoCount() == 2)
    #expect(try await texts(store) == [.text("last"), .text("first")])
    for _ in 1...2 { _ = try await store.undo() }
    #expect(try await texts(store) == [.text("old"), .text("old")])
    #expect(try await store.localChanges().changes.isEmpty)
    await store.close()
  }

  @Test func `An undo whose commit fails changes nothing, and can be tried again`() async throws {
    let store = try await store()
    let new = FeatureEdit.add(NewFeature(attributes: ["TEXT": .text("new")]), table: "Notes")
    let id = try #require(try await store.apply([new]).first?.objectID)
    // Part of the same connection, since the work of others ends what can be undone.
    try await store.session.reader.edit { editing throws(FeatureEditError) in
      try editing.file.run("INSERT INTO mentions VALUES (?1)", [.integer(id)], in: "a test")
    }
    await #expect(throws: FeatureEditError.self) { try await store.undo() }
    #expect(await store.undoCount() == 1)
    #expect(try await store.localChanges().changes.map(\.objectID) == [id])
    try await store.session.reader.edit { editing throws(FeatureEditError) in
      try editing.file.run("DELETE FROM mentions", in: "a test")
    }
    #expect(try await store.undo().map(\.objectID) == [id])
    #expect(try await texts(store).count == 2)
    #expect(try await store.localChanges().changes.isEmpty)
    await store.close()
  }

  @Test func `A group that changes nothing is none that could be undone`() async throws {
    let store = try await store()
    #expect(try await store.apply([]).isEmpty)
    _ = try await store.apply([.update(1, table: "Notes", attributes: [:])])
    #expect(await store.undoCount() == 0)
    #expect(try await store.localChanges().changes.isEmpty)
    await store.close()
  }

  @Test func `A group that is cancelled in its middle leaves nothing, and the next is stored`()
    async throws
  {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    let store = try EditableGeodatabase.open(
      at: url, now: ModelledStore.clock(),
      makeID: {
        withUnsafeCurrentTask { $0?.cancel() }
        return UUID()
      })
    let new = FeatureEdit.add(NewFeature(attributes: ["NAME": .text("x")]), table: "Huts")
    let task = Task { try await store.apply([new, new]) }
    await #expect(throws: FeatureEditError.cancelled) { try await task.value }
    #expect(try await store.count(in: "Huts", matching: .init()) == 3)
    #expect(await store.undoCount() == 0)
    _ = try await store.apply([.delete(3, table: "Huts")])
    #expect(try await store.localChanges().changes.first { $0.table == "Huts" }?.objectID == 3)
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  @Test func `A cancelled write is rolled back at once, and others can write`() async throws {
    let store = try await store()
    let task = Task {
      try await store.session.reader.edit { editing throws(FeatureEditError) in
        try editing.file.transaction { () throws(FeatureEditError) in
          try editing.file.run("UPDATE Notes SET TEXT = 'half'", in: "a test")
          withUnsafeCurrentTask { $0?.cancel() }
          try editing.file.run(
            """
            UPDATE Notes SET TEXT = (WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n)
              SELECT max(i) FROM n)
            """, in: "a test")
        }
      }
    }
    await #expect(throws: (any Error).self) { try await task.value }
    let other = try Connection(at: url, access: .readWrite, patience: .zero)
    try other.execute("UPDATE Notes SET TEXT = 'theirs' WHERE OBJECTID = 1")
    #expect(try await texts(store) == [.text("theirs"), .text("old")])
    await store.close()
  }
}
