import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The new features that are left, kept from one request to the next where nothing else is sent.
@Suite(.temporaryDirectory) struct NewFeaturePlanTests {
  /// What went in a request, and whether there was more.
  private struct Request: Hashable {
    var edits: [SyncUpload.Edit]
    var hasMore: Bool
  }

  private static let unregistered = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// Adds features in two tables, some with attachments, and edits others.
  private func addAndEdit(_ copy: SyncedSites) async throws {
    for number in 0..<7 {
      let table = number % 3 == 0 ? "Notes" : "Sites"
      let added = NewFeature(attributes: ["NAME": .text("\(number)")])
      let id = try await copy.store.apply([.add(added, table: table)])[0].objectID
      guard table == "Sites", number % 2 == 0 else { continue }
      let file = NewAttachment(
        name: "\(number)", contentType: "text/plain", data: Data(repeating: 7, count: 300))
      _ = try await copy.store.apply([.addAttachment(file, to: .objectID(id), table: table)])
    }
    try await copy.rename(2, in: .sites, "Edited")
    try await copy.deleteAlpha()
  }

  /// Sends new features, three at a time; the service refuses some, says nothing of others, and keeps only some
  /// attachments.
  private func newFeatures(
    of copy: SyncedSites, _ number: Int, findingOutAnew: Bool
  ) async throws -> [Request] {
    var (requests, sent, round): ([Request], Set<String>, Int) = ([], [], 0)
    let limit = SyncUpload.Limit(features: 3, bytes: 1_500)
    // What did not arrive goes with the next synchronization.
    while round < 3 {
      let lacking = try await copy.store.attachmentsLackedByService()
      while true {
        let upload = try await copy.store.makeUploadOfNewFeatures(
          limit, besides: sent, with: lacking)
        requests.append(Request(edits: upload.edits, hasMore: upload.hasMore))
        try #require(requests.count < 60)
        guard !upload.isEmpty else { break }
        if !findingOutAnew, upload.hasMore { #expect(try await copy.store.keptEdits() != nil) }
        let pending = PendingUpload(upload)
        try await copy.store.setPendingUpload(pending)
        let results = upload.edits.compactMap { edit -> GeodatabaseDelta.EditResult? in
          let isFile = edit.attachmentID != nil
          let word = (Int(edit.objectID) &+ edit.layerID &+ number &+ round) % 5
          guard word != 0 else { return nil }
          return GeodatabaseDelta.EditResult(
            objectID: nil, globalID: isFile ? edit.attachmentGlobalID : edit.globalID,
            isSuccess: word != 1, code: word == 1 ? 1000 : 0, reason: "", kind: .add,
            layerID: edit.layerID, isAttachment: isFile)
        }
        if findingOutAnew { try await copy.store.setRequestedCopy(nil) }
        try await copy.store.finish(pending, results: results, isCertain: false)
        if findingOutAnew { try await copy.store.setRequestedCopy(nil) }
        guard upload.hasMore else { break }
        sent.formUnion(upload.edits.map(\.globalID))
      }
      (sent, round) = ([], round + 1)
    }
    return requests
  }

  @Test(arguments: 0..<5)
  func `Requests of new features hold the same as if these were found out anew for each`(
    _ number: Int
  ) async throws {
    var (requests, changes): ([[Request]], [[LocalChange]]) = ([], [])
    for isAnew in [false, true] {
      let folder = temporaryDirectory.appending(path: "\(isAnew)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let copy = try SyncedSites(in: folder, makeID: SeededIDs(seed: 7).id)
      try await copy.store.setReplica(Self.unregistered, named: "")
      try await addAndEdit(copy)
      requests.append(try await newFeatures(of: copy, number, findingOutAnew: isAnew))
      changes.append(try await copy.changes())
      await copy.store.close()
    }
    #expect(requests[0] == requests[1])
    #expect(changes[0] == changes[1])
    #expect(requests[0].contains { $0.edits.contains { $0.attachmentID != nil } })
  }

  @Test func `What others write ends what is kept of new features`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    for name in ["One", "Two", "Three"] {
      _ = try await copy.store.apply([
        .add(NewFeature(attributes: ["NAME": .text(name)]), table: "Sites")
      ])
    }
    let limit = SyncUpload.Limit(features: 1, bytes: 1 << 20)
    let first = try await copy.store.makeUploadOfNewFeatures(limit)
    try await copy.store.finish(PendingUpload(first), results: first.results())
    #expect(try await copy.store.keptEdits()?[0].count == 2)
    let other = try EditableGeodatabase.open(
      at: copy.url, now: { SyncedSites.moment.addingTimeInterval(90) }, makeID: { UUID() })
    let second = try #require(try await copy.store.keptEdits()?[0].first)
    _ = try await other.apply([.delete(.objectID(second), table: "Sites")])
    await other.close()
    let rest = try await copy.store.makeUploadOfNewFeatures(.default)
    #expect(rest.delta.layers.flatMap(\.adds).map { $0.attributes["NAME"] } == [.text("Three")])
    // All edits are another matter.
    #expect(try await copy.store.makeUpload().edits.count == 1)
    await copy.store.close()
  }
}
