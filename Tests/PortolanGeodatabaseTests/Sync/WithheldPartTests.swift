import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Deletions that would take along, or change, what others have made of related features and the copy cannot hold.
@Suite(.temporaryDirectory) struct WithheldPartTests {
  private static let long = String(repeating: "x", count: 41)
  private static let part = SyncedSites.id(7)

  /// A copy whose service has a survey of Alpha that the copy cannot hold; with Alpha deleted afterwards.
  private func copyWithPart(of survey: Bool = false) async throws -> SyncedSites {
    let copy = try SyncedSites(in: temporaryDirectory)
    let theirs =
      survey
      ? SyncedSites.feature(.samples, Self.part, Self.long, of: SyncedSites.survey)
      : SyncedSites.feature(.surveys, Self.part, Self.long, of: SyncedSites.alpha)
    #expect(try await copy.receive(survey ? .samples : .surveys, adds: [theirs]).withheld == 1)
    try await copy.deleteAlpha()
    return copy
  }

  private func issue(_ copy: SyncedSites) async throws -> SyncIssue {
    let issues = try await copy.store.syncIssues()
    try #require(issues.count == 1, "\(issues)")
    return issues[0]
  }

  private func sentAll(
    _ copy: SyncedSites, refusing refused: Set<String> = []
  ) async throws -> [String] {
    var sent: [String] = []
    while true {
      let upload = try await copy.upload(refusing: refused)
      sent += upload.edits.map(\.globalID)
      guard upload.hasMore, !upload.isEmpty else { return sent }
    }
  }

