import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Pages for people, and JSON of another shape, that come where a service is asked what it has: they prove
/// neither that something has arrived nor that it has not.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct UnreadableAnswerTests {
  /// A page, another shape, features that do not say which they are, and features without object ids.
  static let answers = [
    "<html><title>Sign in to this network</title></html>", #"{"what": "else"}"#,
    """
    {"objectIdFieldName": "OBJECTID", "fields": [{"name": "OBJECTID", "type": "esriFieldTypeOID"}],
     "features": [{"attributes": {"OBJECTID": 1}}]}
    """,
    """
    {"features": [{"attributes": {"GlobalID": "{11111111-2222-3333-4444-555555555555}"}}]}
    """,
  ]

  private func client(_ bed: SyncBed, _ path: String, _ answer: String) -> RESTClient {
    RESTClient(
      transport: AnsweringTransport(
        inner: bed.transport, path: path, answer: Data(answer.utf8)),
      authenticator: AnonymousAuthenticator())
  }

  private func pending(_ copy: SyncCopy) async throws -> PendingUpload? {
    try await copy.using { try await $0.pendingUpload() }
  }

  @Test(arguments: answers)
  func `An upload without an answer is looked into again, and sent again after some hours`(
    _ answer: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let added = try await copy.add("New Light")
    try await copy.using { store in
      let upload = try await store.makeUpload()
      try await store.setPendingUpload(PendingUpload(edits: upload.edits, moment: upload.moment))
    }
    let client = client(bed, "/query", answer)
    for hours in [0, 5] {
      let moment = DemoBed.day.addingTimeInterval(Double(hours) * 3600)
      await #expect(throws: PortalError.self) { try await copy.sync(through: client, at: moment) }
      #expect(try await pending(copy)?.edits.count == 1)
    }
    #expect(await bed.log.count(of: "/synchronizeReplica") == 0)
    let later = DemoBed.day.addingTimeInterval(7 * 3600)
    #expect(try await copy.sync(through: client, at: later).sent == 1)
    #expect(try await bed.values()[added.uppercased()] == "New Light")
    #expect(try await copy.edits() == 0)
  }

  @Test(arguments: answers, ["/queryAttachments", "/query", "/FeatureServer/1"])
  func `An invalid response says nothing about an attachment`(
    _ answer: String, _ path: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.attach("photo.txt", to: try await copy.features()[0].objectID)
    let upload = try await copy.using { try await $0.makeUpload() }
    let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
    let check = AttachmentCheck(
      service: FeatureService(url: bed.service.url, client: client(bed, path, answer)))
    await #expect(throws: PortalError.self) { _ = try await check.results(of: pending, []) }
  }

  @Test(arguments: [answers[0], answers[1]])
  func `Attachments are asked after again, and what has arrived is not sent again`(
    _ answer: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    let id = try #require(SyncCopy.text("GlobalID", feature))
    try await copy.rename(feature.objectID, "Mine")
    try await copy.attach("photo.txt", to: feature.objectID)
    let client = client(bed, "/queryAttachments", answer)
    await #expect(throws: PortalError.self) { try await copy.sync(.upload, through: client) }
    #expect(try await pending(copy) != nil)
    #expect(try await copy.edits() == 1)
    let count = await bed.log.count(of: "/synchronizeReplica")
    #expect(try await copy.sync(.upload).sent == 2)
    #expect(await bed.log.count(of: "/synchronizeReplica") == count)
    #expect(try await pending(copy) == nil)
    #expect(try await copy.edits() == 0)
    #expect(try await bed.attachments(of: id).filter { $0 == "photo.txt" }.count == 1)
  }

  @Test func `A new feature whose job is forgotten, and that was deleted here, is deleted there`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let added = try await copy.add("New Light").uppercased()
    let starting = #"{"error": {"code": 503, "message": "The server is starting."}}"#
    await #expect(throws: PortalError.self) {
      try await copy.sync(.upload, through: client(bed, "/jobs/", starting))
    }
    #expect(try await bed.values()[added] == "New Light")
    let feature = try await copy.features().first { SyncCopy.text("NAME", $0) == "New Light" }
    try await copy.delete(try #require(feature).objectID)
    let address = try #require(try await pending(copy)?.statusURL)
    let job = try #require(URL(string: address))
    let gone = #"{"error": {"code": 404, "message": "Not found."}}"#
    let result = try await copy.sync(through: client(bed, job.path(), gone))
    #expect(result.sent == 2)
    #expect(try await bed.values()[added] == nil)
    #expect(try await copy.edits() == 0)
  }

  @Test(arguments: [answers[0], answers[1]])
  func `An invalid response does not mean that a replica is forgotten`(
    _ answer: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let service = FeatureService(url: bed.service.url, client: client(bed, "/replicas/", answer))
    await #expect(throws: PortalError.self) {
      _ = try await ReplicaTask(service: service).knows(UUID())
    }
    #expect(try await ReplicaTask(service: bed.service).knows(UUID()) == false)
  }

  @Test func `A result that does not say whether it succeeded says nothing of its edit`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory, root: "server102")
    let copy = try await bed.copy("first")
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard let edits = answer["edits"]?.array else { return nil }
        var answer = answer
        answer["edits"] = .array(edits.map(Self.withoutSuccess))
        return answer
      })
    let client = RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
    let result = try await copy.sync(.upload, through: client)
    #expect(result.sent == 0 && result.issues.isEmpty)
    #expect(try await copy.edits() == 1)
    #expect(try await copy.sync().sent == 1)
  }

  private static func withoutSuccess(_ layer: JSONValue) -> JSONValue {
    var members = layer.object ?? [:]
    guard let results = members["updateResults"]?.array else { return layer }
    members["updateResults"] = .array(
      results.map { result in
        var result = result.object ?? [:]
        result["success"] = nil
        return .object(result)
      })
    return .object(members)
  }

  @Test func `An edit is not sent while nothing readable says which fields the layer has`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    let client = client(bed, "/FeatureServer/1", Self.answers[0])
    await #expect(throws: PortalError.self) { try await copy.sync(.upload, through: client) }
    #expect(try await copy.edits() == 1)
    #expect(await bed.log.count(of: "/synchronizeReplica") == 0)
    #expect(try await copy.sync(.upload).sent == 1)
  }
}
