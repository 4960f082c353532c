import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanSQLite
import PortolanTestSupport
import Testing

/// Copies of a feature service: taking them.
@Suite(.temporaryDirectory) struct ReplicaTests {
  private static let service = ServiceClient.maine

  private func replica(
    _ client: ServiceClient, _ parameters: KeyValuePairs<String, String>
  ) async throws -> JSONValue {
    try await client.json("\(Self.service)/createReplica", parameters)
  }

  /// The file that an answer leads to.
  private func file(_ answer: JSONValue, _ client: ServiceClient) async throws -> Data {
    try await client.body(try ServiceClient.path(of: answer["resultUrl"]))
  }

  @Test func `An asynchronous copy is a geodatabase that knows where it is from`() async throws {
    let client = try ServiceClient(looksPerJob: 2)
    let submitted = try await replica(
      client,
      [
        "f": "json", "replicaName": "r", "returnAttachments": "true",
        "returnAttachmentsDatabyUrl": "false", "async": "true", "syncModel": "perLayer",
        "layers": "[1, 6]", "targetType": "client", "attachmentsSyncDirection": "bidirectional",
        "dataFormat": "sqlite", "layerQueries": #"{"1": {"queryOption": "useFilter"}}"#,
        "geometry": "-7900000,5300000,-7500000,5600000",
        "geometryType": "esriGeometryEnvelope", "transportType": "esriTransportTypeUrl",
      ])
    let status = try ServiceClient.path(of: submitted["statusUrl"])
    #expect(try await client.json(status)["status"]?.string == "InProgress")
    #expect(try await client.json(status)["status"]?.string == "InProgress")
    let done = try await client.json(status)
    #expect(done["status"]?.string == "Completed")
    #expect(done["responseType"]?.string == "esriReplicaResponseTypeData")
    #expect(done["layerServerGens"]?.array?.map { $0["id"]?.int } == [1, 6])

    let url = temporaryDirectory.appending(path: "r.geodatabase")
    try await file(done, client).write(to: url)
    let geodatabase = try Geodatabase.open(at: url)
    let count = try await geodatabase.count(in: "Lighthouses", matching: QueryParameters())
    let inside = try await client.json(
      "\(Self.service)/1/query",
      ["geometry": "-7900000,5300000,-7500000,5600000", "returnCountOnly": "true"])
    #expect(count == inside["count"]?.int)
    #expect(try await geodatabase.localChanges().changes.isEmpty)
    #expect(try await geodatabase.localChanges().tablesWithoutHistory.isEmpty)
    let first = try #require(
      try await geodatabase.features(in: "Lighthouses", matching: QueryParameters()).collect()
        .first)
    let attachments = try await geodatabase.attachments(of: first.objectID, in: "Lighthouses")
    #expect(attachments.count == 2)
    let related = try await geodatabase.count(in: "LighthouseEvents", matching: QueryParameters())
    #expect(related > 0)
    let replicaID = try #require(done["replicaID"]?.string)
    try expectRegistration(in: url, of: replicaID)
  }

  private func expectRegistration(in url: URL, of replicaID: String) throws {
    let connection = try Connection(at: url, access: .immutable)
    let query = try connection.query(
      "SELECT Definition, DatasetInfo1 FROM GDB_Items WHERE Type = '{5B966567-FB87-4DDE-938B-B4B37423539D}'"
    )
    #expect(try query.step())
    let definition = query.text(at: 0)
    #expect(definition.contains("<ReplicaID>{\(replicaID.uppercased())}</ReplicaID>"))
    #expect(definition.contains("<SyncModel>esriSyncModelPerLayer</SyncModel>"))
    #expect(definition.contains("<LastSyncDate>1970-01-01T00:00:01.000000</LastSyncDate>"))
    #expect(query.text(at: 1).hasSuffix("/ExploreMaine/FeatureServer"))
  }

  @Test func `A copy in JSON has the rows and what is attached to them`() async throws {
    let client = try ServiceClient()
    let answer = try await replica(
      client,
      [
        "f": "json", "replicaName": "j", "returnAttachments": "true", "syncModel": "perReplica",
        "layers": "1,6", "dataFormat": "json", "transportType": "esriTransportTypeEmbedded",
        "layerQueries": #"{"1":{"where":"HEIGHT_FT > 100","useGeometry":false}}"#,
        "geometry": " -1000.000, -1000.000,  1000.000,  1000.000",
        "geometryType": "esriGeometryEnvelope", "replicaSR": "4326",
      ])
    #expect(answer["replicaServerGen"]?.int == 1)
    let lighthouses = try #require(answer["layers"]?[0])
    let features = try #require(lighthouses["features"]?.array)
    #expect((1..<20).contains(features.count))
    #expect(abs(features[0]["geometry"]?["x"]?.double ?? 0) < 180)
    #expect(lighthouses["attachments"]?.array?.count == 2 * features.count)
    let events = try #require(answer["layers"]?[1]?["features"]?.array)
    let parents = Set(features.compactMap { $0["attributes"]?["GlobalID"]?.string })
    #expect(
      events.allSatisfy { parents.contains($0["attributes"]?["LIGHTHOUSE_ID"]?.string ?? "") })
  }

  @Test func `Copies are listed, described and forgotten`() async throws {
    let client = try ServiceClient()
    for _ in 0..<2 {
      _ = try await replica(
        client, ["replicaName": "same", "layers": "0", "syncModel": "perLayer"])
    }
    let list = try await client.json("\(Self.service)/replicas", ["f": "json"])
    #expect(list.array?.compactMap { $0["replicaName"]?.string }.sorted() == ["same", "same_0"])
    let id = try #require(list[0]?["replicaID"]?.string)
    let one = try await client.json("\(Self.service)/replicas/{\(id.uppercased())}")
    #expect(one["syncModel"]?.string == "perLayer")
    #expect(one["layerServerGens"]?[0]?["serverGen"]?.int == 1)
    let forgotten = try await client.json(
      "\(Self.service)/unRegisterReplica", ["replicaID": id])
    #expect(forgotten["success"]?.bool == true)
    let again = try await client.json("\(Self.service)/unRegisterReplica", ["replicaID": id])
    #expect(again["error"]?["code"]?.int == 400)
  }

  @Test(arguments: [
    ["layers": "99"], ["layers": "[0"], ["syncModel": "sometimes"], ["dataFormat": "shapefile"],
    ["returnAttachments": "true", "attachmentsSyncDirection": "none"], ["geometry": "1,2,3"],
    ["layerQueries": #"{"0":{"where":"NO = 1"}}"#, "layers": "0"],
  ])
  func `An invalid request is a bad request`(_ parameters: [String: String]) async throws {
    let query = parameters.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }
    let answer = try await ServiceClient().json(
      "\(Self.service)/createReplica?\(query.joined(separator: "&"))")
    #expect(answer["error"]?["code"]?.int == 400)
  }

  @Test func `A service that does not sync makes no copies`() async throws {
    let answer = try await ServiceClient().json("\(ServiceClient.towns)/createReplica")
    #expect(answer["error"]?["details"]?[0]?.string == "Sync is not enabled.")
  }
}

