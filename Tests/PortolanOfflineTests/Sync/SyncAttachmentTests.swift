import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// The outcome of attachments when their features are in conflict, or are refused.
@Suite(.temporaryDirectory) struct SyncAttachmentTests {
  /// Two copies in which the first feature has an attachment that the service has too.
  private func twoCopies() async throws -> (bed: SyncBed, first: SyncCopy, second: SyncCopy) {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    try await first.attach("a.txt", to: try await first.features()[0].objectID)
    _ = try await first.sync()
    _ = try await second.sync()
    return (bed, first, second)
  }

  @Test func `A feature that comes back instead of its deletion here has its attachments`()
    async throws
  {
    let (_, first, second) = try await twoCopies()
    let feature = try await second.features()[0]
    let before = try await second.attachments(of: feature.objectID)
    try #require(before.contains("a.txt"))
    try await first.rename(feature.objectID, "Theirs")
    // One that others have added since comes, too.
    try await first.attach("b.txt", to: feature.objectID)
    _ = try await first.sync()
    try await second.delete(feature.objectID)
    let issue = try #require(try await second.sync().issues.first)
    try await second.resolve(issue, .theirs)
    let all = (before + ["b.txt"]).sorted()
    #expect(try await second.attachments(of: feature.objectID) == all)
    #expect(try await second.edits() == 0)
    _ = try await second.sync()
    _ = try await first.sync()
    #expect(try await first.attachments(of: feature.objectID) == all)
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `A feature that others removed keeps its attachments until the conflict is resolved`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let (bed, first, second) = try await twoCopies()
    let feature = try await second.features()[0]
    let before = try await second.attachments(of: feature.objectID)
    try #require(before.contains("a.txt"))
    try await first.delete(feature.objectID)
    _ = try await first.sync()
    try await second.rename(feature.objectID, "Kept")
    let issue = try #require(try await second.sync().issues.first)
    #expect(issue.isGoneThere)
    #expect(try await second.attachments(of: feature.objectID) == before)
    try await second.resolve(issue, resolution)
    _ = try await second.sync()
    #expect(try await second.edits() == 0)
    let isKept = resolution == .mine
    #expect(try await bed.values().values.contains("Kept") == isKept)
    #expect(try await second.attachments(of: feature.objectID) == (isKept ? before : []))
    let third = try await bed.copy("third")
    let kept = try await third.features().first { SyncCopy.text("NAME", $0) == "Kept" }
    #expect((kept != nil) == isKept)
    if let kept { #expect(try await third.attachments(of: kept.objectID) == before) }
  }

  @Test func `A discarded new feature is removed with its attachments`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Refused")
    let feature = try #require(
      try await copy.features().first { SyncCopy.text("NAME", $0) == "Refused" })
    try await copy.attach("b.txt", to: feature.objectID)
    try await copy.using { store in
      let upload = try await store.makeUpload()
      let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
      let results = [
        GeodatabaseDelta.EditResult(
          objectID: nil, globalID: upload.edits[0].globalID, isSuccess: false, code: 1000,
          reason: "Not on a Sunday.", kind: .add, layerID: SyncBed.layer)
      ]
      let accepted = try await store.finish(pending, results: results).total
      #expect(accepted == 0)
    }
    try await copy.resolve(try #require(try await copy.issues().first), .theirs)
    #expect(try await copy.edits() == 0)
  }

