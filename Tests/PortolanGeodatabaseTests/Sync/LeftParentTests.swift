import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The outcome of rows whose own edits wait for a decision where their parents were deleted here.
@Suite(.temporaryDirectory) struct LeftParentTests {
  @Test(arguments: SyncIssue.Resolution.allCases, [true, false])
  func `A deletion waits for a note that was deleted beside it and that others have changed`(
    _ resolution: SyncIssue.Resolution, _ isNoteFirst: Bool
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    if !isNoteFirst { try await copy.deleteAlpha() }
    _ = try await copy.store.apply([.delete(.objectID(1), table: SyncedSites.Table.notes.name)])
    if isNoteFirst { try await copy.deleteAlpha() }
    let theirs = SyncedSites.feature(.notes, SyncedSites.note, "Theirs", of: SyncedSites.alpha)
    #expect(try await copy.receive(.notes, updates: [theirs]).conflicts == 1)
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: resolution)
    #expect(try await copy.store.syncIssues().isEmpty)
    let sent = try await copy.sent()
    switch resolution {
    case .mine:
      #expect(
        sent == [
          [SyncedSites.alpha, SyncedSites.note],
          [SyncedSites.survey, SyncedSites.otherSurvey].sorted(), [SyncedSites.sample],
        ])
      #expect(try await copy.names() == [["Beta"], [], [], []])
    case .theirs:
      #expect(sent == [[]])
      #expect(
        try await copy.names() == [["Alpha", "Beta"], ["Autumn", "Spring"], ["Soil"], ["Theirs"]])
      #expect(try await copy.noted() == .text(SyncedSites.alpha))
    }
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  @Test
  func `A deletion does not wait for a note that was deleted beside it and that nobody changed`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    _ = try await copy.store.apply([.delete(.objectID(1), table: SyncedSites.Table.notes.name)])
    #expect(try await copy.sent().first == [SyncedSites.alpha, SyncedSites.note])
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `A deletion waits for a note that it has emptied and whose edit was refused before`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .notes, "Mine")
    _ = try await copy.upload(refusing: [SyncedSites.note])
    try await copy.deleteAlpha()
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.kind == .rejected)
    try await copy.store.resolve(issue.id, as: resolution)
    let sent = try await copy.sent()
    switch resolution {
    case .mine:
      #expect(
        sent == [
          [SyncedSites.alpha],
          SyncedSites.releasedByAlpha,
          [SyncedSites.sample],
        ])
      #expect(try await copy.names() == [["Beta"], [], [], ["Mine"]])
    case .theirs:
      #expect(sent == [[]])
      #expect(try await copy.names() == SyncedSites.before)
      #expect(try await copy.noted() == .text(SyncedSites.alpha))
    }
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  @Test(arguments: [true, false])
  func `A note whose edit was refused comes back without a site once the site is deleted`(
    _ isDeleted: Bool
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    if isDeleted {
      _ = try await copy.store.apply([.delete(.objectID(1), table: SyncedSites.Table.notes.name)])
    } else {
      #expect(try await copy.upload().edits.map(\.globalID) == [SyncedSites.alpha])
    }
    let refused = try await copy.upload(refusing: [SyncedSites.note])
    #expect(refused.edits.map(\.globalID).contains(SyncedSites.note))
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.kind == .rejected)
    try await copy.store.resolve(issue.id, as: .theirs)
    _ = try await copy.sent()
    #expect(try await copy.names() == [["Beta"], [], [], ["Closed"]])
    let noted = try await copy.noted() ?? .null
    #expect(noted == .null)
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  @Test
  func `A note whose edit is given up comes back without a site that others have deleted as well`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .notes, "Mine")
    try await copy.deleteAlpha()
    // The service says nothing of the note, whose key it has emptied.
    try await copy.receiveRemovalOfAlpha()
    #expect(try await copy.upload(refusing: [SyncedSites.note]).edits.count == 1)
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.names() == [["Beta"], [], [], ["Closed"]])
    let noted = try await copy.noted() ?? .null
    #expect(noted == .null)
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  /// Gives a survey to another site, and deletes the one that it was a part of.
  private func moveSurvey(_ copy: SyncedSites) async throws {
    _ = try await copy.store.apply([
      .update(
        .objectID(1), table: SyncedSites.Table.surveys.name,
        attributes: ["PARENT": .text(SyncedSites.id(2))])
    ])
    try await copy.deleteAlpha()
    #expect(try await copy.names() == [["Beta"], ["Spring"], ["Soil"], ["Closed"]])
  }

  private static let uploadsOfMove = [
    [SyncedSites.survey], [SyncedSites.alpha],
    [SyncedSites.otherSurvey, SyncedSites.note].sorted(),
  ]

  @Test
  func `A part that was given to another site arrives before the one that it left is deleted`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await moveSurvey(copy)
    #expect(try await copy.sent() == Self.uploadsOfMove)
    #expect(try await copy.names() == [["Beta"], ["Spring"], ["Soil"], ["Closed"]])
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  @Test
  func `A part of a part that was given to another arrives before the site is deleted`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let winter = SyncedSites.id(7)
    let added = SyncedSites.feature(.surveys, winter, "Winter", of: SyncedSites.id(2))
    #expect(try await copy.receive(.surveys, adds: [added]).adds == 1)
    _ = try await copy.store.apply([
      .update(
        .objectID(1), table: SyncedSites.Table.samples.name, attributes: ["PARENT": .text(winter)])
    ])
    try await copy.deleteAlpha()
    // The service would delete the sample with the survey that it left, and that with the site.
    #expect(
      try await copy.sent() == [
        [SyncedSites.sample], [SyncedSites.alpha],
        SyncedSites.releasedByAlpha,
      ])
    #expect(try await copy.names() == [["Beta"], ["Winter"], ["Soil"], ["Closed"]])
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  @Test
  func `A deletion does not wait for a part that was given away and that others have removed`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await moveSurvey(copy)
    #expect(try await copy.receive(.surveys, deletes: [SyncedSites.survey]).conflicts == 1)
    #expect(
      try await copy.sent() == [
        [SyncedSites.alpha], [SyncedSites.otherSurvey, SyncedSites.note].sorted(),
      ])
    #expect(try await copy.changes().map(\.globalID) == [SyncedSites.survey])
    await copy.store.close()
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `A site is not deleted at the service while that refuses to give a part of it to another`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await moveSurvey(copy)
    let refused = try await copy.upload(refusing: [SyncedSites.survey])
    #expect(refused.edits.map(\.globalID) == [SyncedSites.survey])
    // The service would delete the part with it, and with that the edit.
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: resolution)
    let sent = try await copy.sent()
    switch resolution {
    case .mine:
      #expect(sent == Self.uploadsOfMove)
      #expect(try await copy.names() == [["Beta"], ["Spring"], ["Soil"], ["Closed"]])
    case .theirs:
      #expect(sent == [[]])
      #expect(try await copy.names() == SyncedSites.before)
    }
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }

  @Test
  func
    `A site that was deleted comes back with a part that was given away and that others changed`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await moveSurvey(copy)
    let theirs = SyncedSites.feature(.surveys, SyncedSites.survey, "Theirs", of: SyncedSites.alpha)
    #expect(try await copy.receive(.surveys, updates: [theirs]).conflicts > 0)
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(
      try await copy.store.syncIssues().first { $0.globalID == SyncedSites.survey })
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(
      try await copy.names() == [["Alpha", "Beta"], ["Autumn", "Theirs"], ["Soil"], ["Closed"]])
    #expect(try await copy.changes().isEmpty)
    await copy.store.close()
  }
}