/// Copies of a feature service: bringing them up to date.
@Suite struct SynchronizeTests {
  private static let service = ServiceClient.maine
  private static let newID = "11111111-2222-4333-8444-555555555555"

  private func replicaID(_ client: ServiceClient) async throws -> String {
    let answer = try await client.json(
      "\(Self.service)/createReplica",
      [
        "replicaName": "s", "layers": "0,1", "syncModel": "perLayer",
        "returnAttachments": "true",
      ])
    return try #require(answer["replicaID"]?.string)
  }

  private func sync(
    _ client: ServiceClient, _ id: String, generation: Int, direction: String = "bidirectional",
    edits: String = "[]"
  ) async throws -> JSONValue {
    try await client.json(
      "\(Self.service)/synchronizeReplica",
      [
        "replicaID": id, "syncDirection": direction, "edits": edits,
        "transportType": "esriTransportTypeEmbedded", "dataFormat": "json",
        "syncLayers":
          "[{\"id\":0,\"serverGen\":\(generation)},{\"id\":1,\"serverGen\":\(generation)}]",
      ])
  }

  @Test func `Without changes nothing is received`() async throws {
    let client = try ServiceClient()
    let answer = try await sync(client, try await replicaID(client), generation: 1)
    #expect(answer["responseType"]?.string == "esriReplicaResponseTypeNoEdits")
    #expect(answer["edits"] == nil)
  }

