import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The outcome of attachments, and of edits that somebody has decided on or a service is silent
/// about.
@Suite(.temporaryDirectory) struct SyncDecisionTests {
  /// The result of a service for an edit.
  private func result(
    _ edit: SyncUpload.Edit, isSuccess: Bool
  ) throws -> GeodatabaseDelta.EditResult {
    GeodatabaseDelta.EditResult(
      objectID: nil, globalID: edit.globalID, isSuccess: isSuccess, code: isSuccess ? 0 : 1000,
      reason: isSuccess ? "" : "Not on a Sunday.",
      kind: try #require(LocalChange.Kind(rawValue: edit.kind)), layerID: edit.layerID)
  }

  @Test func `An attachment stays an edit while its service says nothing of its feature`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let id = try await copy.add("New Light")
    let feature = try #require(
      try await copy.features().first { SyncCopy.text("NAME", $0) == "New Light" })
    try await copy.attach("a.txt", to: feature.objectID)
    try await copy.using { store in
      let upload = try await store.makeUpload()
      let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
      let accepted = try await store.finish(pending, results: []).total
      #expect(accepted == 0)
    }
    #expect(try await copy.sync().sent == 2)
    #expect(try await bed.attachments(of: id) == ["a.txt"])
  }

  @Test func `An attachment stays an edit if the service has ended with errors`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.attach("a.txt", to: try await copy.features()[0].objectID)
    try await copy.using { store in
      let upload = try await store.makeUpload()
      let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
      let accepted = try await store.finish(pending, results: [], isCertain: false).total
      #expect(accepted == 0)
    }
    #expect(try await copy.edits() == 1)
  }

  @Test(arguments: [
    #"{"status": "Completed", "responseType": "esriReplicaResponseTypeEdits"}"#,
    #"{"status": "CompletedWithErrors"}"#,
  ])
  func `An upload that ends without an answer is no success, and is sent again`(
    _ answer: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Once")
    let stub = AnsweringTransport(inner: bed.transport, path: "/jobs/", answer: Data(answer.utf8))
    await #expect(throws: OfflineMapError.changesMissing(service: "ExploreMaine")) {
      try await copy.sync(
        .upload, through: RESTClient(transport: stub, authenticator: AnonymousAuthenticator()))
    }
    #expect(try await copy.edits() == 1)
    #expect(try await copy.sync().sent == 1)
    #expect(try await bed.values().values.count { $0 == "Once" } == 1)
  }

  @Test func `An upload that the service could not carry out is sent again by the next`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Once")
    let failed = Data(#"{"status": "Failed"}"#.utf8)
    func client(_ path: String) -> RESTClient {
      RESTClient(
        transport: AnsweringTransport(inner: bed.transport, path: path, answer: failed),
        authenticator: AnonymousAuthenticator())
    }
    await #expect(throws: OfflineMapError.self) {
      try await copy.sync(.upload, through: client("/jobs/"))
    }
    // That one has failed for good.
    let pending = try #require(try await copy.using { try await $0.pendingUpload() })
    let job = try #require(pending.statusURL.flatMap { URL(string: $0) })
    #expect(try await copy.sync(through: client(job.path())).sent == 1)
    #expect(try await copy.edits() == 0)
    #expect(try await bed.values().values.count { $0 == "Once" } == 1)
  }

  @Test(arguments: [true, false])
  func `An upload whose outcome is unreadable is repeated once its job is over`(
    _ isResult: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Once")
    func client(_ path: String) -> RESTClient {
      let page = Data("<html>Be patient.</html>".utf8)
      return RESTClient(
        transport: AnsweringTransport(inner: bed.transport, path: path, answer: page),
        authenticator: AnonymousAuthenticator())
    }
    await #expect(throws: PortalError.self) {
      try await copy.sync(.upload, through: client("/jobs/"))
    }
    let pending = try #require(try await copy.using { try await $0.pendingUpload() })
    var place = try #require(pending.statusURL.flatMap { URL(string: $0) })
    if isResult {
      let task = ReplicaTask(service: bed.service)
      // The first look at a job finds it under way.
      _ = try await task.status(at: place)
      place = try #require(try await task.status(at: place).resultURL)
    }
    let unreadable = client(place.path())
    var moment = DemoBed.day
    if !isResult {
      await #expect(throws: PortalError.self) { try await copy.sync(through: unreadable) }
      // No job takes longer.
      moment += 6 * 3600
    }
    #expect(try await copy.sync(through: unreadable, at: moment).sent == 1)
    #expect(try await copy.edits() == 0)
    #expect(try await bed.values().values.count { $0 == "Once" } == 1)
  }

  @Test(arguments: [true, false])
  func `A feature that others have removed is sent again with all its attachments`(
    _ isRenamed: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await second.features()[0]
    let id = try #require(SyncCopy.text("GlobalID", feature))
    try await second.attach("before.txt", to: feature.objectID)
    _ = try await second.sync()
    try await first.delete(feature.objectID)
    // The deletion takes along what others have attached: that is asked first.
    let question = try #require(try await first.sync().issues.first)
    try await first.resolve(question, .mine)
    #expect(try await first.sync().issues.isEmpty)
    try await second.attach("after.txt", to: feature.objectID)
    if isRenamed { try await second.rename(feature.objectID, "Kept") }
    let issue = try #require(try await second.sync().issues.first)
    #expect(issue.isGoneThere)
    try await second.resolve(issue, .mine)
    #expect(try await second.sync().issues.isEmpty)
    let names = try await bed.attachments(of: id)
    #expect(Set(names).isSuperset(of: ["before.txt", "after.txt"]))
    let own = try await second.attachments(of: feature.objectID)
    #expect(names.sorted() == own.sorted())
    #expect(try await second.edits() == 0)
  }

  @Test func `Discarding a deletion that was kept in a conflict restores the other version`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    let id = try #require(SyncCopy.text("GlobalID", feature))
    try await first.delete(feature.objectID)
    try await bed.rename(feature, "Theirs")
    let conflict = try #require(try await first.sync(.download).issues.first)
    try await first.resolve(conflict, .mine)
    _ = try await second.sync()
    try await second.attach("later.txt", to: feature.objectID)
    _ = try await second.sync()
    let question = try #require(try await first.sync(.download).issues.first)
    try await first.resolve(question, .theirs)
    #expect(try await first.values()[id.uppercased()] == "Theirs")
    #expect(try await first.edits() == 0)
  }

  @Test func `A refused feature that is discarded leaves no attachments`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("New Light")
    let feature = try #require(
      try await copy.features().first { SyncCopy.text("NAME", $0) == "New Light" })
    try await copy.attach("a.txt", to: feature.objectID)
    try await copy.using { store in
      let upload = try await store.makeUpload()
      let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
      let results = try upload.edits.filter { $0.attachmentID == nil }.map {
        try result($0, isSuccess: false)
      }
      let accepted = try await store.finish(pending, results: results).total
      #expect(accepted == 0)
    }
    try await copy.resolve(try #require(try await copy.issues().first), .theirs)
    #expect(try await copy.edits() == 0)
    #expect(try await copy.attachments(of: feature.objectID).isEmpty)
    #expect(try await copy.sync().sent == 0)
  }

  @Test func `A feature that was removed here comes back with its attachments`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    try await copy.attach("a.txt", to: feature.objectID)
    _ = try await copy.sync()
    let before = try await copy.attachments(of: feature.objectID)
    try await copy.delete(feature.objectID)
    try await bed.rename(feature, "Theirs")
    try await copy.resolve(try #require(try await copy.sync().issues.first), .theirs)
    #expect(try await copy.edits() == 0)
    #expect(try await copy.attachments(of: feature.objectID) == before)
    _ = try await copy.sync()
    let id = try #require(SyncCopy.text("GlobalID", feature))
    #expect(try await bed.attachments(of: id).sorted() == before.sorted())
    #expect(try await copy.values() == bed.values())
  }

  /// A copy with a conflict of whose edit nothing is left.
  private func copyWithoutItsEdit(_ bed: SyncBed) async throws -> (SyncCopy, Feature, SyncIssue) {
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    try await copy.rename(feature.objectID, "Mine")
    let upload = try await copy.using { try await $0.makeUpload() }
    try await bed.rename(feature, "Theirs")
    let issue = try #require(try await copy.sync().issues.first)
    try await copy.using { store in
      let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
      let results = try upload.edits.map { try result($0, isSuccess: true) }
      try await store.finish(pending, results: results)
    }
    return (copy, feature, issue)
  }

  @Test func `A conflict of whose edit nothing is left goes with the next change of others`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (copy, feature, _) = try await copyWithoutItsEdit(bed)
    try await bed.rename(feature, "Later")
    let result = try await copy.sync()
    #expect(result.issues.isEmpty && result.received.updates == 1)
    #expect(try await copy.values() == bed.values())
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `A conflict of whose edit nothing is left is resolved as the service has it`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (copy, _, issue) = try await copyWithoutItsEdit(bed)
    try await copy.resolve(issue, resolution)
    #expect(try await copy.values() == bed.values())
    #expect(try await copy.sync().sent == 0)
  }
}
