import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The values that a replica keeps, and those it forgets, when it is registered anew and when its
/// edits have arrived.
@Suite(.temporaryDirectory) struct RenewedCopyTests {
  /// A copy that a service has made of the same sites just now.
  private func fresh() throws -> SyncedSites {
    let folder = temporaryDirectory.appending(path: "fresh")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try SyncedSites(in: folder)
  }

  @Test func `A newly registered copy is not the one that is unregistered before the next`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.store.setRequestedCopy(RequestedCopy(name: "portolan_new", home: "home"))
    #expect(try await copy.store.syncState()?.requestedCopy?.name == "portolan_new")
    let fresh = try fresh()
    await fresh.store.close()
    try await copy.store.renew(from: fresh.url) { _, _ in nil }
    #expect(try await copy.store.syncState()?.requestedCopy == nil)
    await copy.store.close()
  }

  @Test(arguments: [nil, "new"])
  func `The map that a copy was registered again for is recorded with it`(
    _ home: String?
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.store.setHome("old")
    let fresh = try fresh()
    await fresh.store.close()
    try await copy.store.renew(from: fresh.url, home: home) { _, _ in nil }
    #expect(try await copy.store.syncState()?.home == home ?? "old")
    let id = UUID()
    try await copy.store.setReplica(id, named: "portolan_other", home: home.map { $0 + "er" })
    #expect(try await copy.store.syncState()?.home == home.map { $0 + "er" } ?? "old")
    #expect(try await copy.store.syncState()?.replicaID == id)
    await copy.store.close()
  }

  @Test func `Attachments stay where a new copy comes without any`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    let fresh = try fresh()
    _ = try await fresh.receive(.sites, deletedFiles: [SyncedSites.photoID])
    #expect(try await fresh.store.attachments(of: 1, in: "Sites").isEmpty)
    await fresh.store.close()
    try await copy.store.renew(from: fresh.url) { _, _ in nil }
    #expect(try await copy.store.attachments(of: 1, in: "Sites").map(\.name) == ["a.txt"])
    await copy.store.close()
  }

  @Test
  func `What a new copy cannot hold is listed here, with its attachments, and nothing goes for it`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let before = try await copy.names()
    let fresh = try fresh()
    let long = String(repeating: "x", count: 41)
    let file = NewAttachment(
      name: "seven.txt", contentType: "text/plain", data: Data("of seven".utf8),
      globalID: "{33333333-0000-4000-8000-000000000007}")
    let receipt = try await fresh.receive([
      GeodatabaseDelta.Layer(
        layerID: 0, schema: SyncedSites.schema(.sites), serverGeneration: 2,
        adds: [SyncedSites.feature(.sites, SyncedSites.id(7), long)],
        updates: [SyncedSites.feature(.sites, SyncedSites.alpha, long)],
        addedFiles: [GeodatabaseDelta.File(file, parentGlobalID: SyncedSites.id(7))])
    ])
    #expect(receipt.withheld == 2)
    await fresh.store.close()
    #expect(try await copy.store.renew(from: fresh.url) { _, _ in [:] }.withheld == 2)
    let issues = try await copy.store.syncIssues()
    #expect(Set(issues.map(\.globalID)) == [SyncedSites.id(7), SyncedSites.alpha])
    #expect(issues.allSatisfy { $0.kind == .unstorable })
    #expect(try await copy.names() == before)
    let connection = try Connection(at: copy.url, access: .readOnly)
    let query = try connection.query("SELECT parent FROM portolan_sync_files")
    let parent = try query.step() ? query.text(at: 0) : ""
    #expect(parent == SyncedSites.id(7))
    await copy.store.close()
  }

  @Test func `A feature that others restore after its deletion was sent has no pending edit`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    while try await !copy.upload().isEmpty {}
    #expect(try await copy.changes().isEmpty)
    _ = try await copy.receive(
      .sites, adds: [SyncedSites.feature(.sites, SyncedSites.alpha, "Alpha")])
    #expect(try await copy.names()[0] == ["Alpha", "Beta"])
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }
}
