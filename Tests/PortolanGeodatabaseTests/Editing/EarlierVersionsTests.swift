import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Whether what a row was earlier is left alone by edits of what it is now.
@Suite(.temporaryDirectory) struct EarlierVersionsTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  private func store() throws -> EditableGeodatabase {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    return try ContractGeodatabase.edited(url)
  }

  /// All versions of all rows of a table.
  private func versions(of table: String) throws -> [[SQLValue]] {
    let query = try Connection(at: url, access: .readOnly).query(
      "SELECT * FROM \(SQLIdentifier.quoted(table)) ORDER BY rowid")
    var rows: [[SQLValue]] = []
    while try query.step() { rows.append((0..<query.columnCount).map { query[$0] }) }
    return rows
  }

  @Test func `A part that was moved to another whole is not deleted with the first`() async throws {
    let store = try store()
    _ = try await store.apply([
      .update(1, table: "Visits", attributes: ["HUT": .text(EditingTables.hutID(4))])
    ])
    _ = try await store.apply([.delete(3, table: "Huts")])
    let visits = try await store.features(in: "Visits", matching: .init()).collect()
    #expect(visits.map(\.objectID) == [1, 3])
    #expect(
      try await store.localChanges().changes.contains { $0.objectID == 1 && $0.kind == .update })
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  @Test func `A whole whose part was removed before is removed without it`() async throws {
    let store = try store()
    _ = try await store.apply([.delete(1, table: "Visits")])
    _ = try await store.apply([.delete(3, table: "Huts")])
    #expect(try await store.count(in: "Visits", matching: .init()) == 1)
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  @Test func `An attachment that was removed is neither found nor changed any more`() async throws {
    let store = try store()
    let id = try #require(try await store.attachments(of: 3, in: "Huts").first?.id)
    _ = try await store.apply([.deleteAttachment(id, table: "Huts")])
    let file = NewAttachment(name: "b", contentType: "t", data: Data([7]))
    for edit in [
      FeatureEdit.deleteAttachment(id, table: "Huts"),
      .updateAttachment(id, file, table: "Huts"),
    ] {
      await #expect(throws: FeatureEditError.noSuchAttachment(id: id, EditPlace(table: "Huts"))) {
        try await store.apply([edit])
      }
    }
    let added = try await store.apply([.addAttachment(file, to: 3, table: "Huts")])
    #expect(try await store.attachments(of: 3, in: "Huts").map(\.id) == added.map(\.attachmentID))
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  @Test func `A feature that has changed has its attachments once`() async throws {
    let store = try store()
    _ = try await store.apply([.update(3, table: "Huts", attributes: ["NAME": .text("a")])])
    _ = try await store.apply([.update(3, table: "Huts", attributes: ["NAME": .text("b")])])
    #expect(try await store.attachments(of: 3, in: "Huts").count == 1)
    _ = try await store.apply([.delete(3, table: "Huts")])
    let change = try await store.localChanges().changes.first { $0.objectID == 3 }
    #expect(change?.attachments.map(\.kind) == [.delete])
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  @Test func `A group that was undone leaves every version as it was`() async throws {
    let store = try store()
    let photo = NewAttachment(name: "b", contentType: "t", data: Data([7]))
    _ = try await store.apply([.update(4, table: "Huts", attributes: ["NAME": .text("a")])])
    let tables = ["Huts", "Visits", "Notes", "Huts__ATTACH"]
    let before = try tables.map(versions)
    _ = try await store.apply([
      .update(4, table: "Huts", attributes: ["NAME": .text("b")], geometry: .remove),
      .addAttachment(photo, to: 4, table: "Huts"), .delete(3, table: "Huts"),
      .add(NewFeature(attributes: ["NAME": .text("new")]), table: "Huts"),
    ])
    #expect(try tables.map(versions) != before)
    _ = try await store.undo()
    #expect(try tables.map(versions) == before)
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }
}
