import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanMap
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Layers with names that no table of a geodatabase can have, or that another layer of the service has.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct LayerNameTests {
  private static let titles = [0: "Trails v1.2", 1: "trails V1.2", 2: "GISDB.GIS.Parcels"]
  private static let tables = [0: "Trails v1_2", 1: "trails V1_2_2", 2: "GISDB_GIS_Parcels"]
  /// It makes no geodatabases.
  private static let address =
    "https://demo.test/server102/rest/services/ExploreMaine/FeatureServer"

  /// A bed whose service has these layers.
  private func bed(isSynced: Bool) async throws -> OfflineJobBed {
    try await OfflineJobBed(
      in: temporaryDirectory,
      through: { inner in
        LyingTransport(inner, answering: { Self.answer($0, isSynced: isSynced) })
      })
  }

  private static func answer(_ told: JSONObject, isSynced: Bool) -> JSONObject? {
    var answer = titled(.object(told)).object ?? told
    for list in ["layers", "tables"] {
      guard let layers = answer[list]?.array else { continue }
      answer[list] = .array(layers.map(titled))
    }
    if !isSynced, answer["layers"] != nil, answer["capabilities"] != nil {
      answer["syncEnabled"] = false
    }
    return answer == told ? nil : answer
  }

  /// A layer under its title; anything else as it is.
  private static func titled(_ json: JSONValue) -> JSONValue {
    guard var layer = json.object, layer["name"] != nil, let number = json["id"]?.int,
      let title = titles[number]
    else { return json }
    layer["name"] = .string(title)
    return .object(layer)
  }

  /// Makes a map of these layers, which are in another order there.
  private func make(_ bed: OfflineJobBed) async throws -> OfflineJobBed.Made {
    let layers = [1, 2, 0].map { number -> JSONValue in
      [
        "id": .string("layer\(number)"), "title": .string(Self.titles[number] ?? ""),
        "layerType": "ArcGISFeatureLayer", "url": .string("\(Self.address)/\(number)"),
      ]
    }
    var parameters = try await bed.parameters(operational: layers)
    parameters.areaOfInterest = OfflineArea(
      Envelope(xMin: -72, yMin: 42, xMax: -66, yMax: 48), .wgs84)
    return try await bed.make(parameters)
  }

  private func service(_ bed: OfflineJobBed) throws -> FeatureService {
    FeatureService(
      url: try #require(URL(string: Self.address)), client: bed.bed.portal.client)
  }

  @Test(arguments: [true, false])
  func `All layers are taken with all of their features and keep their titles`(
    _ isSynced: Bool
  ) async throws {
    let bed = try await bed(isSynced: isSynced)
    let made = try await make(bed)
    #expect(made.outcome.failedItems.filter(\.isFailure).isEmpty)
    #expect(Set(made.map.allLayers.map(\.title)) == Set(Self.titles.values))
    // The way by which the features have come.
    #expect(made.paths.allSatisfy { $0.contains(isSynced ? "replica_" : "features_") })
    let store = try #require(try made.geodatabase())
    let schemas = try await store.schemas()
    #expect(schemas.count == Self.titles.count)
    for (number, title) in Self.titles {
      let schema = try #require(schemas.first { $0.serviceLayerID == number })
      #expect(schema.name == Self.tables[number] && schema.alias == title)
      let count = try await store.count(in: schema.name, matching: QueryParameters())
      let all = try await service(bed).table(number).count(matching: ServiceQueryParameters())
      #expect(count == all && all > 0)
    }
  }

  // MARK: - Synchronizing

  @Test func `Edits of both sides are exchanged, also by a replica that is made anew`() async throws
  {
    let bed = try await bed(isSynced: true)
    let file = try copy(of: try await make(bed))
    let service = try service(bed)
    for number in Self.titles.keys {
      let rows = try await rows(number, file)
      try await rename(rows[0], "Mine", number, file)
      try await rename(rows[1], "Theirs", number, at: service)
    }
    let result = try await synchronize(file, bed)
    #expect(result.sent == 3 && result.received.updates == 3 && result.issues.isEmpty)
    for number in Self.titles.keys {
      let names = try await names(number, file)
      #expect(Set(names.values).isSuperset(of: ["Mine", "Theirs"]))
      #expect(try await self.names(number, at: service) == names)
      try await rename(try await rows(number, file)[2], "Later", number, file)
    }
    try await forgetReplicas(of: service)
    let again = try await synchronize(file, bed)
    #expect(again.isRegisteredAgain && again.sent == 3 && again.issues.isEmpty)
    let schemas = try await Geodatabase.open(at: file).schemas()
    for (number, title) in Self.titles {
      let schema = try #require(schemas.first { $0.serviceLayerID == number })
      #expect(schema.name == Self.tables[number] && schema.alias == title)
      let names = try await names(number, file)
      #expect(names.values.contains("Later"))
      #expect(try await self.names(number, at: service) == names)
    }
  }

  /// The geodatabase of a map, in a place where nothing else edits it.
  private func copy(of made: OfflineJobBed.Made) throws -> URL {
    let folder = made.url.appending(path: "p13")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    let name = try #require(names.first { $0.hasSuffix(".geodatabase") })
    let copy = temporaryDirectory.appending(path: "copy.geodatabase")
    try FileManager.default.copyItem(at: folder.appending(path: name), to: copy)
    return copy
  }

  private func synchronize(
    _ file: URL, _ bed: OfflineJobBed
  ) async throws -> GeodatabaseSyncTask.Result {
    try await GeodatabaseSyncTask(
      geodatabase: file, client: bed.bed.portal.client, folder: temporaryDirectory,
      surroundings: bed.bed.environment.surroundings
    ).synchronize(.bidirectional)
  }

  private func rows(_ number: Int, _ file: URL) async throws -> [Feature] {
    try await Geodatabase.open(at: file)
      .features(in: Self.tables[number] ?? "", matching: QueryParameters()).collect()
  }

  private func rename(
    _ row: Feature, _ name: String, _ number: Int, _ file: URL
  ) async throws {
    let store = try EditableGeodatabase.open(
      at: file, now: { DemoBed.day }, makeID: { UUID() })
    _ = try await store.apply([
      .update(
        .objectID(row.objectID), table: Self.tables[number] ?? "",
        attributes: ["NAME": .text(name)], geometry: .keep)
    ])
    await store.close()
  }

  private func rename(
    _ row: Feature, _ name: String, _ number: Int, at service: FeatureService
  ) async throws {
    let id = try #require(SyncCopy.text("GlobalID", row))
    let there = try #require(try await service.table(number).objectIDs(ofGlobalIDs: [id])[id])
    let update = #"[{"attributes": {"OBJECTID": \#(there), "NAME": "\#(name)"}}]"#
    _ = try await service.client.json(
      service.url.appending(path: "\(number)/applyEdits"), ["updates": update], method: .post)
  }

  private func forgetReplicas(of service: FeatureService) async throws {
    let task = ReplicaTask(service: service)
    for replica in try await task.replicas() {
      _ = try await service.client.json(
        task.unregisterURL, ["replicaID": replica.id], method: .post)
    }
  }

  /// The names of features by global id, in a file.
  private func names(_ number: Int, _ file: URL) async throws -> [String: String] {
    Self.names(of: try await rows(number, file))
  }

  /// The names of features by global id, at their service.
  private func names(_ number: Int, at service: FeatureService) async throws -> [String: String] {
    var rows: [Feature] = []
    for try await page in try await service.table(number).pages() { rows += page.features }
    return Self.names(of: rows)
  }

  private static func names(of rows: [Feature]) -> [String: String] {
    let pairs = rows.map { row in
      (
        SyncCopy.plain(SyncCopy.text("GlobalID", row) ?? ""), SyncCopy.text("NAME", row) ?? ""
      )
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  // MARK: - Names

  private static func hut(_ number: Int, _ role: String, of other: Int) -> JSONValue {
    let key = role == "esriRelRoleOrigin" ? "GlobalID" : "HUT"
    return [
      "id": .integer(Int64(number)), "name": "Huts", "type": "Table", "globalIdField": "GlobalID",
      "fields": [
        ["name": "OBJECTID", "type": "esriFieldTypeOID"],
        ["name": "GlobalID", "type": "esriFieldTypeGlobalID"],
        ["name": "HUT", "type": "esriFieldTypeGUID"],
      ],
      "relationships": [
        [
          "id": 0, "name": "Rooms", "relatedTableId": .integer(Int64(other)),
          "role": .string(role), "cardinality": "esriRelCardinalityOneToMany",
          "keyField": .string(key),
        ]
      ],
    ]
  }

  @Test(arguments: [true, false])
  func `Related layers of one name stay related, in whatever order a service lists them`(
    _ isReversed: Bool
  ) throws {
    var documents = [
      Self.hut(3, "esriRelRoleOrigin", of: 7), Self.hut(7, "esriRelRoleDestination", of: 3),
    ]
    if isReversed { documents.reverse() }
    let resources = documents.map { LayerResource(json: $0) }
    let client = RESTClient(
      transport: StubTransport { .json("{}", to: $0) }, authenticator: AnonymousAuthenticator())
    let source = MapSources.Features(
      service: FeatureService(
        url: try #require(URL(string: "https://a.example/Huts/FeatureServer")), client: client),
      info: try #require(FeatureServiceInfo(json: ["layers": [], "capabilities": "Query"])),
      layers: documents.compactMap { FeatureLayerInfo(json: $0, among: resources) })
    let (huts, rooms) = (source.schema(of: 3), source.schema(of: 7))
    #expect(huts?.name == "Huts" && rooms?.name == "Huts_2")
    #expect(huts?.alias == "Huts" && rooms?.alias == "Huts")
    #expect(huts?.relationships.map(\.relatedTable) == ["Huts_2"])
    #expect(rooms?.relationships.map(\.relatedTable) == ["Huts"])
    #expect(source.schema(of: 5) == nil)
  }
}