  @Test func `An attachment does not count as sent without a result for its new feature`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("New")
    let feature = try #require(
      try await copy.features().first { SyncCopy.text("NAME", $0) == "New" })
    try await copy.attach("b.txt", to: feature.objectID)
    try await copy.using { store in
      let upload = try await store.makeUpload()
      let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
      let accepted = try await store.finish(pending, results: []).total
      #expect(accepted == 0)
    }
    _ = try await copy.sync()
    let other = try await bed.copy("other")
    let there = try #require(
      try await other.features().first { SyncCopy.text("NAME", $0) == "New" })
    #expect(try await other.attachments(of: there.objectID) == ["b.txt"])
  }

  @Test func `Attachments are found at a service that does not answer for several features`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    try await copy.attach("a.txt", to: feature.objectID)
    _ = try await copy.sync()
    let globalID = try #require(SyncCopy.text("GlobalID", feature))
    let id = try #require(try await bed.objectID(of: globalID))
    let refusing = AnsweringTransport(
      inner: bed.transport, path: "/queryAttachments",
      answer: Data(#"{"error": {"code": 400, "message": "Invalid URL"}}"#.utf8))
    let service = FeatureService(
      url: bed.service.url,
      client: RESTClient(transport: refusing, authenticator: AnonymousAuthenticator()))
    let expected = try await bed.service.table(SyncBed.layer).attachmentGlobalIDs(of: [id])
    #expect(expected[id]?.isEmpty == false)
    #expect(
      try await service.table(SyncBed.layer).attachmentGlobalIDs(of: [id]) == expected)
  }

  @Test func `An attachment that a service lacks after its answer was lost is sent again`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let id = try await copy.add("New")
    let feature = try #require(
      try await copy.features().first { SyncCopy.text("NAME", $0) == "New" })
    try await copy.attach("b.txt", to: feature.objectID)
    try await copy.using { store in
      let upload = try await store.makeUpload()
      try await store.setPendingUpload(PendingUpload(upload))
    }
    // The service has broken off after the feature.
    let added = """
      [{"attributes": {"NAME": "New", "GlobalID": "\(id)"},
        "geometry": {"x": -7800000, "y": 5400000}}]
      """
    _ = try await bed.edit(["adds": added, "useGlobalIds": "true"])
    let result = try await copy.sync(.upload)
    #expect(result.issues.isEmpty && result.sentEdits.attachments == 1)
    #expect(try await bed.attachments(of: id) == ["b.txt"])
    #expect(try await copy.edits() == 0)
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `An attachment that two copies have changed is decided on, and all have the same then`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let (_, first, second) = try await twoCopies()
    for (copy, text) in [(first, "first"), (second, "second")] {
      try await copy.replaceAttachment("a.txt", with: text)
    }
    _ = try await first.sync()
    let issue = try #require(try await second.sync().issues.first)
    #expect(issue.edit == "attachments" && issue.attachments?.count == 1)
    #expect(try await first.contents(of: "a.txt") == "first")
    try await second.resolve(issue, resolution)
    _ = try await second.sync()
    _ = try await first.sync()
    let expected = resolution == .mine ? "second" : "first"
    #expect(try await second.contents(of: "a.txt") == expected)
    #expect(try await first.contents(of: "a.txt") == expected)
    #expect(try await second.edits() == 0)
  }

  @Test func `A feature is not deleted at the service with an attachment that others have changed`()
    async throws
  {
    let (bed, first, second) = try await twoCopies()
    let feature = try await second.features()[0]
    try await second.delete(feature.objectID)
    try await first.replaceAttachment("a.txt", with: "first")
    _ = try await first.sync()
    let issue = try #require(try await second.sync().issues.first)
    let id = try #require(SyncCopy.text("GlobalID", feature))
    #expect(try await bed.objectID(of: id) != nil)
    try await second.resolve(issue, .theirs)
    #expect(try await second.contents(of: "a.txt") == "first")
    #expect(try await second.sync().sent == 0)
  }

  @Test func `An attachment that others have changed comes in when a copy is registered again`()
    async throws
  {
    let (bed, first, second) = try await twoCopies()
    try await first.replaceAttachment("a.txt", with: "first")
    _ = try await first.sync()
    try await bed.forgetReplicas()
    let result = try await second.sync()
    #expect(result.isRegisteredAgain && result.issues.isEmpty)
    #expect(try await second.contents(of: "a.txt") == "first")
    #expect(try await second.edits() == 0)
  }

  @Test func `A copy that is registered again finds no conflict in attachments left alone`()
    async throws
  {
    let (bed, _, second) = try await twoCopies()
    let features = try await second.features()
    try await second.replaceAttachment("a.txt", with: "second")
    try await second.attach("b.txt", to: features[1].objectID)
    try await second.delete(features[2].objectID)
    try await bed.forgetReplicas()
    let result = try await second.sync()
    #expect(result.isRegisteredAgain && result.issues.isEmpty)
    #expect(try await second.edits() == 0)
    let id = try #require(SyncCopy.text("GlobalID", features[1]))
    #expect(try await bed.attachments(of: id).contains("b.txt"))
  }
}
