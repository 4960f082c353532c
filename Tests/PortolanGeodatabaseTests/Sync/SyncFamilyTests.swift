import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The outcome of features and their parts when both sides have changed some of them.
@Suite(.temporaryDirectory) struct SyncFamilyTests {
  @Test func `Rows deleted with a feature are held back with its conflict, and restored with it`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    #expect(try await copy.names() == [["Beta"], [], [], ["Closed"]])
    let theirs = SyncedSites.feature(.sites, SyncedSites.alpha, "Theirs")
    #expect(try await copy.receive(.sites, updates: [theirs]).conflicts == 1)
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(
      try await copy.names() == [["Beta", "Theirs"], ["Autumn", "Spring"], ["Soil"], ["Closed"]])
    #expect(try await copy.noted() == .text(SyncedSites.alpha))
    #expect(try await copy.photo() == "as it was")
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `A note that was edited otherwise gets its site back and stays an edit`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .notes, "Mine")
    try await copy.deleteAlpha()
    let theirs = SyncedSites.feature(.sites, SyncedSites.alpha, "Theirs")
    _ = try await copy.receive(.sites, updates: [theirs])
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.noted() == .text(SyncedSites.alpha))
    #expect(try await copy.names()[3] == ["Mine"])
    #expect(try await copy.changes().map(\.table) == ["Notes"])
  }

  @Test func `A part of a part that others have changed keeps the whole from being deleted`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    let theirs = SyncedSites.feature(
      .samples, SyncedSites.sample, "Rock", of: SyncedSites.survey)
    #expect(try await copy.receive(.samples, updates: [theirs]).conflicts == 1)
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.globalID == SyncedSites.sample)
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(
      try await copy.names() == [["Alpha", "Beta"], ["Autumn", "Spring"], ["Rock"], ["Closed"]])
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `A decision for the deletion sends it, and its parts once it has arrived`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    let theirs = SyncedSites.feature(
      .samples, SyncedSites.sample, "Rock", of: SyncedSites.survey)
    _ = try await copy.receive(.samples, updates: [theirs])
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: .mine)
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(
      try await copy.sent() == [
        [SyncedSites.alpha],
        SyncedSites.releasedByAlpha,
        [SyncedSites.sample],
      ])
    #expect(try await copy.changes().isEmpty)
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `A deletion waits for a note that it has emptied and that others have changed`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    let theirs = SyncedSites.feature(.notes, SyncedSites.note, "Theirs", of: SyncedSites.alpha)
    #expect(try await copy.receive(.notes, updates: [theirs]).conflicts == 1)
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.globalID == SyncedSites.note)
    try await copy.store.resolve(issue.id, as: resolution)
    #expect(try await copy.store.syncIssues().isEmpty)
    let sent = try await copy.sent()
    switch resolution {
    case .mine:
      #expect(
        sent == [
          [SyncedSites.alpha],
          SyncedSites.releasedByAlpha,
          [SyncedSites.sample],
        ])
      #expect(try await copy.names() == [["Beta"], [], [], ["Theirs"]])
      let noted = try await copy.noted() ?? .null
      #expect(noted == .null)
    case .theirs:
      #expect(sent == [[]])
      #expect(
        try await copy.names() == [["Alpha", "Beta"], ["Autumn", "Spring"], ["Soil"], ["Theirs"]])
      #expect(try await copy.noted() == .text(SyncedSites.alpha))
      #expect(try await copy.photo() == "as it was")
    }
    #expect(try await copy.changes().isEmpty)
  }

  @Test(arguments: [true, false])
  func `A deletion does not wait for a note that others have removed or given to another site`(
    _ isRemoved: Bool
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    let beta = SyncedSites.id(2)
    let theirs = SyncedSites.feature(.notes, SyncedSites.note, "Theirs", of: beta)
    let receipt = try await copy.receive(
      .notes, updates: isRemoved ? [] : [theirs], deletes: isRemoved ? [SyncedSites.note] : [])
    #expect(receipt.conflicts == 1)
    #expect(
      try await copy.sent() == [
        [SyncedSites.alpha], [SyncedSites.survey, SyncedSites.otherSurvey].sorted(),
        [SyncedSites.sample],
      ])
    #expect(try await copy.changes().map(\.table) == ["Notes"])
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.names() == [["Beta"], [], [], isRemoved ? [] : ["Theirs"]])
    let site: AttributeValue? = isRemoved ? nil : .text(beta)
    #expect(try await copy.noted() == site)
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `A feature whose deletion is refused keeps everything`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    let first = try await copy.upload(refusing: [SyncedSites.alpha])
    #expect(first.hasMore && first.edits.map(\.globalID) == [SyncedSites.alpha])
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.kind == .rejected)
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.names() == SyncedSites.before)
    #expect(try await copy.noted() == .text(SyncedSites.alpha))
    #expect(try await copy.changes().isEmpty)
  }

  @Test(arguments: [true, false])
  func `What others add to a feature that was deleted here is not deleted with it unasked`(
    _ isNew: Bool
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    let theirs = SyncedSites.feature(
      .surveys, isNew ? SyncedSites.id(9) : SyncedSites.survey, "Winter", of: SyncedSites.alpha)
    let receipt = try await copy.receive(
      .surveys, adds: isNew ? [theirs] : [], updates: isNew ? [] : [theirs])
    #expect(receipt.conflicts > 0)
    #expect(try await copy.store.makeUpload().isEmpty)
    let issue = try #require(try await copy.store.syncIssues().first)
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(
      try await copy.names()[1] == (isNew ? ["Autumn", "Spring", "Winter"] : ["Autumn", "Winter"]))
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.changes().isEmpty)
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `A part that was edited here keeps the whole that others have removed`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .surveys, "Mine")
    try await copy.receiveRemovalOfAlpha()
    #expect(
      try await copy.names() == [["Alpha", "Beta"], ["Autumn", "Mine"], ["Soil"], ["Closed"]])
    #expect(try await copy.photo() == "as it was")
    #expect(try await copy.store.makeUpload().isEmpty)
    let issues = try await copy.store.syncIssues()
    #expect(issues.count == 4 && issues.allSatisfy(\.isGoneThere))
    try await copy.store.resolve(try #require(issues.last).id, as: resolution)
    #expect(try await copy.store.syncIssues().isEmpty)
    let upload = try await copy.upload()
    switch resolution {
    case .mine:
      let adds = upload.delta.layers.flatMap(\.adds).count
      #expect(adds == 4 && upload.delta.layers.flatMap(\.addedFiles).count == 1)
    case .theirs:
      #expect(upload.isEmpty)
      #expect(try await copy.names() == [["Beta"], [], [], ["Closed"]])
    }
    #expect(try await copy.changes().isEmpty)
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `What others have removed part by part stays together, too`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .samples, "Mine")
    func removed(_ table: SyncedSites.Table, _ ids: String...) -> GeodatabaseDelta.Layer {
      GeodatabaseDelta.Layer(
        layerID: table.rawValue, schema: SyncedSites.schema(table), serverGeneration: 2,
        deletes: ids)
    }
    _ = try await copy.receive([
      removed(.surveys, SyncedSites.survey), removed(.samples, SyncedSites.sample),
    ])
    _ = try await copy.receive([
      removed(.sites, SyncedSites.alpha), removed(.surveys, SyncedSites.otherSurvey),
    ])
    let names = try await copy.names()
    #expect(names[0] == ["Alpha", "Beta"] && names[2] == ["Mine"])
    #expect(names[1].contains("Spring"))
    let issue = try #require(
      try await copy.store.syncIssues().first { $0.globalID == SyncedSites.alpha })
    try await copy.store.resolve(issue.id, as: resolution)
    #expect(try await copy.store.syncIssues().isEmpty)
    let left = try await copy.names()
    #expect(left[0] == (resolution == .mine ? ["Alpha", "Beta"] : ["Beta"]))
    #expect(left[2] == (resolution == .mine ? ["Mine"] : []))
  }

  @Test func `A feature that others deleted with its parts is deleted if nothing was edited`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(2, in: .sites, "Mine")
    try await copy.receiveRemovalOfAlpha()
    #expect(try await copy.names() == [["Mine"], [], [], ["Closed"]])
    #expect(try await copy.store.syncIssues().isEmpty)
  }
}
