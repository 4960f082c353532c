import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The edits that are left, kept from one request of an upload to the next.
@Suite(.temporaryDirectory) struct UploadPlanTests {
  /// The content of a request, and whether there was more.
  private struct Request: Hashable {
    var edits: [SyncUpload.Edit]
    var hasMore: Bool
  }

  private static let edits: [FeatureEdit] = [
    .update(.objectID(1), table: "Sites", attributes: ["NAME": .text("One")], geometry: .keep),
    .update(.objectID(2), table: "Sites", attributes: ["NAME": .text("Two")], geometry: .keep),
    .update(.objectID(1), table: "Surveys", attributes: ["NAME": .text("Three")], geometry: .keep),
    .update(
      .objectID(1), table: "Surveys", attributes: ["PARENT": .text(SyncedSites.id(2))],
      geometry: .keep),
    .update(
      .objectID(1), table: "Samples", attributes: ["PARENT": .text(SyncedSites.otherSurvey)],
      geometry: .keep),
    .update(.objectID(1), table: "Notes", attributes: ["NAME": .text("Four")], geometry: .keep),
    .delete(.objectID(2), table: "Surveys"), .delete(.objectID(1), table: "Notes"),
    .updateAttachment(
      1, NewAttachment(name: "b.txt", contentType: "text/plain", data: Data("b".utf8)),
      table: "Sites"),
    .delete(.objectID(1), table: "Sites"), .delete(.objectID(2), table: "Sites"),
  ]

  /// Some of the edits, which a number names.
  private static func edits(_ number: Int) -> [FeatureEdit] {
    edits.enumerated().filter { number >> $0.offset & 1 == 1 }.map(\.element)
  }

  /// Sends what was edited, two edits at a time; the service refuses some edits and says nothing of others.
  private func requests(
    of copy: SyncedSites, _ number: Int, findingOutAnew: Bool
  ) async throws -> [Request] {
    var (requests, sent): ([Request], Set<SyncUpload.Edit>) = ([], [])
    let limit = SyncUpload.Limit(features: 2, bytes: 1 << 20)
    while true {
      let upload = try await copy.store.makeUpload(within: limit, besides: sent)
      requests.append(Request(edits: upload.edits, hasMore: upload.hasMore))
      try #require(requests.count < 30)
      guard !upload.isEmpty else { return requests }
      let pending = PendingUpload(upload)
      try await copy.store.setPendingUpload(pending)
      let results = upload.edits.compactMap { edit -> GeodatabaseDelta.EditResult? in
        let isFile = edit.attachmentID != nil
        // The choice depends on the edit and the number, and on nothing else.
        let word = (Int(edit.objectID) &+ edit.layerID &* 3 &+ number / 7 &+ (isFile ? 1 : 0)) % 6
        guard word != 0, !isFile else { return nil }
        return GeodatabaseDelta.EditResult(
          objectID: nil, globalID: edit.globalID, isSuccess: word != 1, code: word == 1 ? 1000 : 0,
          reason: "", kind: LocalChange.Kind(rawValue: edit.kind) ?? .update,
          layerID: edit.layerID)
      }
      // Whatever writes something else has the edits found out anew.
      if findingOutAnew { try await copy.store.setRequestedCopy(nil) }
      try await copy.store.finish(pending, results: results, isCertain: number % 2 == 0)
      if findingOutAnew { try await copy.store.setRequestedCopy(nil) }
      guard upload.hasMore else { return requests }
      sent.formUnion(upload.edits)
    }
  }

  @Test(arguments: Array(stride(from: 3, to: 1 << 11, by: 29)))
  func `Requests hold the same edits as if these were found out anew for each`(
    _ number: Int
  ) async throws {
    var (requests, changes): ([[Request]], [[LocalChange]]) = ([], [])
    var names: [[[String]]] = []
    for isAnew in [false, true] {
      let folder = temporaryDirectory.appending(path: "\(isAnew)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let copy = try SyncedSites(in: folder)
      for edit in Self.edits(number) {
        // Of what is gone by then nothing is edited.
        do { _ = try await copy.store.apply([edit]) } catch { continue }
      }
      requests.append(try await self.requests(of: copy, number, findingOutAnew: isAnew))
      changes.append(try await copy.changes())
      // To give up what is left shows what each row was when it was synchronized.
      while let issue = try await copy.store.syncIssues().first {
        try await copy.store.resolve(issue.id, as: .theirs)
      }
      names.append(try await copy.names() + [["\(String(describing: try await copy.noted()))"]])
      await copy.store.close()
    }
    #expect(requests[0] == requests[1])
    #expect(changes[0] == changes[1])
    #expect(names[0] == names[1])
  }

  // MARK: - How long it is kept

  private func kept(_ copy: SyncedSites) async throws -> [[Int64]]? {
    try await copy.store.keptEdits()
  }

  /// The service carries out a request, or refuses some of it.
  private func send(
    _ copy: SyncedSites, refusing refused: Set<String> = []
  ) async throws -> SyncUpload {
    let upload = try await copy.store.makeUpload(
      within: SyncUpload.Limit(features: 1, bytes: 1 << 20))
    let pending = PendingUpload(upload)
    try await copy.store.setPendingUpload(pending)
    try await copy.store.finish(pending, results: upload.results(refusing: refused))
    return upload
  }

  @Test(arguments: [false, true])
  func `Edits that are left are kept for the next request, whether or not one is refused`(
    _ isRefused: Bool
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "One")
    try await copy.rename(2, in: .sites, "Two")
    try await copy.rename(1, in: .notes, "Three")
    _ = try await send(copy, refusing: isRefused ? [SyncedSites.alpha] : [])
    #expect(try await kept(copy) == [[2], [], [], [1]])
    _ = try await send(copy, refusing: isRefused ? [SyncedSites.id(2)] : [])
    #expect(try await kept(copy) == [[], [], [], [1]])
    await copy.store.close()
  }

