import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The record of a file's own synchronization.
@Suite(.temporaryDirectory) struct SyncRecordTests {
  private func run(_ sql: String, on copy: SyncedSites) throws {
    try Connection(at: copy.url, access: .edit).execute(sql)
  }

  @Test(arguments: [
    ("{AB-09}", "AB-09"), ("AB-09", "AB-09"), ("{ab-09}", "AB-09"), ("ab-09}", "AB-09"),
    ("{", ""), ("{}", ""), ("", ""), ("{A{B}", "AB"), ("{Gr\u{FC}n}", "GR\u{DC}N"),
  ])
  func `A global id is the same key however it is written`(_ id: String, _ key: String) {
    #expect(id.plainID == key)
  }

  @Test(arguments: [
    ("NAME", "name", true), ("Name", "Names", false), ("Names", "Name", false), ("", "", true),
    ("A", "", false), ("a@", "a`", false), ("Stra\u{DF}e", "stra\u{DF}e", true),
    ("\u{C9}TAT", "\u{E9}tat", true), ("\u{E9}tat", "e\u{301}tat", true),
    ("K", "\u{212A}", true), ("NAME\u{C9}", "NOME\u{E9}", false),
  ])
  func `Names of tables and columns are compared without case`(
    _ name: String, _ other: String, _ isSame: Bool
  ) {
    #expect(name.isSameName(as: other) == isSame)
    #expect(other.isSameName(as: name) == isSame)
  }

  @Test func `A later pending upload replaces the earlier one, and can be cleared`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    #expect(try await copy.store.pendingUpload() == nil)
    for moment in [1.0, 2.0] {
      let upload = PendingUpload(edits: [], moment: moment, statusURL: "https://a/\(moment)")
      try await copy.store.setPendingUpload(upload)
      #expect(try await copy.store.pendingUpload() == upload)
    }
    try await copy.store.setPendingUpload(nil)
    #expect(try await copy.store.pendingUpload() == nil)
    await copy.store.close()
  }

  @Test(arguments: ["https://a/jobs/1?f=json", nil])
  func `A service's response to an upload is recorded beside its edits`(
    _ url: String?
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    let edit = SyncUpload.Edit(
      table: "Sites", layerID: 0, objectID: 1, globalID: SyncedSites.alpha, kind: "update",
      attachmentID: nil, attachmentGlobalID: nil)
    var upload = PendingUpload(edits: [edit], moment: 2_460_000.5)
    try await copy.store.setPendingUpload(upload)
    upload.statusURL = url
    upload.submitted = SyncedSites.moment.addingTimeInterval(0.25)
    try await copy.store.setPendingStatus(
      url, submitted: SyncedSites.moment.addingTimeInterval(0.25))
    #expect(try await copy.store.pendingUpload() == upload)
    await copy.store.close()
  }

  @Test func `Where an issue cannot be read nothing is sent over it`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Mine")
    _ = try await copy.receive(
      .sites, updates: [SyncedSites.feature(.sites, SyncedSites.alpha, "Theirs")])
    try run(
      "INSERT INTO portolan_sync_issues (record) VALUES ('{\"of\":\"a newer version\"}')", on: copy)
    await #expect {
      _ = try await copy.store.makeUpload()
    } throws: {
      if case .unreadable? = $0 as? FeatureEditError { true } else { false }
    }
    try run("DELETE FROM portolan_sync_issues WHERE record LIKE '%newer%'", on: copy)
    _ = try await copy.store.makeUpload()
    await copy.store.close()
  }

  @Test func `An edit counts though the clock is behind a synchronization of the same session`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "before")
    _ = try await copy.upload()
    // An hour later than the clock of the one who edits.
    try await copy.store.noteSync(at: SyncedSites.moment.addingTimeInterval(3_660))
    #expect(try await copy.changes().isEmpty)
    try await copy.rename(2, in: .sites, "after")
    #expect(try await copy.changes().map(\.objectID) == [2])
    await copy.store.close()
    #expect(try await Geodatabase.open(at: copy.url).localChanges().changes.map(\.objectID) == [2])
  }

  @Test func `Edits of a table that the service does not know are named as not exchanged`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .notes, "Mine")
    try run(
      """
      UPDATE GDB_Items SET Definition = replace(Definition, 'main.Notes', 'main.Remarks')
      WHERE Definition LIKE '%GPSyncReplica%'
      """, on: copy)
    let left = try await copy.store.unsynchronizedTables()
    #expect(left.contains { $0.table == "Notes" && $0.reason == .notRegistered && $0.edits == 1 })
    #expect(left.contains { $0.table == "Remarks" && $0.reason == .absent })
    await copy.store.close()
  }

  @Test func `The generation of the whole leaves those of its layers alone, and they it`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await copy.store.receive(
      GeodatabaseDelta(replicaID: UUID(), layers: []), layerGenerations: [1: 17], generation: nil)
    let layers = try #require(try await copy.store.syncState()).layers
    #expect(layers.map(\.serverGeneration) == [1, 17, 1, 1])
    _ = try await copy.store.receive(
      GeodatabaseDelta(replicaID: UUID(), layers: []), layerGenerations: [:], generation: 99)
    #expect(try await copy.store.syncState()?.layers == layers)
    await copy.store.close()
  }

  @Test func `A feature reported both as deleted and as present is present`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await copy.receive(
      .sites, updates: [SyncedSites.feature(.sites, SyncedSites.alpha, "Theirs")],
      deletes: [SyncedSites.alpha.lowercased()])
    #expect(try await copy.names()[0] == ["Beta", "Theirs"])
    await copy.store.close()
  }

  @Test func `An upload sent as another copy is not awaited, and sent again`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Mine")
    let upload = try await copy.store.makeUpload()
    try await copy.store.setPendingUpload(
      PendingUpload(
        edits: upload.edits, moment: upload.moment, statusURL: "https://demo.test/jobs/1"))
    let folder = temporaryDirectory.appending(path: "fresh")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let fresh = try SyncedSites(in: folder)
    await fresh.store.close()
    try await copy.store.renew(from: fresh.url) { _, _ in nil }
    #expect(try await copy.store.pendingUpload() == nil)
    #expect(try await copy.upload().edits == upload.edits)
    await copy.store.close()
  }
}
