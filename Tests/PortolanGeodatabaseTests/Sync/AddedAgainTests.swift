import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The features that others have deleted and added again under their global ids since the last
/// time, which a service lists among the added and among the deleted ones.
@Suite(.temporaryDirectory) struct AddedAgainTests {
  private static let again = SyncedSites.feature(.sites, SyncedSites.alpha, "Again")

  /// The id of the site as another service writes it.
  private static let otherSpelling = SyncedSites.alpha.plainID

  @Test(arguments: [SyncedSites.alpha, otherSpelling])
  func `A feature that was added again is there, with its new values`(
    _ deleted: String
  )
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let receipt = try await copy.receive(.sites, adds: [Self.again], deletes: [deleted])
    #expect(try await copy.names()[0] == ["Again", "Beta"])
    #expect(receipt.deletes == 0 && receipt.updates == 1 && receipt.conflicts == 0)
    #expect(try await copy.names()[1] == SyncedSites.before[1], "its parts are not deleted either")
  }

  @Test func `A feature edited here and deleted there is in conflict, not deleted`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Mine")
    _ = try await copy.receive(.sites, adds: [Self.again], deletes: [SyncedSites.alpha])
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(!issue.isGoneThere)
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.names()[0] == ["Again", "Beta"])
  }

  @Test func `An attachment that was added again is there`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await copy.receive(
      .sites, updatedFiles: [SyncedSites.photo("again")], deletedFiles: [SyncedSites.photoID])
    #expect(try await copy.photo() == "again")
  }
}