  @Test func `What waits for a deletion is kept, and goes once that has arrived`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(2, in: .sites, "Two")
    try await copy.deleteAlpha()
    _ = try await copy.store.makeUpload(within: SyncUpload.Limit(features: 1, bytes: 1 << 20))
    #expect(try await kept(copy) == [[1, 2], [], [], []])
    #expect(try await send(copy).edits.map(\.globalID) == [SyncedSites.alpha])
    #expect(try await kept(copy) == [[2], [1, 2], [], [1]])
    await copy.store.close()
  }

  @Test(arguments: [false, true])
  func `Edits are found out anew once something else has changed the file`(
    _ isOtherProgram: Bool
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "One")
    try await copy.rename(2, in: .sites, "Two")
    _ = try await send(copy)
    let third = FeatureEdit.update(
      .objectID(1), table: "Notes", attributes: ["NAME": .text("Three")], geometry: .keep)
    if isOtherProgram {
      let other = try EditableGeodatabase.open(
        at: copy.url, now: { SyncedSites.moment.addingTimeInterval(90) }, makeID: { UUID() })
      _ = try await other.apply([third])
      await other.close()
    } else {
      _ = try await copy.store.apply([third])
    }
    let upload = try await copy.store.makeUpload(
      within: SyncUpload.Limit(features: 9, bytes: 1 << 20))
    #expect(upload.edits.map(\.globalID) == [SyncedSites.id(2), SyncedSites.note])
    await copy.store.close()
  }

  @Test func `Edits are kept with their tables as another program has left them`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "One")
    try await copy.rename(2, in: .sites, "Two")
    try Connection(at: copy.url, access: .edit).execute("ALTER TABLE Sites ADD COLUMN extra TEXT")
    _ = try await send(copy)
    let columns = try await copy.store.session.reader.edit { editing throws(FeatureEditError) in
      editing.uploadPlan?.queues.first?.table.plainColumns
    }
    #expect(columns?.contains("extra") == true)
    await copy.store.close()
  }

  @Test func `An upload that ends after another one was made takes along what it has deleted`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.deleteAlpha()
    try await copy.rename(2, in: .sites, "Two")
    let limit = SyncUpload.Limit(features: 1, bytes: 1 << 20)
    let first = try await copy.store.makeUpload(within: limit)
    let second = try await copy.store.makeUpload(within: limit, besides: Set(first.edits))
    #expect(first.edits.map(\.globalID) == [SyncedSites.alpha])
    #expect(second.edits.map(\.globalID) == [SyncedSites.id(2)])
    try await copy.store.finish(PendingUpload(first), results: first.results())
    let photos = try await copy.store.session.reader.edit { editing throws(FeatureEditError) in
      try editing.file.rows("SELECT count(*) FROM Sites__ATTACH", in: "a test")
    }
    #expect(photos == [[SQLValue.integer(0)]])
    await copy.store.close()
  }

  @Test func `A refused deletion holds back what was added again under the same global id`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let id = try #require(UUID(uuidString: SyncedSites.id(2).plainID))
    let other = try EditableGeodatabase.open(
      at: copy.url, now: { SyncedSites.moment.addingTimeInterval(90) }, makeID: { id })
    _ = try await other.apply([.delete(.objectID(2), table: "Sites")])
    _ = try await other.apply([
      .add(NewFeature(attributes: ["NAME": .text("Again")]), table: "Sites")
    ])
    await other.close()
    let upload = try await send(copy, refusing: [SyncedSites.id(2)])
    #expect(upload.edits.map(\.kind) == ["delete"] && upload.hasMore)
    #expect(try await copy.store.makeUpload().isEmpty)
    await copy.store.close()
  }
}

extension EditableGeodatabase {
  /// The features whose edits are kept for the next request, by their table.
  func keptEdits() async throws -> [[Int64]]? {
    try await session.reader.edit { editing throws(FeatureEditError) in
      editing.uploadPlan?.queues.map { $0.edits.map(\.objectID) }
    }
  }
}

extension SyncUpload {
  /// What a service says that has carried it out, or refuses some of it.
  func results(refusing refused: Set<String> = []) -> [GeodatabaseDelta.EditResult] {
    edits.map { edit in
      GeodatabaseDelta.EditResult(
        objectID: nil, globalID: edit.globalID, isSuccess: !refused.contains(edit.globalID),
        code: 1000, reason: "", kind: LocalChange.Kind(rawValue: edit.kind) ?? .update,
        layerID: edit.layerID)
    }
  }
}
