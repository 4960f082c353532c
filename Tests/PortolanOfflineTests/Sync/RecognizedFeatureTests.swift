import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Features that a service refuses, or of which it says nothing, and that it may have all the same.
@Suite(.temporaryDirectory) struct RecognizedFeatureTests {
  /// A copy whose new feature the service has, and what was sent of it.
  private func sent(_ bed: SyncBed) async throws -> (SyncCopy, PendingUpload) {
    let copy = try await bed.copy("first")
    try await copy.add("New")
    let upload = try await copy.using { try await $0.makeUpload() }
    #expect(try await copy.sync().sent == 1)
    return (copy, PendingUpload(edits: upload.edits, moment: upload.moment))
  }

  private func refusal(
    _ globalID: String?, kind: LocalChange.Kind = .add, isAttachment: Bool = false
  ) -> GeodatabaseDelta.EditResult {
    GeodatabaseDelta.EditResult(
      objectID: nil, globalID: globalID, isSuccess: false, code: 1000, reason: "It is there.",
      kind: kind, layerID: SyncBed.layer, isAttachment: isAttachment)
  }

  private func recognized(
    _ results: [GeodatabaseDelta.EditResult], of pending: PendingUpload, _ copy: SyncCopy
  ) async throws -> [GeodatabaseDelta.EditResult] {
    let service = copy.bed.service
    return try await copy.using { store in
      try await RepeatedFeatures(service: service, store: store)
        .recognized(in: results, of: pending)
    }
  }

  @Test(arguments: [true, false])
  func `A refused feature that the service has counts as received, also where it is not named`(
    _ isNamed: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (copy, pending) = try await sent(bed)
    let id = try #require(pending.edits.first).globalID
    let there = try #require(try await bed.objectID(of: id))
    let results = try await recognized(
      [refusal(isNamed ? id.lowercased() : nil)], of: pending, copy)
    let expected = GeodatabaseDelta.EditResult(
      objectID: there, globalID: id, isSuccess: true, kind: .add, layerID: SyncBed.layer)
    #expect(results == [expected])
  }