  @Test(arguments: [false, true])
  func `A deletion that would take along a part of others waits for a decision`(
    _ isOfSurvey: Bool
  ) async throws {
    let copy = try await copyWithPart(of: isOfSurvey)
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try await issue(copy)
    #expect(issue.kind == .unstorable && issue.objectID == 0)
    // What is decided on with it is told.
    let edits = try #require(try await copy.store.syncIssuesToDecide().first?.edits)
    #expect(edits.edits.contains { $0.change.table == "Sites" && $0.change.kind == .delete })
    try await copy.store.resolve(issue.id, as: .mine)
    // It is listed until the service has deleted the feature.
    #expect(try await self.issue(copy).globalID == Self.part)
    #expect(try await copy.receive([]).withheld == 0)
    #expect(try await sentAll(copy).first == SyncedSites.alpha)
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.changes().isEmpty)
    #expect(try await copy.names() == [["Beta"], [], [], ["Closed"]])
    await copy.store.close()
  }

  @Test func `To give the deletion up restores all of it, and the part stays listed`() async throws
  {
    let copy = try await copyWithPart()
    let issue = try await issue(copy)
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.store.syncIssues() == [issue])
    #expect(try await copy.names() == SyncedSites.before)
    #expect(try await copy.noted() == .text(SyncedSites.alpha))
    #expect(try await copy.photo() == "as it was")
    #expect(try await copy.changes().isEmpty)
    // Then there is nothing to decide on any more.
    await #expect(throws: FeatureEditError.self) {
      try await copy.store.resolve(issue.id, as: .theirs)
    }
    await copy.store.close()
  }

  @Test func `A refused deletion loses nothing of the part, and the next one waits again`()
    async throws
  {
    let copy = try await copyWithPart()
    try await copy.store.resolve(try await issue(copy).id, as: .mine)
    #expect(try await sentAll(copy, refusing: [SyncedSites.alpha]) == [SyncedSites.alpha])
    let issues = try await copy.store.syncIssues()
    #expect(Set(issues.map(\.kind)) == [.rejected, .unstorable])
    let refused = try #require(issues.first { $0.kind == .rejected })
    try await copy.store.resolve(refused.id, as: .theirs)
    #expect(try await copy.names() == SyncedSites.before)
    #expect(try await issue(copy).globalID == Self.part)
    try await copy.deleteAlpha()
    #expect(try await copy.store.makeUpload().isEmpty)
    await copy.store.close()
  }

  @Test func `A part that others change again is decided on again`() async throws {
    let copy = try await copyWithPart()
    try await copy.store.resolve(try await issue(copy).id, as: .mine)
    let theirs = SyncedSites.feature(
      .surveys, Self.part, "y" + Self.long, of: SyncedSites.alpha)
    _ = try await copy.receive(.surveys, updates: [theirs])
    #expect(try await copy.store.makeUpload().isEmpty)
    let deletion = try #require(
      try await copy.store.syncIssues().first { $0.globalID == SyncedSites.alpha })
    // The decision on the feature is one on its part as well.
    try await copy.store.resolve(deletion.id, as: .mine)
    #expect(try await sentAll(copy).first == SyncedSites.alpha)
    #expect(try await copy.store.syncIssues().isEmpty)
    await copy.store.close()
  }

  @Test func `A part that the copy can hold again does not go unseen with a feature deleted here`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try Connection(at: copy.url, access: .edit)
      .execute("CREATE UNIQUE INDEX one_name ON Surveys (NAME, gdb_to_date)")
    let name = try #require(try await copy.names()[1].first)
    let theirs = SyncedSites.feature(.surveys, Self.part, name, of: SyncedSites.alpha)
    #expect(try await copy.receive(.surveys, adds: [theirs]).withheld == 1)
    try await copy.deleteAlpha()
    // The name is free now.
    #expect(try await copy.receive([]).withheld == 0)
    #expect(try await copy.store.makeUpload().isEmpty)
    let deletion = try await issue(copy)
    #expect(deletion.globalID == SyncedSites.alpha)
    try await copy.store.resolve(deletion.id, as: .mine)
    #expect(try await sentAll(copy).first == SyncedSites.alpha)
    await copy.store.close()
  }

  @Test func `A part of a feature that is still there keeps nothing else`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    let others = [(7, SyncedSites.alpha), (8, SyncedSites.id(2))].map {
      SyncedSites.feature(.surveys, SyncedSites.id($0), Self.long, of: $1)
    }
    #expect(try await copy.receive(.surveys, adds: others).withheld == 2)
    _ = try await copy.store.apply([.delete(.objectID(2), table: "Sites")])
    try await copy.rename(1, in: .sites, "Mine")
    #expect(try await copy.store.makeUpload().edits.map(\.globalID) == [SyncedSites.alpha])
    let waiting = try #require(
      try await copy.store.syncIssues().first { $0.globalID == SyncedSites.id(8) })
    try await copy.store.resolve(waiting.id, as: .mine)
    #expect(
      try await sentAll(copy).sorted() == [SyncedSites.alpha, SyncedSites.id(2)])
    #expect(try await issue(copy).globalID == Self.part)
    await copy.store.close()
  }

  // MARK: - What merely relates to it

  /// A copy whose service has a note about Alpha that the copy cannot hold; with Alpha deleted afterwards.
  private func copyWithNote(renamed: Bool) async throws -> SyncedSites {
    let copy = try SyncedSites(in: temporaryDirectory)
    let theirs = SyncedSites.feature(.notes, SyncedSites.note, Self.long, of: SyncedSites.alpha)
    #expect(try await copy.receive(.notes, updates: [theirs]).withheld == 1)
    if renamed { try await copy.rename(1, in: .notes, "Mine") }
    try await copy.deleteAlpha()
    return copy
  }

  @Test(arguments: [false, true])
  func `A deletion waits for a note that it has emptied and that others have changed`(
    _ isRenamed: Bool
  ) async throws {
    let copy = try await copyWithNote(renamed: isRenamed)
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try await issue(copy)
    #expect(issue.globalID == SyncedSites.note)
    try await copy.store.resolve(issue.id, as: .mine)
    #expect(try await sentAll(copy).first == SyncedSites.alpha)
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  @Test(arguments: [false, true])
  func
    `To give up what was deleted restores it, unless an edit would be lost that cannot be replaced`(
      _ isRenamed: Bool
    ) async throws
  {
    let copy = try await copyWithNote(renamed: isRenamed)
    let issue = try await issue(copy)
    if isRenamed {
      let changes = try await copy.changes()
      await #expect(throws: FeatureEditError.self) {
        try await copy.store.resolve(issue.id, as: .theirs)
      }
      #expect(try await copy.changes() == changes)
    } else {
      try await copy.store.resolve(issue.id, as: .theirs)
      #expect(try await copy.names() == SyncedSites.before)
      #expect(try await copy.noted() == .text(SyncedSites.alpha))
      #expect(try await copy.changes().isEmpty)
    }
    #expect(try await copy.store.syncIssues() == [issue])
    await copy.store.close()
  }
}
