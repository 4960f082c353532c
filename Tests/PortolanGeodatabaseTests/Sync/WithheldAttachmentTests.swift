import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The outcome of attachments of others that a replica cannot hold, of features that it can hold.
@Suite(.temporaryDirectory) struct WithheldAttachmentTests {
  private static let id = "{33333333-0000-4000-8000-000000000009}"

  private func file(_ name: String) -> GeodatabaseDelta.File {
    GeodatabaseDelta.File(
      NewAttachment(
        name: name, contentType: "text/plain", data: Data("theirs".utf8), globalID: Self.id),
      parentGlobalID: SyncedSites.id(2))
  }

  private func receive(
    _ copy: SyncedSites, updates: [Feature] = [], files: [GeodatabaseDelta.File] = [],
    deletedFiles: [String] = []
  ) async throws -> SyncReceipt {
    try await copy.receive([
      GeodatabaseDelta.Layer(
        layerID: 0, schema: SyncedSites.schema(.sites), serverGeneration: 2, updates: updates,
        addedFiles: files, deletedFiles: deletedFiles)
    ])
  }

  /// A copy in which no two attachments may have the same name, which has received one that does.
  private func copyThatRefuses() async throws -> SyncedSites {
    let copy = try SyncedSites(in: temporaryDirectory)
    try Connection(at: copy.url, access: .edit)
      .execute("CREATE UNIQUE INDEX one_name ON Sites__ATTACH (ATT_NAME, gdb_to_date)")
    let renamed = SyncedSites.feature(.sites, SyncedSites.id(2), "Gamma")
    let receipt = try await receive(copy, updates: [renamed], files: [file("a.txt")])
    #expect(receipt.withheld == 1 && receipt.updates == 1 && receipt.adds == 0)
    return copy
  }

  private func names(_ copy: SyncedSites) async throws -> [String] {
    try await copy.store.attachments(of: 2, in: "Sites").map(\.name)
  }

  @Test func `They are listed by their feature, and everything else comes in`() async throws {
    let copy = try await copyThatRefuses()
    #expect(try await copy.names()[0] == ["Alpha", "Gamma"])
    #expect(try await names(copy).isEmpty)
    #expect(try await copy.changes().isEmpty)
    let issues = try await copy.store.syncIssues()
    #expect(issues.map(\.globalID) == [SyncedSites.id(2)])
    #expect(issues.map(\.objectID) == [2] && issues[0].isAboutWithheldAttachments)
    #expect(issues[0].reason?.isEmpty == false && !issues[0].isGoneThere)
    // Tried again, it is the same again, under the same number.
    #expect(try await receive(copy).withheld == 1)
    #expect(try await copy.receive([]).withheld == 1)
    #expect(try await copy.store.syncIssues() == issues)
  }

  @Test func `They come in once the copy can hold them`() async throws {
    let copy = try await copyThatRefuses()
    let receipt = try await receive(copy, deletedFiles: [SyncedSites.photoID])
    #expect(receipt.adds == 1 && receipt.deletes == 1 && receipt.withheld == 0)
    #expect(receipt.attachments == 2)
    #expect(try await names(copy) == ["a.txt"])
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `They are removed when others delete them`() async throws {
    let copy = try await copyThatRefuses()
    #expect(try await receive(copy, deletedFiles: [Self.id]).withheld == 0)
    #expect(try await copy.store.syncIssues().isEmpty)
    try Connection(at: copy.url, access: .edit).execute("DROP INDEX one_name")
    #expect(try await copy.receive([]) == SyncReceipt())
    #expect(try await names(copy).isEmpty)
  }

  /// Others have attached something to a note, or have removed that again.
  private func receiveAttachmentOfNote(
    _ copy: SyncedSites, isThere: Bool
  ) async throws -> SyncReceipt {
    let attachment = file("a.txt").attachment
    return try await copy.receive([
      GeodatabaseDelta.Layer(
        layerID: SyncedSites.Table.notes.rawValue, schema: SyncedSites.schema(.notes),
        serverGeneration: 2,
        addedFiles: isThere ? [.init(attachment, parentGlobalID: SyncedSites.note)] : [],
        deletedFiles: isThere ? [] : [Self.id])
    ])
  }

  @Test func `They are listed where the table has no place for any, until others remove them`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    #expect(try await receiveAttachmentOfNote(copy, isThere: true).withheld == 1)
    let issues = try await copy.store.syncIssues()
    #expect(issues.map(\.globalID) == [SyncedSites.note] && issues[0].table == "Notes")
    #expect(issues[0].isAboutWithheldAttachments && issues[0].attachments == [Self.id])
    #expect(issues[0].reason == "Features of \"Notes\" cannot have attachments.")
    #expect(try await copy.receive([]).withheld == 1)
    #expect(try await receiveAttachmentOfNote(copy, isThere: true).withheld == 1)
    #expect(try await copy.store.syncIssues() == issues)
    #expect(try await receiveAttachmentOfNote(copy, isThere: false).withheld == 0)
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.receive([]) == SyncReceipt())
  }

  @Test func `A copy that was made without attachments keeps none beside it`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory, attachmentsDirection: .none)
    #expect(try await receiveAttachmentOfNote(copy, isThere: true).withheld == 0)
    #expect(try await copy.store.syncIssues().isEmpty)
  }

  @Test func `They wait for their feature first, where that cannot be held either`() async throws {
    let copy = try await copyThatRefuses()
    let long = SyncedSites.feature(.sites, SyncedSites.id(2), String(repeating: "x", count: 41))
    #expect(try await receive(copy, updates: [long]).withheld == 1)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.withheld != nil && issue.attachments == nil)
    try Connection(at: copy.url, access: .edit).execute("DROP INDEX one_name")
    let short = SyncedSites.feature(.sites, SyncedSites.id(2), "Delta")
    #expect(try await receive(copy, updates: [short]).adds == 1)
    #expect(try await names(copy) == ["a.txt"])
    #expect(try await copy.store.syncIssues().isEmpty)
  }

  @Test func `They are not lost, whatever the decision`() async throws {
    let copy = try await copyThatRefuses()
    let issue = try #require(try await copy.store.syncIssues().first)
    for resolution in SyncIssue.Resolution.allCases {
      await #expect(throws: FeatureEditError.self) {
        try await copy.store.resolve(issue.id, as: resolution)
      }
    }
    // An edit of the feature is sent over all that, again and again.
    for name in ["Mine", "Mine again"] {
      try await copy.rename(2, in: .sites, name)
      #expect(try await copy.upload().edits.map(\.globalID) == [SyncedSites.id(2)])
      #expect(try await receive(copy).withheld == 1)
    }
    // A deletion would take them along.
    _ = try await copy.store.apply([.delete(.objectID(2), table: "Sites")])
    #expect(try await copy.store.makeUpload().isEmpty)
    _ = try await copy.store.undo()
    try Connection(at: copy.url, access: .edit).execute("DROP INDEX one_name")
    #expect(try await copy.receive([]).adds == 1)
    #expect(try await names(copy) == ["a.txt"])
  }
}
