import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The outcome of changes of others, where an edit made here holds.
@Suite(.temporaryDirectory) struct OthersChangesTests {
  private static let height = "HEIGHT_FT"

  private func change(
    _ copy: SyncCopy, _ feature: Feature, _ attributes: [String: AttributeValue],
    to shape: GeometryChange = .keep
  ) async throws {
    try await copy.edit(
      .update(
        .objectID(feature.objectID), table: SyncBed.table, attributes: attributes, geometry: shape))
  }

  private func feature(_ id: Int64, in copy: SyncCopy) async throws -> Feature {
    try #require(try await copy.features().first { $0.objectID == id })
  }

  @Test(arguments: [false, true])
  func `Where an edit holds, what others have changed beside it stays`(
    _ isTwice: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let before = try await first.features()[0]
    let place = Geometry.point(Point(x: -7_800_000, y: 5_400_000))
    try await change(first, before, [Self.height: .integer(98)], to: .set(place))
    try await change(second, before, ["NAME": .text("Mine")])
    _ = try await first.sync()
    #expect(try await second.sync().issues.count == 1)
    if isTwice {
      try await change(first, before, [Self.height: .integer(99), "NAME": .text("Theirs")])
      _ = try await first.sync()
      #expect(try await second.sync().issues.count == 1)
    }
    // Until somebody decides, the feature is as it was edited here.
    let waiting = try await feature(before.objectID, in: second)
    #expect(waiting.attributes[Self.height] == before.attributes[Self.height])
    try await second.resolve(try #require(try await second.issues().first), .mine)
    #expect(try await second.sync().sent == 1)
    _ = try await first.sync()
    for copy in [first, second] {
      let after = try await feature(before.objectID, in: copy)
      #expect(after.attributes["NAME"] == .text("Mine"))
      #expect(after.attributes[Self.height] == .integer(isTwice ? 99 : 98))
      #expect(after.geometry != before.geometry)
      #expect(try await copy.edits() == 0)
    }
  }

  @Test func `A value that both have changed is mine where mine holds`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let before = try await first.features()[0]
    try await change(first, before, ["NAME": .text("Theirs"), Self.height: .integer(98)])
    try await change(second, before, ["NAME": .text("Mine"), Self.height: .null])
    _ = try await first.sync()
    _ = try await second.sync()
    try await second.resolve(try #require(try await second.issues().first), .mine)
    _ = try await second.sync()
    _ = try await first.sync()
    let after = try await feature(before.objectID, in: first)
    #expect(after.attributes["NAME"] == .text("Mine"))
    #expect(after.attributes[Self.height] ?? .null == .null)
  }

  @Test func `Exchanged edits are counted for each layer`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let features = try await first.features()
    try await first.add("New")
    try await first.rename(features[0].objectID, "Theirs")
    try await first.delete(features[1].objectID)
    try await second.rename(features[0].objectID, "Mine")
    var sent = OfflineMapSyncResult()
    sent.add(try await first.sync(), path: "first", layers: [SyncBed.table])
    var layer = OfflineMapSyncResult.Layer(table: SyncBed.table)
    layer.sent = 3
    #expect(sent.layers == [layer])
    var received = OfflineMapSyncResult()
    received.add(try await second.sync(), path: "second", layers: [SyncBed.table])
    layer = OfflineMapSyncResult.Layer(table: SyncBed.table)
    (layer.added, layer.removed, layer.conflicts) = (1, 1, 1)
    #expect(received.layers == [layer])
    // A second run adds to the first, and tells what waits then.
    try await second.resolve(try #require(try await second.issues().first), .mine)
    received.add(try await second.sync(), path: "second", layers: [SyncBed.table])
    (layer.sent, layer.conflicts) = (1, 0)
    #expect(received.layers == [layer])
  }
}
