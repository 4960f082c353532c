import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// What becomes of features of others that a copy cannot hold.
@Suite(.temporaryDirectory) struct WithheldFeatureTests {
  private static let long = String(repeating: "x", count: 41)

  private func file(_ text: String, of parent: String) -> GeodatabaseDelta.File {
    let file = NewAttachment(
      name: "seven.txt", contentType: "text/plain", data: Data(text.utf8),
      globalID: "{33333333-0000-4000-8000-000000000007}")
    return GeodatabaseDelta.File(file, parentGlobalID: parent)
  }

  /// Others have done something to the sites.
  private func receive(
    _ copy: SyncedSites, adds: [Feature] = [], updates: [Feature] = [], deletes: [String] = [],
    files: [GeodatabaseDelta.File] = []
  ) async throws -> SyncReceipt {
    try await copy.receive([
      GeodatabaseDelta.Layer(
        layerID: 0, schema: SyncedSites.schema(.sites), serverGeneration: 2, adds: adds,
        updates: updates, deletes: deletes, addedFiles: files)
    ])
  }

  /// A copy in which no two sites may have the same name, which the service does not know.
  private func copyWithUniqueNames() throws -> SyncedSites {
    let copy = try SyncedSites(in: temporaryDirectory)
    try Connection(at: copy.url, access: .edit)
      .execute("CREATE UNIQUE INDEX one_name ON Sites (NAME, gdb_to_date)")
    return copy
  }

  private func withheldFiles(_ copy: SyncedSites) throws -> Int64 {
    let connection = try Connection(at: copy.url, access: .readOnly)
    let query = try connection.query("SELECT count(*) FROM portolan_sync_files")
    return try query.step() ? query.integer(at: 0) : -1
  }

  @Test func `They are listed by name, and everything else comes in`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(2, in: .sites, "Mine")
    let receipt = try await receive(
      copy,
      adds: [
        SyncedSites.feature(.sites, SyncedSites.id(7), Self.long),
        SyncedSites.feature(.sites, SyncedSites.id(8), "Gamma"),
      ], updates: [SyncedSites.feature(.sites, SyncedSites.alpha, Self.long)],
      files: [file("of seven", of: SyncedSites.id(7))])
    #expect(receipt.withheld == 2 && receipt.adds == 1 && receipt.updates == 0)
    #expect(try await copy.names()[0] == ["Alpha", "Gamma", "Mine"])
    #expect(try await copy.changes().count == 1)
    let state = try #require(try await copy.store.syncState())
    #expect(state.layers.map(\.serverGeneration) == [2, 2, 2, 2])
    let issues = try await copy.store.syncIssues()
    #expect(issues.map(\.kind) == [.unstorable, .unstorable])
    #expect(issues.map(\.globalID) == [SyncedSites.id(7), SyncedSites.alpha])
    #expect(issues.map(\.objectID) == [0, 1])
    #expect(issues[0].reason?.contains("41 characters") == true, "\(issues[0])")
    #expect(try withheldFiles(copy) == 1)
    // Tried again, it is the same again, under the same number.
    #expect(try await receive(copy).withheld == 2)
    #expect(try await copy.store.syncIssues() == issues)
    #expect(try await copy.upload().edits.map(\.globalID) == [SyncedSites.id(2)])
  }

  @Test(arguments: [true, false])
  func `Once the copy can hold them they come in as they were, with their attachments`(
    _ isNew: Bool
  ) async throws {
    let copy = try copyWithUniqueNames()
    let id = isNew ? SyncedSites.id(7) : SyncedSites.alpha
    let theirs = SyncedSites.feature(.sites, id, "Beta")
    let first = try await receive(
      copy, adds: isNew ? [theirs] : [], updates: isNew ? [] : [theirs],
      files: isNew ? [file("of seven", of: id)] : [])
    #expect(first.withheld == 1)
    #expect(try await copy.names() == SyncedSites.before)
    #expect(try await copy.changes().isEmpty)
    let second = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.id(2), "Delta")])
    #expect(second.withheld == 0)
    #expect(try await copy.names()[0] == (isNew ? ["Alpha", "Beta", "Delta"] : ["Beta", "Delta"]))
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.changes().isEmpty)
    guard isNew else { return }
    #expect(try withheldFiles(copy) == 0)
    let site = try await copy.store.features(in: "Sites", matching: QueryParameters()).collect()
      .first { $0.attributes["NAME"] == .text("Beta") }
    let files = try await copy.store.attachments(of: try #require(site).objectID, in: "Sites")
    #expect(files.map(\.size) == [8])
  }

  @Test func `They are gone when others remove them`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    let id = SyncedSites.id(7)
    _ = try await receive(
      copy, adds: [SyncedSites.feature(.sites, id, Self.long)], files: [file("of seven", of: id)])
    #expect(try await receive(copy, deletes: [id]).withheld == 0)
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try withheldFiles(copy) == 0)
    #expect(try await copy.names() == SyncedSites.before)
  }

  @Test func `An edit of the same feature is not sent over theirs before somebody has decided`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.alpha, Self.long)])
    try await copy.rename(1, in: .sites, "Mine")
    #expect(try await copy.store.makeUpload().isEmpty)
    #expect(try await receive(copy).conflicts == 1)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.kind == .conflict)
    #expect(issue.theirs?.text.contains(Self.long) == true)
    // To give it up is not possible, and says why.
    await #expect(throws: FeatureEditError.self) {
      try await copy.store.resolve(issue.id, as: .theirs)
    }
    #expect(try await copy.names()[0] == ["Beta", "Mine"])
    #expect(try await copy.store.syncIssues() == [issue])
    try await copy.store.resolve(issue.id, as: .mine)
    #expect(try await copy.upload().edits.map(\.globalID) == [SyncedSites.alpha])
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `They stay listed until the copy can hold them, whatever is decided`() async throws {
    let copy = try copyWithUniqueNames()
    _ = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.alpha, "Beta")])
    let issue = try #require(try await copy.store.syncIssues().first)
    for resolution in SyncIssue.Resolution.allCases {
      await #expect(throws: FeatureEditError.self) {
        try await copy.store.resolve(issue.id, as: resolution)
      }
    }
    #expect(try await copy.store.syncIssues() == [issue])
    try Connection(at: copy.url, access: .edit).execute("DROP INDEX one_name")
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.names()[0] == ["Beta", "Beta"])
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `Attachments that both have changed are still decided on once the feature fits`()
    async throws
  {
    let copy = try copyWithUniqueNames()
    _ = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.alpha, "Beta")])
    let photo = try #require(try await copy.store.attachments(of: 1, in: "Sites").first)
    _ = try await copy.store.apply([
      .updateAttachment(photo.id, SyncedSites.photo("mine"), table: "Sites")
    ])
    _ = try await copy.receive(.sites, updatedFiles: [SyncedSites.photo("theirs")])
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.kind == .unstorable && issue.attachments?.count == 1)
    _ = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.id(2), "Delta")])
    let rest = try #require(try await copy.store.syncIssues().first)
    #expect(rest.isAboutAttachmentsAlone)
    #expect(try await copy.names()[0] == ["Beta", "Delta"])
    try await copy.store.resolve(rest.id, as: .theirs)
    #expect(try await copy.photo() == "theirs")
    #expect(try await copy.changes().isEmpty)
  }
}
