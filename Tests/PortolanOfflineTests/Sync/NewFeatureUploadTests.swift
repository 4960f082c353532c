import DemoPortal
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

/// New features of areas that send them without a registration: in several requests, each of which may break
/// off.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct NewFeatureUploadTests {
  private func area() async throws -> UpdatedArea {
    try await UpdatedArea(in: temporaryDirectory, .downloadScheduledUpdatesAndUploadNewFeatures)
  }

  /// Adds features, some of them with an attachment.
  private func add(
    _ names: [String], withFiles owners: Set<String> = [], to area: UpdatedArea
  ) async throws {
    try await area.using { store in
      for name in names {
        let added = NewFeature(
          attributes: ["NAME": .text(name)],
          geometry: .point(.init(x: -7_800_000, y: 5_400_000)))
        let id = try await store.apply([.add(added, table: UpdatedArea.table)])[0].objectID
        guard owners.contains(name) else { continue }
        let file = NewAttachment(
          name: "\(name).txt", contentType: "text/plain", data: Data(repeating: 65, count: 30_000))
        _ = try await store.apply([
          .addAttachment(file, to: .objectID(id), table: UpdatedArea.table)
        ])
      }
    }
  }

  private func changes(_ area: UpdatedArea) async throws -> Int {
    try await area.using { try await $0.localChanges().changes.count }
  }

  private func isPending(_ area: UpdatedArea) async throws -> Bool {
    try await area.using { try await $0.pendingUpload() != nil }
  }

  private func table(_ area: UpdatedArea) async throws -> ServiceFeatureTable {
    let url = try #require(URL(string: OfflineJobBed.service("ExploreMaine")))
    return try await FeatureService(url: url, client: area.bed.bed.portal.client).table(1)
  }

  /// The names of the new features that the service has.
  private func arrived(_ area: UpdatedArea) async throws -> [String] {
    var names: [String] = []
    let query = ServiceQueryParameters(whereClause: "NAME LIKE 'New Light%'")
    for try await page in try await table(area).pages(matching: query) {
      names += page.features.compactMap { SyncCopy.text("NAME", $0) }
    }
    return names.sorted()
  }

  @Test(arguments: [0, 1, 2], [DemoFault.Kind.cut(after: 1), .drop])
  func `They go a few at a time, and each once, wherever that breaks off`(
    _ requests: Int, _ kind: DemoFault.Kind
  ) async throws {
    let area = try await area()
    let names = (1...5).map { "New Light \($0)" }
    try await add(names, withFiles: [names[1]], to: area)
    let (state, transport) = (area.bed.bed.state, area.bed.bed.transport)
    let limit = SyncUpload.Limit(features: 2, bytes: 1 << 20)
    let fault = await state.add(DemoFault(kind, path: "*/applyEdits", skip: requests))
    await #expect(throws: PortalError.self) {
      try await area.update(through: transport, limit: limit)
    }
    await state.removeFaults(fault)
    #expect(try await isPending(area))
    #expect(try await changes(area) == 5 - 2 * requests)
    _ = try await area.update(through: transport, limit: limit)
    #expect(try await changes(area) == 0)
    #expect(try await !isPending(area))
    #expect(try await arrived(area) == names)
    let ids = try await table(area).objectIDs(
      matching: ServiceQueryParameters(whereClause: "NAME = 'New Light 2'"))
    #expect(try await table(area).attachments(of: try #require(ids.first)).count == 1)
  }

  @Test(arguments: [(10, 1 << 20, 1), (2, 1 << 20, 2), (10, 50_000, 2), (10, 1, 4)])
  func `A request takes as many as fit, with all of their attachments`(
    _ features: Int, _ bytes: Int, _ count: Int
  ) async throws {
    let area = try await area()
    let names = (1...4).map { "New Light \($0)" }
    try await add(names, withFiles: [names[1], names[2]], to: area)
    let listening = ListeningTransport(area.bed.bed.transport)
    let limit = SyncUpload.Limit(features: features, bytes: bytes)
    #expect(try await area.update(through: listening, limit: limit).sent == 6)
    let requests = listening.requests.filter { $0.url.lastPathComponent == "applyEdits" }
    #expect(requests.count == count)
    #expect(try await changes(area) == 0)
    #expect(try await arrived(area) == names)
  }

  /// A new feature of which it was written down that it is sent.
  private func sentInVain(to area: UpdatedArea) async throws {
    try await add(["New Light"], to: area)
    try await area.using { store in
      let upload = try await store.makeUploadOfNewFeatures(.default)
      try await store.setPendingUpload(PendingUpload(edits: upload.edits, moment: upload.moment))
    }
  }

  @Test(arguments: UnreadableAnswerTests.answers)
  func `One without an answer is looked for again, and sent again after some hours`(
    _ answer: String
  ) async throws {
    let area = try await area()
    try await sentInVain(to: area)
    let transport = AnsweringTransport(
      inner: area.bed.bed.transport, path: "/query", answer: Data(answer.utf8))
    for hours in [0, 5] {
      let moment = DemoBed.day.addingTimeInterval(Double(hours) * 3600)
      await #expect(throws: PortalError.self) {
        try await area.update(through: transport, at: moment)
      }
      #expect(try await isPending(area))
    }
    let later = DemoBed.day.addingTimeInterval(7 * 3600)
    #expect(try await area.update(through: transport, at: later).sent == 1)
    #expect(try await arrived(area) == ["New Light"])
    #expect(try await !isPending(area))
  }

  @Test func `What has arrived is found out before updates come in, also where nothing is sent`()
    async throws
  {
    let area = try await area()
    try await add(["New Light 1"], to: area)
    let (state, transport) = (area.bed.bed.state, area.bed.bed.transport)
    let fault = await state.add(DemoFault(.cut(after: 1), path: "*/applyEdits"))
    await #expect(throws: PortalError.self) { try await area.update(through: transport) }
    await state.removeFaults(fault)
    try await add(["New Light 2"], to: area)
    #expect(try await area.update(.download, through: transport).sent == 1)
    #expect(try await !isPending(area))
    #expect(try await changes(area) == 1)
    #expect(try await arrived(area) == ["New Light 1"])
  }

  /// The attachments of a feature, all of them of others.
  private static func ofOthers(_ group: JSONValue) -> JSONValue {
    var members = group.object ?? [:]
    let infos = (group["attachmentInfos"]?.array ?? []).map { entry -> JSONValue in
      var info = entry.object ?? [:]
      for name in info.names where name.lowercased() == "globalid" {
        info[name] = .string("{\(UUID().uuidString)}")
      }
      return .object(info)
    }
    members["attachmentInfos"] = .array(infos)
    return .object(members)
  }

  @Test(arguments: [false, true])
  func `Of attachments whose answer was lost each counts as sent that is there`(
    _ hasOthers: Bool
  ) async throws {
    let area = try await area()
    let names = ["New Light 1", "New Light 2"]
    try await add(names, withFiles: Set(names), to: area)
    let (state, transport) = (area.bed.bed.state, area.bed.bed.transport)
    let fault = await state.add(DemoFault(.cut(after: 1), path: "*/applyEdits"))
    await #expect(throws: PortalError.self) { try await area.update(through: transport) }
    await state.removeFaults(fault)
    let lying = LyingTransport(
      transport,
      answering: { answer in
        guard let groups = answer["attachmentGroups"]?.array else { return nil }
        var answer = answer
        let others = hasOthers ? groups.suffix(1).map(Self.ofOthers) : []
        answer["attachmentGroups"] = .array(groups.dropLast() + others)
        return answer
      })
    #expect(try await area.update(through: lying).sent == 3)
    #expect(try await changes(area) == 1)
    #expect(try await !isPending(area))
    #expect(try await arrived(area) == names)
  }

  @Test func `Attachments of which a service does not tell whether it has them are not sent twice`()
    async throws
  {
    let area = try await area()
    try await add(["New Light"], withFiles: ["New Light"], to: area)
    try await area.using { store in
      let row = QueryParameters(whereClause: "NAME = 'New Light'")
      let id = try #require(
        try await store.features(in: UpdatedArea.table, matching: row).collect().first
      ).objectID
      let file = NewAttachment(name: "b.txt", contentType: "text/plain", data: Data("b".utf8))
      _ = try await store.apply([.addAttachment(file, to: .objectID(id), table: UpdatedArea.table)])
    }
    let (state, transport) = (area.bed.bed.state, area.bed.bed.transport)
    let fault = await state.add(DemoFault(.cut(after: 1), path: "*/applyEdits"))
    await #expect(throws: PortalError.self) { try await area.update(through: transport) }
    await state.removeFaults(fault)
    // It lists one of two, and not which.
    let vague = LyingTransport(
      transport,
      answering: { answer in
        guard let groups = answer["attachmentGroups"]?.array else { return nil }
        var answer = answer
        answer["attachmentGroups"] = .array(
          groups.map { group in
            var members = group.object ?? [:]
            members["attachmentInfos"] = [["id": 1, "name": "one.txt"]]
            return .object(members)
          })
        return answer
      })
    let listening = ListeningTransport(vague)
    for _ in 0..<2 { _ = try await area.update(through: listening) }
    #expect(!listening.requests.contains { $0.url.lastPathComponent == "applyEdits" })
    #expect(try await changes(area) == 1)
    #expect(try await area.update(through: transport).sentEdits.attachments == 2)
    #expect(try await changes(area) == 0)
  }

  @Test func `New features are not sent twice where the service cannot be queried`() async throws {
    let area = try await area()
    try await add(["New Light"], to: area)
    let (state, transport) = (area.bed.bed.state, area.bed.bed.transport)
    let fault = await state.add(DemoFault(.cut(after: 1), path: "*/applyEdits"))
    await #expect(throws: PortalError.self) { try await area.update(through: transport) }
    await state.removeFaults(fault)
    let silent = AnsweringTransport(
      inner: transport, path: "/query",
      answer: Data(#"{"error": {"code": 400, "message": "No questions."}}"#.utf8))
    let result = try await area.update(through: silent)
    #expect(result.sent == 0 && result.issues.map(\.kind) == [.rejected])
    #expect(try await arrived(area) == ["New Light"])
    #expect(try await changes(area) == 1)
  }

  @Test func `A field that the service has lost keeps those with a value in it here`() async throws
  {
    let area = try await area()
    try await add(["New Light"], to: area)
    let lying = LyingTransport(
      area.bed.bed.transport,
      answering: { answer in
        guard answer["type"]?.string == "Feature Layer", let fields = answer["fields"]?.array
        else { return nil }
        var answer = answer
        answer["fields"] = .array(fields.filter { $0["name"]?.string != "NAME" })
        return answer
      })
    let result = try await area.update(through: lying)
    #expect(result.sent == 0 && result.received.changedFields.map(\.missing) == [["NAME"]])
    #expect(try await arrived(area).isEmpty)
    #expect(try await changes(area) == 1)
    #expect(try await area.update(through: area.bed.bed.transport).sent == 1)
  }
}
