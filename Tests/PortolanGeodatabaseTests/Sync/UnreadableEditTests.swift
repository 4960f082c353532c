import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Edits of features whose shapes cannot be read: sent without these, they would have none at the service.
@Suite(.temporaryDirectory) struct UnreadableEditTests {
  private static let schema = FeatureTableSchema(
    name: "Places", geometryType: .point, spatialReference: .wgs84,
    fields: [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("NAME", .string, length: 40),
      Field("GlobalID", .globalID, isNullable: false, isEditable: false),
    ], globalIDField: "GlobalID", isChangeTracked: true, serviceLayerID: 0)

  /// Three places that were edited, of which the first has lost its shape since.
  private func places() async throws -> EditableGeodatabase {
    let url = temporaryDirectory.appending(path: "places.geodatabase")
    let definition = GeodatabaseDefinition(
      name: "Places", capabilities: "Create,Delete,Query,Sync,Update",
      tables: [GeodatabaseDefinition.Table(Self.schema)],
      syncReplica: SyncReplica(
        name: "copy", replicaID: UUID(), serviceURL: "https://demo.test/Places/FeatureServer",
        owner: "me", created: SyncedSites.moment,
        layers: [SyncReplica.Layer(layerID: 0, serverGeneration: 1)]))
    let writer = try GeodatabaseWriter(at: url, definition, now: SyncedSites.moment) { UUID() }
    for number in 1...3 {
      _ = try writer.append(
        Feature(
          objectID: 0,
          attributes: Attributes(
            FieldList(Self.schema.fields), [.null, .text("A"), .text(SyncedSites.id(number))]),
          geometry: .point(Point(x: Double(number), y: 45))), to: "Places")
    }
    try writer.finish()
    let store = try EditableGeodatabase.open(
      at: url, now: { SyncedSites.moment.addingTimeInterval(60) }, makeID: { UUID() })
    for number in 1...3 {
      _ = try await store.apply([
        .update(
          .objectID(Int64(number)), table: "Places", attributes: ["NAME": .text("Mine")])
      ])
    }
    // It begins as shapes do, and is of no class that there is.
    let shape = "64" + String(repeating: "00", count: 17)
    try Connection(at: url, access: .edit).execute(
      "UPDATE Places SET Shape = x'\(shape)' WHERE OBJECTID = 1")
    return store
  }

  @Test(arguments: [nil, SyncUpload.Limit(features: 1, bytes: 1 << 20)])
  func `They stay, are listed, and keep no others from being sent`(
    _ limit: SyncUpload.Limit?
  ) async throws {
    let store = try await places()
    var sent: Set<SyncUpload.Edit> = []
    while true {
      let upload = try await store.makeUpload(within: limit, besides: sent)
      guard !upload.isEmpty else { break }
      #expect(upload.delta.layers.flatMap(\.updates).allSatisfy { $0.geometry != nil })
      #expect(upload.delta.layers.flatMap(\.updates).count == upload.edits.count)
      sent.formUnion(upload.edits)
    }
    #expect(sent.map(\.objectID).sorted() == [2, 3])
    let left = try await store.unsynchronizedTables()
    #expect(left.map(\.reason) == [.featuresWithUnreadableShapes])
    #expect(left.first?.edits == 1 && left.first?.table == "Places")
    #expect(try await store.localChanges().changes.count == 3)
    await store.close()
  }
}