  @Test func `Features refused for another reason stay refused`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (copy, pending) = try await sent(bed)
    let id = try #require(pending.edits.first).globalID
    let others = [
      refusal("{11111111-2222-3333-4444-555555555555}"), refusal(id, kind: .update),
      refusal(id, isAttachment: true),
    ]
    #expect(try await recognized(others, of: pending, copy) == others)
    // Without names, more answers than edits say nothing of any.
    let unnamed = [refusal(nil), refusal(nil)]
    #expect(try await recognized(unnamed, of: pending, copy) == unnamed)
  }

  /// Changes of the feature at the service, and whether it is the same to a service that keeps fewer
  /// digits.
  private static let changes: [(String, Bool)] = [
    (
      #""geometry": {"x": -7800000.000001, "y": 5400000, "spatialReference": {"wkid": 102100}}"#,
      true
    ),
    (#""geometry": {"x": -7800001, "y": 5400000, "spatialReference": {"wkid": 102100}}"#, false),
    (#""attributes": {"HEIGHT_FT": 98}"#, false), (#""attributes": {"NAME": "Theirs"}"#, false),
  ]

  @Test(arguments: changes)
  func `A feature that others have changed since is another one, and snapped it is the same`(
    _ change: String, _ isSame: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (copy, pending) = try await sent(bed)
    let id = try #require(pending.edits.first).globalID
    let there = try #require(try await bed.objectID(of: id))
    var members = try #require(try JSONValue(parsing: "{\(change)}").object)
    var attributes = members["attributes"]?.object ?? [:]
    attributes["OBJECTID"] = .integer(there)
    members["attributes"] = .object(attributes)
    let answer = try await bed.edit(["updates": JSONValue.array([.object(members)]).text()])
    #expect(answer["updateResults"]?[0]?["success"]?.bool == true)
    let results = try await recognized([refusal(id)], of: pending, copy)
    #expect(results.map(\.isSuccess) == [isSame])
  }

  @Test func `For a service that does not answer its last description holds`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (copy, pending) = try await sent(bed)
    let refused = [refusal(try #require(pending.edits.first).globalID)]
    let stub = AnsweringTransport(
      inner: bed.transport, path: "/query",
      answer: Data(#"{"error": {"code": 400, "message": "No questions."}}"#.utf8))
    let service = FeatureService(
      url: bed.service.url,
      client: RESTClient(transport: stub, authenticator: AnonymousAuthenticator()))
    let results = try await copy.using { store in
      try await RepeatedFeatures(service: service, store: store).recognized(
        in: refused, of: pending)
    }
    #expect(results == refused)
  }

  @Test(arguments: UnreadableAnswerTests.answers)
  func `An invalid response does not mean that a refused feature is another one`(
    _ answer: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (copy, pending) = try await sent(bed)
    let refused = [refusal(try #require(pending.edits.first).globalID)]
    let stub = AnsweringTransport(
      inner: bed.transport, path: "/query", answer: Data(answer.utf8))
    let service = FeatureService(
      url: bed.service.url,
      client: RESTClient(transport: stub, authenticator: AnonymousAuthenticator()))
    try await copy.using { store in
      let repeated = RepeatedFeatures(service: service, store: store)
      await #expect(throws: PortalError.self) {
        _ = try await repeated.recognized(in: refused, of: pending)
      }
    }
  }

  private static let values: [(AttributeValue, AttributeValue, FieldType, Bool)] = [
    (.integer(3_000_000), .integer(3_000_001), .integer, false),
    (.integer(9_007_199_254_740_993), .integer(9_007_199_254_740_992), .bigInteger, false),
    (.integer(7), .double(7), .integer, true),
    (.double(0.1), .double(0.100_000_001), .single, true),
    (.double(1), .double(1.1), .double, false),
    (
      .date(Date(timeIntervalSince1970: 1.5)), .date(Date(timeIntervalSince1970: 1)), .date, true
    ),
    (
      .date(Date(timeIntervalSince1970: 1)), .date(Date(timeIntervalSince1970: 3)), .date, false
    ),
    (
      .text("{ABCDEF00-2222-3333-4444-555555555555}"),
      .text("abcdef00-2222-3333-4444-555555555555"), .guid, true
    ), (.text("a"), .text("A"), .string, false), (.null, .text(""), .string, false),
    (.text("2026-11-29"), .text("2026-11-30"), .dateOnly, false),
  ]

  @Test(arguments: values)
  func `Values are the same but for what services do to them`(
    _ own: AttributeValue, _ other: AttributeValue, _ type: FieldType, _ isSame: Bool
  ) {
    #expect(RepeatedFeatures.isSame(own, other, type) == isSame)
  }

  // MARK: - Questions

  @Test func `Features are asked for fifty at a time, and each has the id that was asked for`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let ids = try await bed.values().keys.map { SyncCopy.plain($0).lowercased() }.sorted()
    let all = ids + (0..<120).map { _ in UUID().uuidString }
    let listening = ListeningTransport(bed.transport)
    let service = FeatureService(
      url: bed.service.url,
      client: RESTClient(transport: listening, authenticator: AnonymousAuthenticator()))
    let found = try await service.table(SyncBed.layer).objectIDs(ofGlobalIDs: all)
    #expect(Set(found.keys) == Set(ids) && !ids.isEmpty)
    #expect(try await bed.objectID(of: ids[0]) == found[ids[0]])
    let questions = listening.requests.compactMap { $0.parameters["where"] }
      .filter { $0.hasPrefix("GlobalID IN (") }
    #expect(Set(questions).count == (all.count + 49) / 50)
    // Products write global ids in different ways: each is asked for in two.
    #expect(questions.allSatisfy { $0.split(separator: ",").count <= 100 })
    let first = "GlobalID IN ('{\(ids[0].uppercased())}','\(ids[0])',"
    #expect(questions.first?.hasPrefix(first) == true)
  }

  @Test func `Attachments are looked for one feature after the other where they cannot be listed`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let features = try await copy.features()
    try await copy.attach("a.txt", to: features[0].objectID)
    let upload = try await copy.using { try await $0.makeUpload() }
    let file = try #require(upload.edits.first?.attachmentGlobalID)
    _ = try await copy.sync()
    let old = LyingTransport(
      bed.transport,
      answering: { answer in
        guard answer["type"]?.string == "Feature Layer" else { return nil }
        var answer = answer
        answer["supportsQueryAttachments"] = false
        answer["advancedQueryCapabilities"] = nil
        return answer
      })
    let listening = ListeningTransport(old)
    let service = FeatureService(
      url: bed.service.url,
      client: RESTClient(transport: listening, authenticator: AnonymousAuthenticator()))
    var ids: [Int64] = []
    for feature in features[0...1] {
      let id = try #require(SyncCopy.text("GlobalID", feature))
      ids.append(try #require(try await bed.objectID(of: id)))
    }
    let found = try await service.table(SyncBed.layer).attachmentGlobalIDs(of: ids)
    #expect(Set(found.keys) == Set(ids))
    let own = (found[ids[0]] ?? []).compactMap { $0.map(SyncCopy.plain) }
    #expect(own.contains(SyncCopy.plain(file)))
    #expect(
      listening.requests.map(\.url.lastPathComponent).filter { $0 == "attachments" }.count == 2)
  }

  @Test func `An empty id of an attachment does not say which one it is`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let stub = AnsweringTransport(
      inner: bed.transport, path: "ttachments",
      answer: Data(
        #"""
        {"attachmentInfos": [{"id": 1, "globalId": ""}],
          "attachmentGroups": [{"parentObjectId": 1, "attachmentInfos": [{"globalId": ""}]}]}
        """#.utf8))
    let service = FeatureService(
      url: bed.service.url,
      client: RESTClient(transport: stub, authenticator: AnonymousAuthenticator()))
    let found = try await service.table(SyncBed.layer).attachmentGlobalIDs(of: [1])
    #expect(found == [1: [nil]])
  }

  // MARK: - Attachments of which nothing is said

  @Test func `A new attachment that is refused counts as received if the service has it`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.attach("there.txt", to: try await copy.features()[0].objectID)
    let upload = try await copy.using { try await $0.makeUpload() }
    _ = try await copy.sync()
    let there = try #require(upload.edits.first)
    var other = there
    other.attachmentGlobalID = "{11111111-2222-3333-4444-555555555555}"
    let check = AttachmentCheck(service: bed.service)
    for (edit, isThere) in [(there, true), (other, false)] {
      let pending = PendingUpload(edits: [edit], moment: upload.moment)
      let refused = refusal(edit.attachmentGlobalID, isAttachment: true)
      let results = try await check.results(of: pending, [refused])
      #expect(results.map(\.isSuccess) == (isThere ? [true] : []))
      #expect(results.map(\.globalID) == (isThere ? [there.attachmentGlobalID] : []))
    }
  }

  @Test func `The outcome for attachments is read from what the service contains`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    try await copy.attach("there.txt", to: feature.objectID)
    let upload = try await copy.using { try await $0.makeUpload() }
    _ = try await copy.sync()
    let there = try #require(upload.edits.first)
    func edit(
      _ kind: LocalChange.Kind, _ file: String?, of globalID: String? = nil
    ) -> SyncUpload.Edit {
      var edit = there
      edit.kind = kind.rawValue
      edit.attachmentGlobalID = file ?? "{11111111-2222-3333-4444-555555555555}"
      edit.globalID = globalID ?? there.globalID
      return edit
    }
    let file = try #require(there.attachmentGlobalID)
    let gone = "{66666666-7777-8888-9999-AAAAAAAAAAAA}"
    let cases: [(SyncUpload.Edit, Bool?, String)] = [
      (edit(.add, file), true, ""), (edit(.delete, nil), true, ""), (edit(.update, file), nil, ""),
      (edit(.add, nil), false, "The service did not keep the attachment."),
      (edit(.update, nil), false, "The service did not keep the attachment."),
      (edit(.delete, file), false, "The service still has the attachment."),
      (
        edit(.add, file, of: gone), false,
        "The service does not have the feature of the attachment."
      ), (edit(.delete, file, of: gone), true, ""),
    ]
    let check = AttachmentCheck(service: bed.service)
    for (edit, isSuccess, reason) in cases {
      let pending = PendingUpload(edits: [edit], moment: upload.moment)
      let results = try await check.results(of: pending, [])
      #expect(results.map(\.isSuccess) == [isSuccess].compactMap(\.self), "\(edit)")
      guard let result = results.first else { continue }
      #expect(result.isAttachment && result.layerID == SyncBed.layer && result.objectID == nil)
      #expect(result.kind.rawValue == edit.kind && result.globalID == edit.attachmentGlobalID)
      if isSuccess == false { #expect(result.reason == reason, "\(edit)") }
      // The service's own results count.
      #expect(try await check.results(of: pending, results).isEmpty)
    }
  }
}
