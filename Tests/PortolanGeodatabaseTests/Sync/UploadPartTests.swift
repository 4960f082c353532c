import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Edits that go a few at a time, and attachments that are not wanted.
@Suite(.temporaryDirectory) struct UploadPartTests {
  @Test(arguments: [(2, 1 << 20, [2, 1]), (10, 1, [1, 1, 1]), (10, 1 << 20, [3])])
  func `A part holds as many edits as fit, and the others are in the next`(
    _ features: Int, _ bytes: Int, _ counts: [Int]
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "One")
    try await copy.rename(2, in: .sites, "Two")
    try await copy.rename(1, in: .surveys, "Three")
    let limit = SyncUpload.Limit(features: features, bytes: bytes)
    var sent: Set<SyncUpload.Edit> = []
    var sizes: [Int] = []
    while true {
      let part = try await copy.store.makeUpload(within: limit, besides: sent)
      guard !part.isEmpty else { break }
      #expect(sent.isDisjoint(with: part.edits))
      #expect(part.hasMore == (sizes.count < counts.count - 1))
      #expect(part.delta.layers.reduce(0) { $0 + $1.updates.count } == part.edits.count)
      sizes.append(part.edits.count)
      sent.formUnion(part.edits)
    }
    #expect(sizes == counts)
    #expect(try await copy.changes().count == 3)
    await copy.store.close()
  }

  @Test func `Attachments wait for the features that they had no room beside`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "One")
    let file = NewAttachment(
      name: "a", contentType: "text/plain", data: Data(repeating: 7, count: 300))
    _ = try await copy.store.apply([.addAttachment(file, to: .objectID(1), table: "Sites")])
    let limit = SyncUpload.Limit(features: 10, bytes: 200)
    let first = try await copy.store.makeUpload(within: limit)
    #expect(first.edits.map(\.attachmentID) == [nil] && first.hasMore)
    // As long as nothing is known of the feature.
    let none = try await copy.store.makeUpload(within: limit, besides: Set(first.edits))
    #expect(none.isEmpty)
    try await copy.store.finish(
      PendingUpload(edits: first.edits, moment: first.moment),
      results: [
        .init(
          objectID: nil, globalID: SyncedSites.alpha, isSuccess: true, kind: .update, layerID: 0)
      ])
    let second = try await copy.store.makeUpload(within: limit)
    #expect(second.edits.count == 1 && second.edits.first?.attachmentID != nil)
    #expect(!second.hasMore && second.delta.layers.flatMap(\.addedFiles).count == 1)
    await copy.store.close()
  }

  @Test func `Edits of attachments are counted among those that the service has`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "One")
    let file = NewAttachment(name: "a", contentType: "text/plain", data: Data("a".utf8))
    _ = try await copy.store.apply([.addAttachment(file, to: .objectID(1), table: "Sites")])
    let upload = try await copy.store.makeUpload()
    let sent = try await copy.store.finish(
      PendingUpload(edits: upload.edits, moment: upload.moment),
      results: [
        .init(
          objectID: nil, globalID: SyncedSites.alpha, isSuccess: true, kind: .update, layerID: 0)
      ])
    #expect(sent.total == 2 && sent.attachments == 1)
    await copy.store.close()
  }

  @Test(arguments: [SyncReplica.Direction.bidirectional, .download, .upload, .none])
  func `Attachments in a file of changes are taken in where the replica takes any`(
    _ direction: SyncReplica.Direction
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory, attachmentsDirection: direction)
    let delta = GeodatabaseDelta(
      replicaID: UUID(),
      layers: [
        GeodatabaseDelta.Layer(
          layerID: 0, schema: SyncedSites.schema(.sites).alone(named: "Sites"),
          serverGeneration: 2,
          updatedFiles: [
            .init(SyncedSites.photo("theirs"), parentGlobalID: SyncedSites.alpha)
          ])
      ])
    let url = temporaryDirectory.appending(path: "changes.geodatabase")
    try delta.write(to: url, now: SyncedSites.moment) { UUID() }
    let receipt = try await copy.store.receive(
      try GeodatabaseDeltaFile(at: url), layerGenerations: [0: 2], generation: nil)
    let comesIn = direction == .bidirectional || direction == .download
    #expect(receipt.updates == (comesIn ? 1 : 0) && receipt.withheld == 0)
    #expect(try await copy.photo() == (comesIn ? "theirs" : "as it was"))
    await copy.store.close()
  }
}
