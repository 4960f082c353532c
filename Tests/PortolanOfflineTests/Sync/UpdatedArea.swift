import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import DemoPortal
@testable import PortolanGeodatabase
@testable import PortolanOffline

/// An area that was downloaded, and what it consists of.
struct UpdatedArea {
  static let table = "Lighthouses"

  let bed: OfflineJobBed
  let map: MapID
  let package: PortalItem.ID

  /// Downloads the area with a mode of updates.
  init(
    in folder: URL, _ mode: DownloadPreplannedOfflineMapParameters.UpdateMode
  ) async throws {
    bed = try await OfflineJobBed(in: folder)
    let task = bed.bed.task
    let areas = try await task.preplannedMapAreas()
    let area = try #require(areas.first { $0.portalItem.title == "Casco Bay" })
    let packages = try await task.packages(of: area)
    package = try #require(packages.first { $0.kind == .geodatabase }).id
    let parameters = DownloadPreplannedOfflineMapParameters(
      portal: bed.bed.portal.url, webMap: bed.bed.webMap.text, area: area.id.text, updateMode: mode)
    _ = try await bed.run(try OfflineJobOrder(parameters, title: "Casco Bay"))
    map = try #require(MapID(area.id.text))
  }

  /// Does something with the geodatabase.
  func using<Value: Sendable>(
    _ body: (EditableGeodatabase) async throws -> Value
  ) async throws -> Value {
    let lease = try await bed.bed.library.open(map)
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: lease.url).first)
    let store = try EditableGeodatabase.open(
      at: lease.url.appending(path: path), now: { DemoBed.day }, makeID: { UUID() })
    let value = try await body(store)
    await store.close()
    return value
  }

  func first() async throws -> Feature {
    try await using { store in
      try #require(
        try await store.features(in: Self.table, matching: QueryParameters(limit: 1)).collect()
          .first)
    }
  }

  /// Adds a feature here, called "New Light", if wanted with an attachment of a letter.
  func addLight(withFile name: String? = nil) async throws {
    let added = NewFeature(
      attributes: ["NAME": .text("New Light")],
      geometry: .point(.init(x: -7_800_000, y: 5_400_000)))
    try await using { store in
      let id = try await store.apply([.add(added, table: Self.table)])[0].objectID
      guard let name else { return }
      let file = NewAttachment(name: name, contentType: "text/plain", data: Data("a".utf8))
      _ = try await store.apply([.addAttachment(file, to: .objectID(id), table: Self.table)])
    }
  }

  /// Renames a feature here.
  func rename(_ feature: Feature, to name: String) async throws {
    try await using { store in
      _ = try await store.apply([
        .update(
          .objectID(feature.objectID), table: Self.table, attributes: ["NAME": .text(name)],
          geometry: .keep)
      ])
    }
  }

  /// The generations of the layers, by their tables.
  func generations() async throws -> [String: Int64] {
    let layers = try await using { try await $0.syncState()?.layers }
    return Dictionary(
      (layers ?? []).map { ($0.table, $0.serverGeneration) },
      uniquingKeysWith: { first, _ in first })
  }

  func sync(
    _ direction: GeodatabaseSyncTask.Direction = .bidirectional
  ) async throws -> OfflineMapSyncResult {
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(
        portal: bed.bed.portal.url, map: map.text, direction: direction), title: "Casco Bay")
    return try #require(OfflineMapSyncResult(of: try await bed.run(order).job))
  }

  /// Brings the geodatabase up to date by other requests than the bed's.
  func update(
    _ direction: GeodatabaseSyncTask.Direction = .bidirectional,
    through transport: any HTTPTransport, limit: SyncUpload.Limit = .default, at moment: Date? = nil
  ) async throws -> GeodatabaseSyncTask.Result {
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let lease = try await bed.bed.library.open(map)
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: lease.url).first)
    let own = bed.bed.environment.surroundings
    let date = moment ?? own.now()
    let surroundings = OfflineSurroundings(
      freeSpace: own.freeSpace, clock: own.clock, now: { date }, chance: own.chance,
      makeID: own.makeID)
    let task = ScheduledUpdateTask(
      name: path, entry: try #require(PreplannedModes(of: lease.url)[path]),
      portal: Portal(url: bed.bed.portal.url, client: client), folder: bed.folder,
      surroundings: surroundings, limit: limit)
    return try await OfflineMapSyncTask.using(lease.url.appending(path: path), surroundings) {
      store in
      var result = GeodatabaseSyncTask.Result()
      try await task.update(store, direction, &result)
      return result
    }
  }

  /// Lets the portal keep no updates up to a generation.
  func purge(_ generation: Int64, asText isText: Bool = false) async throws {
    var item = try #require(await bed.bed.state.item(package.text))
    var properties = item.properties.object ?? [:]
    properties["lastPurgedGen"] = isText ? .string("\(generation)") : .integer(generation)
    item.properties = .object(properties)
    await bed.bed.state.put(item)
  }

  /// Takes a delta away.
  func withdraw(_ generation: Int64) async throws {
    var item = try #require(await bed.bed.state.item(package.text))
    item.resources.removeAll { $0.name == "d_\(generation).geodatabase" }
    await bed.bed.state.put(item)
  }

  /// Puts a delta beside the package that renames a feature, or else removes one that is nowhere; rows
  /// come without a field that the service has lost.
  func publish(
    _ generation: Int64, renaming feature: Feature?, to name: String = "",
    without field: String? = nil, generationInFile: Int64? = nil
  ) async throws {
    let file = bed.folder.appending(path: "d_\(generation).geodatabase")
    try await using { store in
      let schemas = try await store.schemas()
      var schema = try #require(schemas.first { $0.name == Self.table })
      schema.fields.removeAll { $0.name == field }
      var changed = feature
      changed?.attributes["NAME"] = .text(name)
      if field != nil, let values = changed?.attributes {
        changed?.attributes = Attributes(
          FieldList(schema.fields), schema.fields.map { values[$0.name] ?? .null })
      }
      let state = try #require(try await store.syncState())
      let layer = try #require(state.layers.first { $0.table == Self.table })
      let delta = GeodatabaseDelta(
        replicaID: UUID(),
        layers: [
          GeodatabaseDelta.Layer(
            layerID: layer.layerID, schema: schema.alone(named: schema.name),
            serverGeneration: generationInFile ?? generation,
            updates: [changed].compactMap(\.self),
            deletes: changed == nil ? ["{\(UUID().uuidString)}"] : [])
        ])
      try delta.write(to: file, now: DemoBed.day, makeID: { UUID() })
    }
    var item = try #require(await bed.bed.state.item(package.text))
    item.resources.removeAll { $0.name == file.lastPathComponent }
    item.resources.append(
      DemoItem.Resource(
        name: file.lastPathComponent, body: try Data(contentsOf: file),
        created: DemoBed.day))
    await bed.bed.state.put(item)
  }
}
