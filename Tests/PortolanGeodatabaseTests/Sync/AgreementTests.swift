import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The outcome of edits once others have made the same of a feature.
@Suite(.temporaryDirectory) struct AgreementTests {
  private func receive(_ name: String, _ copy: SyncedSites) async throws -> SyncReceipt {
    try await copy.receive(
      .sites, updates: [SyncedSites.feature(.sites, SyncedSites.alpha, name)])
  }

  @Test func `A conflict is over once both sides have made the same of a feature`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Mine")
    #expect(try await receive("Theirs", copy).conflicts == 1)
    try await copy.rename(1, in: .sites, "Ours")
    #expect(try await receive("Ours", copy).conflicts == 0)
    // To decide for what others had before would bring that back here, and nowhere else.
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.upload().edits.map(\.objectID) == [1])
    #expect(try await copy.changes().isEmpty)
    #expect(try await copy.names()[0] == ["Beta", "Ours"])
    await copy.store.close()
  }

  @Test func `What comes once more as it was synchronized contradicts no edit`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Ours")
    _ = try await copy.upload()
    try await copy.rename(1, in: .sites, "Later")
    // As the service has received it from here.
    #expect(try await receive("Ours", copy).conflicts == 0)
    _ = try await copy.store.apply([.delete(.objectID(2), table: "Sites")])
    let known = SyncedSites.feature(.sites, SyncedSites.id(2), "Beta")
    #expect(try await copy.receive(.sites, updates: [known]).conflicts == 0)
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.names()[0] == ["Later"])
    #expect(Set(try await copy.upload().edits.map(\.objectID)) == [1, 2])
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  @Test func `What others have made of it too stays where the service refuses the edit`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Ours")
    #expect(try await receive("Ours", copy).conflicts == 0)
    _ = try await copy.upload(refusing: [SyncedSites.alpha])
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.kind == .rejected)
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.changes().isEmpty)
    #expect(try await copy.names()[0] == ["Beta", "Ours"])
    await copy.store.close()
  }

  @Test func `A feature that others remove and bring back as it is here is no conflict`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(2, in: .sites, "Mine")
    #expect(try await copy.receive(.sites, deletes: [SyncedSites.id(2)]).conflicts == 1)
    let back = SyncedSites.feature(.sites, SyncedSites.id(2), "Mine")
    #expect(try await copy.receive(.sites, adds: [back]).conflicts == 0)
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.names()[0] == ["Alpha", "Mine"])
    await copy.store.close()
  }

  @Test func `A feature that others bring back is not said to be gone, nor removed here`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let file = NewAttachment(name: "b.txt", contentType: "text/plain", data: Data("b".utf8))
    _ = try await copy.store.apply([
      .addAttachment(file, to: .objectID(2), table: SyncedSites.Table.sites.name)
    ])
    #expect(try await copy.receive(.sites, deletes: [SyncedSites.id(2)]).conflicts == 1)
    #expect(try await copy.store.syncIssues().map(\.isGoneThere) == [true])
    let back = SyncedSites.feature(.sites, SyncedSites.id(2), "Back")
    _ = try await copy.receive(.sites, adds: [back])
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.names()[0] == ["Alpha", "Back"])
    // The attachment is sent.
    #expect(try await copy.upload().edits.compactMap(\.attachmentID).count == 1)
    await copy.store.close()
  }
}
