import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Fields that a service has dropped, although nothing comes from it that shows that.
@Suite(.temporaryDirectory) struct DroppedFieldTests {
  /// The service with its layers as somebody has changed them.
  private func client(
    _ bed: SyncBed, changing change: @escaping @Sendable (JSONValue) -> JSONValue?
  ) -> RESTClient {
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard answer["type"]?.string == "Feature Layer" else { return nil }
        var layer = answer
        layer["fields"] = .array((answer["fields"]?.array ?? []).compactMap(change))
        return layer
      })
    return RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
  }

  @Test(
    arguments: [GenerateGeodatabaseParameters.SyncModel.perLayer, .perGeodatabase],
    [GeodatabaseSyncTask.Direction.bidirectional, .upload])
  func `An edit whose field the service has dropped is not sent, and not called sent`(
    _ model: GenerateGeodatabaseParameters.SyncModel, _ direction: GeodatabaseSyncTask.Direction
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first", model: model)
    let before = try await bed.values()
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    let client = client(bed) { $0["name"]?.string == "NAME" ? nil : $0 }
    if model == .perLayer {
      let result = try await copy.sync(direction, through: client)
      #expect(result.sent == 0)
      #expect(result.received.changedFields.map(\.missing) == [["NAME"]])
    } else {
      await #expect(throws: ChangedFields.self) { try await copy.sync(direction, through: client) }
    }
    #expect(try await copy.edits() == 1)
    #expect(try await bed.values() == before)
    // The field is there again.
    #expect(try await copy.sync(direction).sent == 1)
    #expect(try await bed.values().values.contains("Mine"))
  }

  @Test func `A layer is asked for its fields once, however many requests its edits take`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    let upload = try await copy.using { try await $0.makeUpload() }
    let asked = await bed.log.paths.count
    var fields = FieldsAtService(service: bed.service)
    #expect(try await fields.lost(of: upload).isEmpty)
    #expect(await bed.log.paths.count == asked + 1)
    #expect(try await fields.lost(of: upload).isEmpty)
    #expect(await bed.log.paths.count == asked + 1)
  }

  /// A copy of two layers of a service, with an edit in each.
  private func copyOfTwoLayers(_ bed: OfflineJobBed) async throws -> SyncCopy {
    let made = try await bed.make(
      try await bed.parameters(operational: [
        OfflineJobBed.layer(1, "Lighthouses"), OfflineJobBed.layer(0, "Towns"),
      ]))
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let copy = SyncCopy(
      file: made.url.appending(path: path), bed: try await SyncBed(in: temporaryDirectory))
    for table in ["Lighthouses", "Towns"] {
      let feature = try await Geodatabase.open(at: copy.file)
        .features(in: table, matching: QueryParameters(limit: 1)).collect()[0]
      try await copy.edit(
        .update(
          .objectID(feature.objectID), table: table, attributes: ["NAME": .text("Mine")],
          geometry: .keep))
    }
    return copy
  }

  @Test func `Of two layers with edits, the one that lost a field stops and the other is sent`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let copy = try await copyOfTwoLayers(bed)
    let lying = LyingTransport(
      bed.bed.transport,
      answering: { answer in
        guard let layers = answer["layers"]?.array, layers.contains(where: { $0["fields"] != nil })
        else { return nil }
        var changed = answer
        changed["layers"] = .array(layers.map(Self.withoutNameOfLighthouses))
        return changed
      })
    let client = RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
    let result = try await copy.sync(through: client)
    #expect(result.sent == 1)
    #expect(result.received.changedFields.map(\.table) == ["Lighthouses"])
    #expect(try await copy.edits() == 1)
  }

  private static func withoutNameOfLighthouses(_ layer: JSONValue) -> JSONValue {
    guard layer["id"]?.int == SyncBed.layer, case .object(var object) = layer else { return layer }
    object["fields"] = .array(
      (layer["fields"]?.array ?? []).filter { $0["name"]?.string != "NAME" })
    return .object(object)
  }

  @Test func `Edits are not sent to a layer with other shapes that has the number of theirs`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let before = try await bed.values()
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard answer["type"]?.string == "Feature Layer" else { return nil }
        var layer = answer
        layer["geometryType"] = .string("esriGeometryPolyline")
        return layer
      })
    let client = RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
    let result = try await copy.sync(through: client)
    #expect(result.sent == 0)
    let change = try #require(result.received.changedFields.first)
    #expect(change.replacement == .otherShapes && change.stopsExchange)
    #expect(change.errorDescription?.contains("shapes of another type") == true)
    #expect(try await copy.edits() == 1)
    #expect(try await bed.values() == before)
    #expect(try await copy.sync().sent == 1)
  }

  @Test(arguments: [GeodatabaseSyncTask.Direction.bidirectional, .upload])
  func `A layer that was removed at its service does not keep the others from being exchanged`(
    _ direction: GeodatabaseSyncTask.Direction
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let copy = try await copyOfTwoLayers(bed)
    // A service finds fault with the whole of a request that names a layer which it does not have.
    let lying = LyingTransport(
      bed.bed.transport,
      hearing: { form in
        Self.names(SyncBed.layer, in: form)
          ? form.replacing("replicaID=", with: "replicaID=f") : form
      },
      answering: { answer in
        guard let layers = answer["layers"]?.array else { return nil }
        var changed = answer
        changed["layers"] = .array(layers.filter { $0["id"]?.int != SyncBed.layer })
        return changed
      })
    let client = RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
    let result = try await copy.sync(direction, through: client)
    #expect(result.sent == 1)
    #expect(result.received.changedFields.count == 1)
    let change = try #require(result.received.changedFields.first)
    #expect(change.table == "Lighthouses" && change.replacement == .nothing)
    #expect(change.errorDescription?.contains("no such layer any more") == true)
    #expect(try await copy.edits() == 1)
  }

  /// Whether a form names a layer that is to be exchanged.
  private static func names(_ layer: Int, in form: String) -> Bool {
    let items = URLComponents(string: "?\(form)")?.queryItems ?? []
    let list = items.first { $0.name == "syncLayers" }?.value ?? ""
    // Other requests name none.
    let layers = (try? JSONValue(parsing: list))?.array ?? []
    return layers.contains { $0["id"]?.int == layer }
  }

  @Test func `What a service calls by other letters, or keeps to itself, keeps no edit`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    let client = client(bed) { field in
      guard let name = field["name"]?.string, case .object(var object) = field else { return nil }
      let type = object["type"]?.string ?? ""
      guard !["esriFieldTypeOID", "esriFieldTypeGlobalID", "esriFieldTypeDate"].contains(type)
      else { return nil }
      object["name"] = .string(name.lowercased())
      return .object(object)
    }
    let result = try await copy.sync(through: client)
    #expect(result.sent == 1 && result.received.changedFields.isEmpty)
    #expect(try await copy.edits() == 0)
  }

  @Test func `A service that does not say which fields it has gets the edits`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    await bed.state.add(
      DemoFault(.failure(.badRequest("no questions")), path: "*/FeatureServer/1", count: 1))
    #expect(try await copy.sync().sent == 1)
  }
}