  @Test func `Others' changes are downloaded, a copy's own uploads are not`() async throws {
    let client = try ServiceClient()
    let (mine, other) = (try await replicaID(client), try await replicaID(client))
    _ = try await client.json(
      "\(Self.service)/0/applyEdits",
      ["updates": #"[{"attributes":{"OBJECTID":1,"NAME":"Elsewhere"}}]"#, "deletes": "2"])
    let upload = """
      [{"id":0,"features":{"adds":[{"attributes":{"NAME":"Mine","GlobalID":"\(Self.newID)"},
      "geometry":{"x":-7600000,"y":5500000}}],"updates":[],"deletes":[]}}]
      """
    let answer = try await sync(client, mine, generation: 1, edits: upload)
    #expect(answer["responseType"]?.string == "esriReplicaResponseTypeEdits")
    let edits = try #require(answer["edits"]?[0])
    #expect(edits["addResults"]?[0]?["globalId"]?.string == Self.newID)
    #expect(edits["features"]?["adds"]?.array?.isEmpty == true)
    #expect(edits["features"]?["updates"]?[0]?["attributes"]?["NAME"]?.string == "Elsewhere")
    #expect(edits["features"]?["deletes"]?.array?.count == 1)
    let generation = try #require(answer["layerServerGens"]?[0]?["serverGen"]?.int)
    let next = try await sync(client, mine, generation: generation)
    #expect(next["responseType"]?.string == "esriReplicaResponseTypeNoEdits")
    let theirs = try await sync(client, other, generation: 1, direction: "download")
    let added = theirs["edits"]?[0]?["features"]?["adds"]?.array
    #expect(added?.compactMap { $0["attributes"]?["NAME"]?.string } == ["Mine"])
  }

  @Test func `An upload that is repeated is carried out once`() async throws {
    let client = try ServiceClient()
    let id = try await replicaID(client)
    let upload = """
      [{"id":1,"features":{"adds":[{"attributes":{"NAME":"Mine","GlobalID":"\(Self.newID)"}}],
      "updates":[],"deletes":[]},"attachments":{"adds":[{"globalid":"{\(Self.newID)}",
      "parentGlobalid":"\(Self.newID)","name":"a.txt","contentType":"text/plain",
      "data":"aGk="}],"updates":[],"deletes":[]}}]
      """
    for _ in 0..<2 {
      let answer = try await sync(client, id, generation: 1, direction: "upload", edits: upload)
      let edits = try #require(answer["edits"]?[0])
      #expect(edits["addResults"]?[0]?["success"]?.bool == true)
      #expect(edits["attachmentResults"]?["addResults"]?[0]?["success"]?.bool == true)
      // Nothing came down, so that the client is where it was.
      #expect(answer["layerServerGens"]?[0]?["serverGen"]?.int == 1)
    }
    let count = try await client.json(
      "\(Self.service)/1/query", ["where": "NAME = 'Mine'", "returnCountOnly": "true"])
    #expect(count["count"]?.int == 1)
  }

  @Test func `The last upload wins`() async throws {
    let client = try ServiceClient()
    let id = try await replicaID(client)
    let row = try await client.json(
      "\(Self.service)/0/query", ["objectIds": "3", "outFields": "*"])
    let globalID = try #require(row["features"]?[0]?["attributes"]?["GlobalID"]?.string)
    _ = try await client.json(
      "\(Self.service)/0/updateFeatures",
      ["features": #"[{"attributes":{"OBJECTID":3,"NAME":"Server"}}]"#])
    let answer = try await sync(
      client, id, generation: 1,
      edits: """
        [{"id":0,"features":{"updates":[{"attributes":{"GlobalID":"{\(globalID.uppercased())}",
        "NAME":"Client"}}]}}]
        """)
    #expect(answer["edits"]?[0]?["updateResults"]?[0]?["success"]?.bool == true)
    #expect(answer["edits"]?[0]?["features"]?["updates"]?.array?.isEmpty == true)
    let after = try await client.json(
      "\(Self.service)/0/query", ["objectIds": "3", "outFields": "NAME"])
    #expect(after["features"]?[0]?["attributes"]?["NAME"]?.string == "Client")
  }

  @Test(.temporaryDirectory) func `Changes go both ways as geodatabases`() async throws {
    let client = try ServiceClient()
    let id = try await replicaID(client)
    _ = try await client.json("\(Self.service)/0/applyEdits", ["deletes": "2"])
    let upload = try await uploadedDelta(client, of: id)
    let answer = try await client.json(
      "\(Self.service)/synchronizeReplica",
      [
        "replicaID": id, "editsUploadID": upload, "editsUploadFormat": "sqlite",
        "dataFormat": "sqlite", "syncDirection": "bidirectional",
        "transportType": "esriTransportTypeUrl",
        "syncLayers": #"[{"id":0,"serverGen":1},{"id":1,"serverGen":1}]"#,
      ])
    #expect(answer["responseType"]?.string == "esriReplicaResponseTypeEdits")
    let url = temporaryDirectory.appending(path: "down.geodatabase")
    try await client.body(try ServiceClient.path(of: answer["resultUrl"])).write(to: url)
    let delta = try GeodatabaseDelta(readingFrom: url)
    #expect(delta.replicaID.uuidString.lowercased() == id)
    #expect(delta.results.map(\.isSuccess) == [true])
    #expect(delta.layers.first { $0.layerID == 0 }?.deletes.count == 1)
    #expect(delta.layers.allSatisfy { $0.adds.isEmpty })
    let count = try await client.json(
      "\(Self.service)/0/query", ["where": "NAME = 'Mine'", "returnCountOnly": "true"])
    #expect(count["count"]?.int == 1)
  }

  /// A new town in a geodatabase, uploaded; its id at the service.
  private func uploadedDelta(_ client: ServiceClient, of replica: String) async throws -> String {
    let fields = [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("NAME", .string, length: 80),
      Field("GlobalID", .globalID, length: 38, isNullable: false, isEditable: false),
    ]
    let town = Feature(
      objectID: 1,
      attributes: Attributes(
        FieldList(fields), [.integer(1), .text("Mine"), .text("{\(Self.newID.uppercased())}")]),
      geometry: .point(Point(x: -7_600_000, y: 5_500_000)))
    let delta = GeodatabaseDelta(
      replicaID: try #require(UUID(uuidString: replica)),
      layers: [
        GeodatabaseDelta.Layer(
          layerID: 0,
          schema: FeatureTableSchema(
            name: "Towns", geometryType: .point, spatialReference: .webMercator, fields: fields,
            globalIDField: "GlobalID"), serverGeneration: 1, adds: [town])
      ])
    let url = temporaryDirectory.appending(path: "up.geodatabase")
    try delta.write(to: url, now: Date(timeIntervalSince1970: 0)) { UUID() }
    let item = try await client.upload(
      "\(Self.service)/uploads/upload", ["f": "json"], field: "file", name: "up.geodatabase",
      contents: try Data(contentsOf: url))
    return try #require(item["item"]?["itemID"]?.string)
  }

  @Test func `Changes are extracted since a generation`() async throws {
    let client = try ServiceClient()
    _ = try await client.json(
      "\(Self.service)/0/applyEdits",
      ["updates": #"[{"attributes":{"OBJECTID":1,"NAME":"Elsewhere"}}]"#, "deletes": "2"])
    let submitted = try await client.json(
      "\(Self.service)/extractChanges",
      [
        "layerQueries": "", "layers": "[0]", "geometry": "", "outSR": "",
        "geometryType": "esriGeometryEnvelope", "returnInserts": "true",
        "returnUpdates": "true", "returnDeletes": "true", "dataFormat": "json",
        "layerServerGens": #"[{"id": 0, "serverGen": 1}]"#,
      ])
    let status = try ServiceClient.path(of: submitted["statusUrl"])
    _ = try await client.json(status)
    let done = try await client.json(status)
    #expect(done["status"]?.string == "Completed")
    let result = try ServiceClient.path(of: done["resultUrl"])
    let changes = try await client.json(result)
    #expect(changes["responseType"]?.string == "esriDataChangesResponseTypeEdits")
    #expect(changes["layerServerGens"]?[0]?["serverGen"]?.int == 2)
    #expect(changes["edits"]?[0]?["features"]?["updates"]?.array?.count == 1)
    #expect(changes["edits"]?[0]?["features"]?["deleteIds"]?.array?.count == 1)
  }
}
