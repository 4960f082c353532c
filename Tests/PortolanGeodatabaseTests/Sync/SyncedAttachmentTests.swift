import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The outcome of attachments that both sides have changed, and of data that is not exchanged at
/// all.
@Suite(.temporaryDirectory) struct SyncedAttachmentTests {
  private func attachment(_ copy: SyncedSites) async throws -> PortolanFeatures.Attachment.ID {
    try #require(try await copy.store.attachments(of: 1, in: "Sites").first).id
  }

  private func edit(_ copy: SyncedSites) async throws {
    let id = try await attachment(copy)
    _ = try await copy.store.apply([
      .updateAttachment(id, SyncedSites.photo("mine"), table: "Sites")
    ])
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `An attachment that both have changed waits for a decision`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await edit(copy)
    try await copy.rename(1, in: .sites, "Mine")
    let receipt = try await copy.receive(.sites, updatedFiles: [SyncedSites.photo("theirs")])
    #expect(receipt.conflicts == 1)
    #expect(try await copy.photo() == "mine")
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.attachments == [SyncedSites.photoID] && !issue.isGoneThere)
    try await copy.store.resolve(issue.id, as: resolution)
    #expect(try await copy.photo() == (resolution == .mine ? "mine" : "theirs"))
    let upload = try await copy.upload()
    // The name that was changed here was not in question.
    #expect(upload.delta.layers.flatMap(\.updates).count == 1)
    let files = upload.delta.layers.flatMap(\.updatedFiles).map(\.attachment.data)
    #expect(files == (resolution == .mine ? [Data("mine".utf8)] : []))
    #expect(try await copy.changes().isEmpty)
  }

  @Test(arguments: [(40, [1, 1, 1]), (65, [2, 1]), (100, [3]), (1, [1, 1, 1])])
  func `Attachments go a few at a time, as many as fit, and each once`(
    _ limit: Int, _ counts: [Int]
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    for name in ["a", "b", "c"] {
      let file = NewAttachment(
        name: name, contentType: "text/plain", data: Data(repeating: 7, count: 30))
      _ = try await copy.store.apply([.addAttachment(file, to: .objectID(1), table: "Sites")])
    }
    try await copy.rename(1, in: .sites, "Mine")
    var names: [String] = []
    for (number, count) in counts.enumerated() {
      let upload = try await copy.upload(attachmentLimit: limit)
      let files = upload.delta.layers.flatMap(\.addedFiles).map(\.attachment.name)
      #expect(files.count == count)
      #expect(upload.hasMore == (number < counts.count - 1))
      #expect(upload.delta.layers.flatMap(\.updates).count == (number == 0 ? 1 : 0))
      names += files
    }
    #expect(names.sorted() == ["a", "b", "c"])
    #expect(try await copy.changes().isEmpty)
    #expect(try await copy.store.makeUpload().isEmpty)
  }

  @Test func `An attachment as large as a file can say goes with its new feature, alone`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    for name in ["a", "b"] {
      let added = NewFeature(attributes: ["NAME": .text(name)])
      let id = try await copy.store.apply([.add(added, table: "Sites")])[0].objectID
      let file = NewAttachment(name: name, contentType: "text/plain", data: Data(name.utf8))
      _ = try await copy.store.apply([.addAttachment(file, to: .objectID(id), table: "Sites")])
    }
    await copy.store.close()
    do {
      // As a program would write it that does not keep to the rules of the file.
      let connection = try Connection(at: copy.url, access: .readWrite)
      try connection.execute("PRAGMA ignore_check_constraints = ON")
      try connection.execute("UPDATE Sites__ATTACH SET DATA_SIZE = \(Int64.max)")
    }
    let store = try EditableGeodatabase.open(
      at: copy.url, now: { SyncedSites.moment.addingTimeInterval(120) }, makeID: { UUID() })
    let upload = try await store.makeUploadOfNewFeatures(.default)
    #expect(upload.delta.layers.flatMap(\.adds).map { $0.attributes["NAME"] } == [.text("a")])
    #expect(upload.delta.layers.flatMap(\.addedFiles).map(\.attachment.name) == ["a"])
    #expect(upload.hasMore)
    await store.close()
  }

  @Test func `Attachments of a table whose edits stay take no room from those of another`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory, attachmentsAlsoOf: .notes)
    for table in ["Sites", "Notes"] {
      let file = NewAttachment(
        name: table, contentType: "text/plain", data: Data(repeating: 7, count: 30))
      _ = try await copy.store.apply([.addAttachment(file, to: .objectID(1), table: table)])
    }
    func names(_ upload: SyncUpload) -> [String] {
      upload.delta.layers.flatMap(\.addedFiles).map(\.attachment.name)
    }
    let all = try await copy.store.makeUpload(attachmentLimit: 40)
    #expect(names(all) == ["Sites"] && all.hasMore)
    let others = try await copy.store.makeUpload(attachmentLimit: 40, leavingOut: [0])
    #expect(names(others) == ["Notes"] && !others.hasMore)
    await copy.store.close()
  }

  @Test func `Removed attachments are reported in every part of a layer's changes`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    let parts = [[], [SyncedSites.photoID]].map { files in
      GeodatabaseDelta.Layer(
        layerID: 0, schema: SyncedSites.schema(.sites), serverGeneration: 2, deletedFiles: files)
    }
    _ = try await copy.receive(parts)
    #expect(try await copy.photo() == nil)
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `The attachments of a feature that others have removed go with it`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await copy.receive(.sites, deletes: [SyncedSites.alpha])
    #expect(try await copy.names()[0] == ["Beta"])
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
    // A row of which no feature tells would be there for ever.
    let left = try Connection(at: copy.url, access: .readOnly)
      .query("SELECT count(*) FROM Sites__ATTACH WHERE gdb_to_date > 5373484")
    #expect(try left.step() && left.integer(at: 0) == 0)
  }

  @Test func `An attachment that both have changed to the same is no conflict`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await edit(copy)
    let receipt = try await copy.receive(.sites, updatedFiles: [SyncedSites.photo("mine")])
    #expect(receipt.conflicts == 0)
    #expect(try await copy.store.syncIssues().isEmpty)
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `An attachment that was edited here and removed there waits for a decision`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await edit(copy)
    _ = try await copy.receive(.sites, deletedFiles: [SyncedSites.photoID])
    #expect(try await copy.photo() == "mine")
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: resolution)
    #expect(try await copy.photo() == (resolution == .mine ? "mine" : nil))
    let upload = try await copy.upload()
    #expect(upload.delta.layers.flatMap(\.addedFiles).count == (resolution == .mine ? 1 : 0))
    #expect(try await copy.changes().isEmpty)
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `A feature that was edited here and removed there keeps its attachments for the decision`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Mine")
    _ = try await copy.receive([
      GeodatabaseDelta.Layer(
        layerID: 0, schema: SyncedSites.schema(.sites), serverGeneration: 2,
        deletes: [SyncedSites.alpha], deletedFiles: [SyncedSites.photoID])
    ])
    #expect(try await copy.photo() == "as it was")
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.isGoneThere)
    try await copy.store.resolve(issue.id, as: resolution)
    #expect(try await copy.photo() == (resolution == .mine ? "as it was" : nil))
    let files = try await copy.upload().delta.layers.flatMap(\.addedFiles).map(\.attachment.data)
    #expect(files == (resolution == .mine ? [Data("as it was".utf8)] : []))
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `An attachment that was removed here and changed there waits for a decision`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await copy.store.apply([
      .deleteAttachment(try await attachment(copy), table: "Sites")
    ])
    _ = try await copy.receive(.sites, updatedFiles: [SyncedSites.photo("theirs")])
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: resolution)
    #expect(try await copy.photo() == (resolution == .mine ? nil : "theirs"))
    let upload = try await copy.upload()
    #expect(
      upload.delta.layers.flatMap(\.deletedFiles)
        == (resolution == .mine ? [SyncedSites.photoID] : []))
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `A feature that was deleted here comes back with what others made of its attachment`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    _ = try await copy.receive(.sites, updatedFiles: [SyncedSites.photo("theirs")])
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.edit == "delete" && issue.attachments == [SyncedSites.photoID])
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.photo() == "theirs")
    #expect(try await copy.names() == SyncedSites.before)
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `A conflict of the feature keeps in mind that its attachment is in question too`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await edit(copy)
    try await copy.rename(1, in: .sites, "Mine")
    _ = try await copy.receive(.sites, updatedFiles: [SyncedSites.photo("theirs")])
    let theirs = SyncedSites.feature(.sites, SyncedSites.alpha, "Theirs")
    _ = try await copy.receive(.sites, updates: [theirs])
    let issues = try await copy.store.syncIssues()
    #expect(issues.count == 1 && issues.first?.attachments == [SyncedSites.photoID])
    try await copy.store.resolve(try #require(issues.first).id, as: .theirs)
    #expect(try await copy.photo() == "theirs")
    #expect(try await copy.names()[0] == ["Beta", "Theirs"])
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `Nothing is removed where a service does not list its features`() {
    let schema = SyncedSites.schema(.sites)
    let own = CopiedLayer(layerID: 0, table: "Sites", schema: schema)
    var layer = GeodatabaseDelta.Layer(
      layerID: 0, schema: schema, serverGeneration: 0, deletes: [SyncedSites.alpha])
    layer.keep(nil, of: own)
    #expect(layer.deletes.isEmpty)
    layer.deletes = [SyncedSites.alpha]
    layer.keep([:], of: own)
    #expect(layer.deletes == [SyncedSites.alpha])
  }

  // MARK: - What is not exchanged

  @Test func `A table without global ids is named, and keeps its edits and its generation`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory, without: .notes)
    try await copy.rename(1, in: .notes, "Mine")
    try await copy.rename(2, in: .sites, "Mine")
    #expect(try await copy.upload().edits.map(\.table) == ["Sites"])
    _ = try await copy.receive(
      .notes, updates: [SyncedSites.feature(.notes, SyncedSites.note, "Theirs")])
    #expect(
      try await copy.store.unsynchronizedTables() == [
        UnsynchronizedTable(table: "Notes", layerID: 3, reason: .noGlobalIDs, edits: 1)
      ])
    #expect(try await copy.changes().map(\.table) == ["Notes"])
    let state = try #require(try await copy.store.syncState())
    #expect(state.layers.map(\.serverGeneration) == [2, 2, 2, 1])
  }

  @Test func `What has no global id in a table that is synchronized is named`() throws {
    let known = LocalChange.AttachmentChange(id: 1, globalID: SyncedSites.photoID, kind: .add)
    let unknown = LocalChange.AttachmentChange(id: 2, kind: .add)
    func change(
      _ id: String?, _ kind: LocalChange.Kind?, _ files: [LocalChange.AttachmentChange] = []
    ) -> LocalChange {
      LocalChange(table: "Sites", objectID: 1, globalID: id, kind: kind, attachments: files)
    }
    let sound = [
      change(SyncedSites.alpha, .update, [known]), change(SyncedSites.alpha, .delete, [unknown]),
    ]
    #expect(UnsynchronizedTable(featuresWithoutGlobalIDs: sound, of: "Sites") == nil)
    #expect(UnsynchronizedTable(attachmentsWithoutGlobalIDs: sound, of: "Sites") == nil)
    let others = [
      change(nil, .add), change(nil, .update, [unknown]),
      change(SyncedSites.alpha, nil, [known, unknown]),
    ]
    let features = try #require(
      UnsynchronizedTable(featuresWithoutGlobalIDs: sound + others, of: "Sites"))
    #expect(features.edits == 2 && features.reason == .featuresWithoutGlobalIDs)
    #expect(
      features.errorDescription
        == "Some features of \"Sites\" are not synchronized, since they have no global ids.")
    let files = UnsynchronizedTable(attachmentsWithoutGlobalIDs: sound + others, of: "Sites")
    #expect(files?.edits == 1 && files?.reason == .attachmentsWithoutGlobalIDs)
  }

  @Test func `A copy that exchanges no attachments takes none`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory, attachmentsDirection: .none)
    let edits: [FeatureEdit] = [
      .addAttachment(SyncedSites.photo("new"), to: .objectID(1), table: "Sites"),
      .updateAttachment(try await attachment(copy), SyncedSites.photo("new"), table: "Sites"),
      .deleteAttachment(try await attachment(copy), table: "Sites"),
    ]
    for edit in edits {
      await #expect(throws: FeatureEditError.noAttachments(EditPlace(table: "Sites"))) {
        try await copy.store.apply([edit])
      }
    }
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `Edited attachments are named where the copy has ceased to exchange any`() async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await edit(copy)
    try Connection(at: copy.url, access: .edit).execute(
      """
      UPDATE GDB_Items SET Definition =
        replace(Definition, 'AttachmentsSyncDirectionBidirectional', 'AttachmentsSyncDirectionNone')
      WHERE Definition LIKE '%GPSyncReplica%'
      """)
    #expect(
      try await copy.store.unsynchronizedTables() == [
        UnsynchronizedTable(table: "Sites", reason: .attachmentsNotExchanged, edits: 1)
      ])
    await copy.store.close()
  }

  @Test func `An edit that is made while others are sent is sent later`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Mine")
    let upload = try await copy.store.makeUpload()
    try await copy.rename(1, in: .sites, "Later")
    let results = upload.edits.map { edit in
      GeodatabaseDelta.EditResult(
        objectID: nil, globalID: edit.globalID, isSuccess: true, kind: .update,
        layerID: edit.layerID)
    }
    let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
    let accepted = try await copy.store.finish(pending, results: results).total
    #expect(accepted == 1)
    #expect(try await copy.changes().map(\.objectID) == [1])
    #expect(try await copy.upload().edits.count == 1)
    #expect(try await copy.names()[0] == ["Beta", "Later"])
  }

  @Test func `Fewer results than edits sent are not assigned by guessing`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    for site in [1, 2] as [Int64] { try await copy.rename(site, in: .sites, "Mine") }
    let upload = try await copy.store.makeUpload()
    let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
    let result = GeodatabaseDelta.EditResult(
      objectID: nil, globalID: nil, isSuccess: true, kind: .update, layerID: 0)
    let accepted = try await copy.store.finish(pending, results: [result]).total
    #expect(accepted == 0)
    #expect(try await copy.changes().count == 2)
    let both = try await copy.store.finish(pending, results: [result, result]).total
    #expect(both == 2)
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `What was to be deleted and is not there any more is deleted`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await copy.store.apply([.delete(.objectID(1), table: "Notes")])
    let upload = try await copy.store.makeUpload()
    let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
    let result = GeodatabaseDelta.EditResult(
      objectID: nil, globalID: SyncedSites.note, isSuccess: false, code: 1019,
      reason: "Object not found.", kind: .delete, layerID: SyncedSites.Table.notes.rawValue)
    let accepted = try await copy.store.finish(pending, results: [result]).total
    #expect(accepted == 1)
    #expect(try await copy.changes().isEmpty)
    #expect(try await copy.store.syncIssues().isEmpty)
  }

  @Test func `A service that says nothing of what it was sent has not taken attachments either`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await edit(copy)
    try await copy.rename(2, in: .sites, "Mine")
    let upload = try await copy.store.makeUpload()
    let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
    let accepted = try await copy.store.finish(pending, results: []).total
    #expect(accepted == 0)
    #expect(try await copy.changes().count == 2)
  }
}
