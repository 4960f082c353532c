import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The attachments of an edit that could not be exchanged.
@Suite(.temporaryDirectory) struct ConflictFileNameTests {
  private static func file(_ name: String) -> NewAttachment {
    NewAttachment(
      name: name, contentType: "text/plain", data: Data("mine".utf8),
      globalID: SyncedSites.photoID)
  }

  private static let cases: [(edit: FeatureEdit, name: String)] = [
    (.updateAttachment(1, file("b.txt"), table: "Sites"), "b.txt"),
    (.deleteAttachment(1, table: "Sites"), "a.txt"),
    (.delete(.objectID(1), table: "Sites"), "a.txt"),
  ]

  @Test(arguments: cases)
  func `An attachment that both sides have changed is named as it is here, or was`(
    _ edit: FeatureEdit, _ name: String
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await copy.store.apply([edit])
    let receipt = try await copy.receive(.sites, updatedFiles: [SyncedSites.photo("theirs")])
    #expect(receipt.conflicts == 1)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(try await copy.store.attachmentNames(of: issue) == [name])
    await copy.store.close()
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `An attachment that others have deleted is named as they had it, not as it is here`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await copy.store.apply([.updateAttachment(1, Self.file("b.txt"), table: "Sites")])
    #expect(try await copy.receive(.sites, deletedFiles: [SyncedSites.photoID]).conflicts == 1)
    // Others change the feature as well.
    try await copy.rename(1, in: .sites, "Mine")
    let theirs = SyncedSites.feature(.sites, SyncedSites.alpha, "Theirs")
    for receives in [false, true] {
      if receives { _ = try await copy.receive(.sites, updates: [theirs]) }
      let issue = try #require(try await copy.store.syncIssues().first)
      #expect(issue.removedAttachments == [SyncedSites.photoID.plainID: "a.txt"])
      #expect(
        issue.attachments == [SyncedSites.photoID] && issue.isAboutAttachmentsAlone != receives)
      #expect(try await copy.store.attachmentNames(of: issue).isEmpty)
    }
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: resolution)
    let names = try await copy.upload().delta.layers.flatMap(\.addedFiles).map(\.attachment.name)
    #expect(names == (resolution == .mine ? ["b.txt"] : []))
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  @Test func `One that the file cannot hold is named as it came`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    // No two attachments may have the same name.
    try Connection(at: copy.url, access: .edit)
      .execute("CREATE UNIQUE INDEX one_name ON Sites__ATTACH (ATT_NAME, gdb_to_date)")
    var theirs = SyncedSites.photo("theirs")
    theirs.globalID = "{33333333-0000-4000-8000-000000000009}"
    let receipt = try await copy.receive([
      GeodatabaseDelta.Layer(
        layerID: 0, schema: SyncedSites.schema(.sites), serverGeneration: 2,
        addedFiles: [GeodatabaseDelta.File(theirs, parentGlobalID: SyncedSites.id(2))])
    ])
    #expect(receipt.withheld == 1)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.isAboutWithheldAttachments)
    #expect(try await copy.store.attachmentNames(of: issue) == ["a.txt"])
    await copy.store.close()
  }

  @Test func `An edit that is about no attachment names none`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Mine")
    let theirs = SyncedSites.feature(.sites, SyncedSites.alpha, "Theirs")
    _ = try await copy.receive(.sites, updates: [theirs])
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(try await copy.store.attachmentNames(of: issue).isEmpty)
    await copy.store.close()
  }
}
