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

/// Changes as JSON, on their way to services and from them.
@Suite(.temporaryDirectory) struct DeltaJSONTests {
  private static let replica = UUID()
  private static let (first, second) = (
    "11111111-2222-3333-4444-555555555555", "66666666-7777-8888-9999-AAAAAAAAAAAA"
  )
  private static let fields = [
    Field("OBJECTID", .objectID, isEditable: false),
    Field("GlobalID", .globalID, isEditable: false),
    Field("NAME", .string), Field("OWNER", .guid),
  ]
  private static let huts = FeatureTableSchema(
    name: "Huts", geometryType: .point, spatialReference: .wgs84, fields: fields,
    globalIDField: "GlobalID", hasAttachments: true, serviceLayerID: 3)
  private static let visits = FeatureTableSchema(
    name: "Visits", fields: fields, globalIDField: "GlobalID", serviceLayerID: 4)

  private let transport = StubTransport { .data(Data("photo".utf8), to: $0) }

  private func read(_ text: String) async throws -> GeodatabaseDelta {
    let service = FeatureService(
      url: try #require(URL(string: "https://a.example/rest/services/Huts/FeatureServer")),
      client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
    return try await DeltaJSON.delta(
      JSONValue(parsing: Data(text.utf8)), of: Self.replica, [3: Self.huts, 4: Self.visits],
      at: service, in: temporaryDirectory)
  }

  private static func feature(_ name: String, at point: Point? = nil) -> Feature {
    Feature(
      objectID: 7,
      attributes: Attributes(
        FieldList(fields), [.integer(7), .text("{A}"), .text(name), .null]),
      geometry: point.map { .point($0) })
  }

  // MARK: - On the way there

  private static func file(_ name: String) -> GeodatabaseDelta.File {
    GeodatabaseDelta.File(
      NewAttachment(
        name: name, contentType: "text/plain", data: Data(name.utf8), globalID: "{F}"),
      parentGlobalID: "{A}")
  }

  @Test func `Edits are written by layer, a shape that was removed as null, contents in Base64`() {
    let (added, moved) = (Self.feature("New", at: Point(x: 1, y: 2)), Self.feature("Old"))
    let delta = GeodatabaseDelta(
      replicaID: Self.replica,
      layers: [
        GeodatabaseDelta.Layer(
          layerID: 3, schema: Self.huts, serverGeneration: 5, adds: [added], updates: [moved],
          deletes: ["{B}"], addedFiles: [Self.file("a")], updatedFiles: [Self.file("u")],
          deletedFiles: ["{D}"]),
        GeodatabaseDelta.Layer(
          layerID: 4, schema: Self.visits, serverGeneration: 5, updates: [moved]),
      ])
    func file(_ name: String, _ data: String) -> JSONValue {
      [
        "contentType": "text/plain", "name": .string(name), "data": .string(data),
        "globalid": "{F}", "parentGlobalid": "{A}",
      ]
    }
    let shape = Geometry.point(Point(x: 1, y: 2)).esriJSON(spatialReference: .wgs84)
    let new: JSONValue = ["attributes": added.attributes.esriJSON, "geometry": shape]
    let bare: JSONValue = ["attributes": moved.attributes.esriJSON, "geometry": .null]
    let row: JSONValue = ["attributes": moved.attributes.esriJSON]
    let none: JSONValue = ["adds": [], "updates": [], "deletes": []]
    let json = DeltaJSON(delta).json
    #expect(json.array?.count == 2 && json[0]?["id"] == 3 && json[1]?["id"] == 4)
    let features: JSONValue = ["adds": [new], "updates": [bare], "deletes": ["{B}"]]
    #expect(json[0]?["features"] == features)
    let files: JSONValue = [
      "adds": [file("a", "YQ==")], "updates": [file("u", "dQ==")], "deletes": ["{D}"],
    ]
    #expect(json[0]?["attachments"] == files)
    let rows: JSONValue = ["adds": [], "updates": [row], "deletes": []]
    #expect(json[1]?["features"] == rows)
    #expect(json[1]?["attachments"] == none)
  }

  @Test(
    arguments: [
      (Point(x: 1, y: 2), true, "NaN"), (Point(x: 1, y: 2, z: 3), true, 3),
      (Point(x: 1, y: 2), false, nil), (Point(x: .nan, y: .nan), true, nil),
    ] as [(Point, Bool, JSONValue?)])
  func `A height that is not known is said to be so where the layer has heights`(
    _ point: Point, _ hasZ: Bool, _ height: JSONValue?
  ) {
    var schema = Self.huts
    schema.hasZ = hasZ
    let layer = GeodatabaseDelta.Layer(
      layerID: 3, schema: schema, serverGeneration: 5,
      updates: [Self.feature("Old", at: point)])
    let delta = GeodatabaseDelta(replicaID: Self.replica, layers: [layer])
    let shape = DeltaJSON(delta).json[0]?["features"]?["updates"]?[0]?["geometry"]
    #expect(shape != nil && shape?["z"] == height)
  }

  @Test(arguments: [true, false])
  func `New features are written as applyEdits takes them, with their attachments if there are any`(
    _ hasFiles: Bool
  ) {
    let added = Self.feature("New")
    let layer = GeodatabaseDelta.Layer(
      layerID: 3, schema: Self.huts, serverGeneration: 5, adds: [added],
      addedFiles: hasFiles ? [Self.file("a")] : [])
    let row: JSONValue = ["attributes": added.attributes.esriJSON, "geometry": .null]
    let file: JSONValue = [
      "contentType": "text/plain", "name": "a", "data": "YQ==", "globalId": "{F}",
      "parentGlobalId": "{A}",
    ]
    var expected: JSONObject = ["id": 3, "adds": [row]]
    if hasFiles { expected["attachments"] = ["adds": [file]] }
    #expect(DeltaJSON.additions(of: layer) == .object(expected))
  }

  // MARK: - On the way back

  @Test func `Rows have the fields that came, ids with braces, and their shapes`() async throws {
    let delta = try await read(
      """
      {"replicaID": "{\(Self.replica.uuidString)}", "edits": [
        {"id": 3, "features": {
          "adds": [{"attributes": {"OBJECTID": 7, "globalid": "\(Self.first)", "NAME": "Hut",
            "Shape__Area": 1, "EXTRA": 2, "BEYOND": 3}, "geometry": {"x": 1, "y": 2}}],
          "updates": [{"attributes": {"GlobalID": "\(Self.second)"}, "geometry": null}],
          "deleteIds": [{"globalId": "\(Self.first)"}]}},
        {"id": 9, "features": {"deletes": ["\(Self.first)"]}},
        {"id": 4, "features": {"deletes": ["\(Self.second)"]}}]}
      """)
    #expect(delta.replicaID == Self.replica && delta.results.isEmpty)
    #expect(delta.layers.map(\.layerID) == [3, 4])
    let layer = try #require(delta.layers.first)
    let hut = try #require(layer.adds.first)
    #expect(layer.adds.count == 1 && layer.incomplete.isEmpty)
    #expect(hut.objectID == 7 && hut.geometry == .point(Point(x: 1, y: 2)))
    #expect(hut.attributes.fields.map(\.name) == ["OBJECTID", "GlobalID", "NAME"])
    #expect(hut.attributes["GlobalID"] == .text("{\(Self.first)}"))
    #expect(hut.attributes["NAME"] == .text("Hut"))
    #expect(layer.updates.map(\.geometry) == [nil])
    #expect(layer.unknownFields == ["BEYOND", "EXTRA"])
    #expect(layer.deletes == ["{\(Self.first)}"])
    #expect(delta.layers.last?.deletes == ["{\(Self.second)}"])
  }

  @Test(arguments: ["", #", "geometry": {"x": "west", "y": "north"}"#])
  func `A row whose shape is not there, or is none, is asked for by itself`(
    _ shape: String
  ) async throws {
    let row = #"{"attributes": {"GlobalID": "\#(Self.first)", "NAME": "Hut"}\#(shape)}"#
    let delta = try await read(
      """
      {"edits": [{"id": 3, "features": {"adds": [\(row)], "updates": [\(row)]}},
        {"id": 4, "features": {"adds": [\(row)]}}]}
      """)
    let (huts, visits) = (try #require(delta.layers.first), try #require(delta.layers.last))
    #expect(huts.adds.isEmpty && huts.updates.isEmpty && huts.incomplete.count == 2)
    for row in huts.incomplete {
      #expect(row.feature.attributes["NAME"] == .text("Hut") && row.feature.geometry == nil)
      #expect((row.reason == "the service has left it out") == shape.isEmpty)
    }
    // Rows of tables have none.
    #expect(visits.adds.count == 1 && visits.incomplete.isEmpty)
  }

  @Test func `Attachments come with their contents, or are fetched from where these are`()
    async throws
  {
    let delta = try await read(
      """
      {"edits": [{"id": 3, "attachments": {
        "adds": [{"globalid": "\(Self.first)", "parentGlobalid": "\(Self.second)",
          "name": "a.txt", "contentType": "text/plain", "data": "aGk="}],
        "updates": [{"globalId": "\(Self.second)", "parentGlobalId": "\(Self.first)",
          "url": "https://a.example/photo"}],
        "deletes": ["\(Self.first)"]}}]}
      """)
    let layer = try #require(delta.layers.first)
    let (own, other) = ("{\(Self.first)}", "{\(Self.second)}")
    let added = GeodatabaseDelta.File(
      NewAttachment(
        name: "a.txt", contentType: "text/plain", data: Data("hi".utf8), globalID: own),
      parentGlobalID: other)
    let updated = GeodatabaseDelta.File(
      NewAttachment(
        name: "", contentType: "application/octet-stream", data: Data("photo".utf8),
        globalID: other), parentGlobalID: own)
    #expect(layer.addedFiles == [added])
    #expect(layer.updatedFiles == [updated])
    #expect(layer.deletedFiles == [own])
  }

  @Test(arguments: [
    ("image/jpeg", "a.jpg", false), ("", "", false), ("text/html", "a", true),
    ("application/octet-stream", "a.HTML", true),
  ])
  func `A page in place of an attachment is not taken for its contents`(
    _ type: String, _ name: String, _ isTaken: Bool
  ) async throws {
    let page = Data("<html>Sign in to this network.</html>".utf8)
    let client = RESTClient(
      transport: StubTransport {
        .data(page, headers: ["Content-Type": "text/html; charset=utf-8"], to: $0)
      }, authenticator: AnonymousAuthenticator())
    let url = try #require(URL(string: "https://a.example/rest/services/Huts/FeatureServer"))
    let reader = RowsJSON(
      Self.huts, of: FeatureService(url: url, client: client), in: temporaryDirectory)
    let list: JSONValue = [
      [
        "globalId": .string(Self.first), "parentGlobalId": .string(Self.second),
        "name": .string(name), "contentType": .string(type), "url": "https://a.example/photo",
      ]
    ]
    guard isTaken else {
      await #expect(throws: PortalError.self) { try await reader.files(list) }
      return
    }
    #expect(try await reader.files(list).map(\.attachment.data) == [page])
  }

  @Test func `Large attachments are not kept in memory, and nothing is seen of them on the disk`()
    async throws
  {
    let photo = Data((0..<(1 << 18)).map { UInt8(truncatingIfNeeded: $0) })
    let delta = try await read(
      """
      {"edits": [{"id": 3, "attachments": {"adds": [{"globalId": "\(Self.first)",
        "parentGlobalId": "\(Self.second)", "data": "\(photo.base64EncodedString())"}]}}]}
      """)
    #expect(delta.layers.first?.addedFiles.map(\.attachment.data) == [photo])
    let names = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
    #expect(names.isEmpty)
  }

  @Test(arguments: ["application/json", "application/octet-stream"])
  func `A document that would fill the memory is refused before it is parsed`(
    _ type: String
  ) async throws {
    let document = Data(#" {"layers": []}"#.utf8)
    let client = RESTClient(
      transport: StubTransport {
        .data(
          document, headers: ["Content-Type": type, "Content-Length": "\(document.count)"], to: $0)
      }, authenticator: AnonymousAuthenticator())
    let surroundings = OfflineSurroundings(
      freeSpace: { _ in nil }, clock: ImmediateClock(), now: { DemoBed.day }, chance: { 0 },
      makeID: { UUID() })
    let address = "https://a.example/replica"
    let (url, file) = (
      try #require(URL(string: address)), temporaryDirectory.appending(path: "a.geodatabase")
    )
    let limit = document.count - 1
    await #expect(throws: PortalError.transport(.tooLarge(address, limit: limit))) {
      try await client.download(url, to: file, surroundings, limit: limit)
    }
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try await client.download(url, to: file, surroundings, limit: document.count)
    let expected: JSONValue = ["layers": []]
    #expect(try JSONFile.read(file) == expected)
  }

  @Test(arguments: [("{}", 1, true), ("{}", 2, false), ("SQLite", 1, false)])
  func `Only documents are too large to be read`(
    _ text: String, _ limit: Int, _ isTooLarge: Bool
  ) throws {
    let file = temporaryDirectory.appending(path: "a")
    #expect(!JSONFile.isTooLarge(file, limit: limit))
    try Data(text.utf8).write(to: file)
    #expect(JSONFile.isTooLarge(file, limit: limit) == isTooLarge)
  }

  @Test(arguments: [
    ("https://b.example/photo", "https://b.example/photo"),
    ("//b.example/photo", "https://b.example/photo"),
    ("/files/photo", "https://a.example/files/photo"),
    ("3/7/attachments/1", "https://a.example/rest/services/Huts/FeatureServer/3/7/attachments/1"),
    ("3/7?id=1", "https://a.example/rest/services/Huts/FeatureServer/3/7?id=1"),
  ])
  func `The address of an attachment may be relative to that of the service`(
    _ text: String, _ address: String
  ) async throws {
    let delta = try await read(
      """
      {"edits": [{"id": 3, "attachments": {"adds": [
        {"globalId": "\(Self.first)", "parentGlobalId": "\(Self.second)", "url": "\(text)"}]}}]}
      """)
    #expect(delta.layers.first?.addedFiles.map(\.attachment.data) == [Data("photo".utf8)])
    #expect(transport.requests.map(\.url.absoluteString) == [address])
  }

  @Test func `The outcome of edits is reported one by one, of attachments apart from features`()
    async throws
  {
    let delta = try await read(
      """
      {"edits": [{"id": 3, "addResults": [{"objectId": 7, "globalId": "{A}", "success": true}],
        "updateResults": [{"GlobalID": "{B}", "success": false,
          "error": {"code": 1000, "description": "Not on a Sunday."}}],
        "deleteResults": [{"success": true}, {"globalId": "", "success": true}],
        "attachmentResults": {"addResults": [{"globalId": "{C}", "success": true}]},
        "attachments": {"deleteResults": [
          {"globalId": "{D}", "error": {"code": 1019, "description": "It is not there."}},
          {"globalId": "{E}"}, {"globalId": "{F}", "error": null}]}}]}
      """)
    typealias Result = GeodatabaseDelta.EditResult
    let expected = [
      Result(objectID: 7, globalID: "{A}", isSuccess: true, kind: .add, layerID: 3),
      Result(
        objectID: nil, globalID: "{B}", isSuccess: false, code: 1000, reason: "Not on a Sunday.",
        kind: .update, layerID: 3),
      Result(objectID: nil, globalID: nil, isSuccess: true, kind: .delete, layerID: 3),
      // An empty id names nothing, and is not one that the service has given instead.
      Result(objectID: nil, globalID: nil, isSuccess: true, kind: .delete, layerID: 3),
      Result(
        objectID: nil, globalID: "{C}", isSuccess: true, kind: .add, layerID: 3,
        isAttachment: true),
      Result(
        objectID: nil, globalID: "{D}", isSuccess: false, code: 1019, reason: "It is not there.",
        kind: .delete, layerID: 3, isAttachment: true),
    ]
    // A result that says neither that an edit was carried out nor why not is no answer to it.
    #expect(delta.results == expected)
  }

  @Test(arguments: [
    (#"{"code": 1000, "description": "Not on a Sunday."}"#, false), ("null", true), ("{}", true),
    (#"{"code": 0, "description": "The operation completed successfully."}"#, true),
  ])
  func `A success that is reported with an error is none`(
    _ error: String, _ isSuccess: Bool
  ) async throws {
    let delta = try await read(
      """
      {"edits": [{"id": 3, "updateResults": [
        {"globalId": "{A}", "success": true, "error": \(error)}]}]}
      """)
    #expect(delta.results.map(\.isSuccess) == [isSuccess])
    #expect(delta.results.first?.code == (isSuccess ? 0 : 1000))
  }

  @Test(arguments: [
    #"{"id": 3, "features": [{"attributes": {"GlobalID": "A"}}]}"#,
    #"{"id": 3, "features": {"adds": {"attributes": {"GlobalID": "A"}}}}"#,
    #"{"id": 3, "features": {"updates": "none"}}"#, #"{"id": 3, "features": {"deletes": "A"}}"#,
    #"{"id": 3, "features": {}, "attachments": {"deletes": {"globalId": "A"}}}"#,
    #"{"id": 3, "adds": [{"attributes": {"GlobalID": "A"}}]}"#,
    #"{"id": 3, "features": {}, "deletes": ["A"]}"#,
  ])
  func `Changes in another form, or another place, are not taken for none`(
    _ entry: String
  ) async throws {
    await #expect(throws: OfflineMapError.self) { try await read(#"{"edits": [\#(entry)]}"#) }
  }

  @Test(arguments: [
    #"{"id": 3}"#, #"{"id": 3, "features": null, "attachments": null}"#,
    #"{"id": 3, "features": {"adds": null, "deletes": []}, "adds": []}"#,
  ])
  func `A layer of which nothing has changed may say so in any way`(_ entry: String) async throws {
    let layers = try await read(#"{"edits": [\#(entry)]}"#).layers
    #expect(layers.map(\.layerID) == [3])
    #expect(layers.allSatisfy { $0.adds.isEmpty && $0.updates.isEmpty && $0.deletes.isEmpty })
  }

  @Test func `An attachment without an id matters only where the layer has a place for it`()
    async throws
  {
    let named = #"{"globalId": "\#(Self.first)", "parentGlobalId": "\#(Self.second)", "data": ""}"#
    let delta = try await read(
      """
      {"edits": [{"id": 4, "attachments": {"adds": [{"name": "a.txt", "data": ""}, \(named)]}}]}
      """)
    #expect(delta.layers.first?.addedFiles.map(\.attachment.globalID) == ["{\(Self.first)}"])
  }

  private static let others = "it holds no changes, or those of another replica."
  private static let lies: [(String, String, String)] = [
    (#"{"edits": 1}"#, "the answer", others),
    (#"{"replicaID": "11111111-2222-3333-4444-555555555555", "edits": []}"#, "the answer", others),
    (#"{"edits": [{"features": {}}]}"#, "the answer", "changes do not say of which layer."),
    (
      #"{"edits": [{"id": 4, "features": {"adds": [{"attributes": {"NAME": "a"}}]}}]}"#,
      "the answer", "a row does not say which it is."
    ),
    (
      #"{"edits": [{"id": 3, "features": {"updates": [{"attributes": {"NAME": "a"}}]}}]}"#,
      "the answer", "a row does not say which it is."
    ),
    (
      #"{"edits": [{"id": 4, "features": {"adds": [{"attributes": {"GlobalID": ""}}]}}]}"#,
      "the answer", "a row does not say which it is."
    ),
    (
      """
      {"edits": [{"id": 3, "attachments": {"adds": [
        {"globalId": "", "parentGlobalId": "{A}", "data": ""}]}}]}
      """, "Huts", "an attachment does not say which it is."
    ),
    (
      #"{"edits": [{"id": 3, "attachments": {"adds": [], "exceededTransferLimit": true}}]}"#,
      "the answer", "the service has left out changes."
    ),
    (
      #"{"edits": [{"id": 3, "features": {"deletes": [7]}}]}"#, "Huts",
      "a row that is gone does not say which it is."
    ),
    (
      #"{"edits": [{"id": 3, "attachments": {"adds": [{"globalId": "{A}", "data": ""}]}}]}"#,
      "Huts", "an attachment does not say which it is."
    ),
    (
      #"{"edits": [{"id": 3, "attachments": {"adds": [{"globalId": "a", "parentGlobalId": "b"}]}}]}"#,
      "Huts", "an attachment has no contents."
    ),
    (
      """
      {"edits": [{"id": 3, "attachments": {"adds": [
        {"globalId": "a", "parentGlobalId": "b", "url": "file:///etc/passwd"}]}}]}
      """, "Huts", "an attachment has no contents."
    ),
    (
      """
      {"edits": [{"id": 3, "attachments": {"updates": [
        {"globalId": "a", "parentGlobalId": "b", "data": "?"}]}}]}
      """, "Huts", "an attachment cannot be decoded."
    ),
    (
      #"{"edits": [], "exceededTransferLimit": true}"#, "the answer",
      "the service has left out changes."
    ),
    (
      #"{"edits": [{"id": 9}, {"id": 3, "exceededTransferLimit": true}]}"#, "the answer",
      "the service has left out changes."
    ),
    (
      #"{"edits": [{"id": 3, "features": {"adds": [], "exceededTransferLimit": true}}]}"#,
      "the answer", "the service has left out changes."
    ),
  ]

  @Test func `Deletions are read from either list, also beside one that is null or empty`()
    async throws
  {
    for empty in ["null", "[]"] {
      let delta = try await read(
        """
        {"edits": [{"id": 3, "features": {"deletes": \(empty), "deleteIds": ["\(Self.first)"]},
          "attachments": []}]}
        """)
      #expect(delta.layers.map(\.deletes) == [["{\(Self.first)}"]])
    }
  }

  @Test(arguments: [#"{"id": 3, "deleteIds": ["A"]}"#, #"{"id": 3, "adds": {"attributes": {}}}"#])
  func `Changes beside the id of a layer are not passed over`(_ entry: String) async throws {
    await #expect(throws: OfflineMapError.self) { try await read(#"{"edits": [\#(entry)]}"#) }
  }

  @Test(arguments: lies)
  func `An incomplete definition is refused as a whole`(
    _ text: String, _ file: String, _ reason: String
  ) async throws {
    await #expect(throws: OfflineMapError.damaged(file: file, reason: reason)) {
      try await read(text)
    }
  }
}
