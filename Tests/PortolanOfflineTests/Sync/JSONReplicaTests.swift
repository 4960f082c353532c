import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Copies of a service that knows no geodatabases: all goes as JSON.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct JSONReplicaTests {
  private static let root = "server102"

  @Test(arguments: [GenerateGeodatabaseParameters.SyncModel.perLayer, .perGeodatabase])
  func `Edits and attachments go to the service and from there to another copy`(
    _ model: GenerateGeodatabaseParameters.SyncModel
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: Self.root)
    let (first, second) = (
      try await bed.copy("first", model: model), try await bed.copy("second", model: model)
    )
    let before = try await first.features()
    #expect(try await first.values() == bed.values() && before.count > 3)
    #expect(before.contains { $0.geometry != nil })
    #expect(try await first.edits() == 0)
    let added = try await first.add("New Light")
    try await first.rename(before[0].objectID, "Renamed")
    try await first.attach("a.txt", to: before[0].objectID)
    try await first.delete(before[1].objectID)
    let sent = try await first.sync()
    #expect(sent.sent == 4 && sent.issues.isEmpty)
    #expect(try await first.edits() == 0)
    let received = try await second.sync().received
    #expect(received.adds == 2 && received.updates == 1 && received.deletes == 1)
    let values = try await bed.values()
    #expect(values[added.uppercased()] == "New Light" && values.count == before.count)
    #expect(try await first.values() == values)
    #expect(try await second.values() == values)
    #expect(try await second.attachments() == first.attachments())
    #expect(try await second.edits() == 0)
    #expect(try await first.sync().sent == 0)
    // The shapes are the same as well, whichever way they came.
    let shapes = try await [first, second].asyncMap { copy in
      Dictionary(
        uniqueKeysWithValues: try await copy.features().map { feature in
          (SyncCopy.text("GlobalID", feature) ?? "", feature.geometry)
        })
    }
    #expect(shapes[0] == shapes[1])
  }

  @Test(arguments: [GenerateGeodatabaseParameters.SyncModel.perLayer, .perGeodatabase])
  func `The generation of changes may be given in their document alone`(
    _ model: GenerateGeodatabaseParameters.SyncModel
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: Self.root)
    let (first, second) = (
      try await bed.copy("first", model: model), try await bed.copy("second", model: model)
    )
    let feature = try await first.features()[0]
    try await first.rename(feature.objectID, "Renamed")
    _ = try await first.sync()
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard answer["edits"] == nil else { return nil }
        var answer = answer
        answer["layerServerGens"] = nil
        answer["replicaServerGen"] = nil
        return answer
      })
    let client = RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
    #expect(try await second.sync(.download, through: client).received.updates == 1)
    // The same change again would contradict this one.
    try await second.rename(feature.objectID, "Mine")
    let result = try await second.sync(through: client)
    #expect(result.received.conflicts == 0 && result.sent == 1 && result.issues.isEmpty)
    let id = try #require(SyncCopy.text("GlobalID", feature)).uppercased()
    #expect(try await bed.values()[id] == "Mine")
  }

  @Test func `A file attached since the conflicts were listed is not discarded with the feature`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory, root: Self.root)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    try await first.delete(feature.objectID)
    try await second.rename(feature.objectID, "Second")
    _ = try await first.sync()
    _ = try await second.sync()
    let listed = try #require(try await second.using { try await $0.syncIssuesToDecide() }.first)
    let edits = listed.edits
    try await second.attach("later.txt", to: feature.objectID)
    await #expect(throws: FeatureEditError.self) {
      try await second.using { store in
        try await store.resolve(listed.issue.id, as: .theirs, ifStill: edits)
      }
    }
    #expect(try await second.attachments(of: feature.objectID).contains("later.txt"))
    #expect(try await second.issues().count == 1)
  }

  @Test(arguments: SyncIssue.Resolution.allCases)
  func `Values changed on both sides wait for a decision, and refused ones are listed`(
    _ resolution: SyncIssue.Resolution
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: Self.root)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    try await first.rename(feature.objectID, "First")
    try await second.rename(feature.objectID, "Second")
    _ = try await first.sync()
    let issue = try #require(try await second.sync().issues.first)
    #expect(issue.theirs?.json["attributes"]?["NAME"]?.string == "First")
    try await second.resolve(issue, resolution)
    _ = try await second.sync()
    let id = try #require(SyncCopy.text("GlobalID", feature)).uppercased()
    #expect(try await bed.values()[id] == (resolution == .mine ? "Second" : "First"))
    #expect(try await second.edits() == 0)
    // The service has lost the copy; it is made anew from JSON.
    try await bed.forgetReplicas()
    try await second.rename(feature.objectID, "Third")
    #expect(try await second.sync().isRegisteredAgain)
    #expect(try await bed.values()[id] == "Third")
    #expect(try await second.values() == bed.values())
  }

  @Test(arguments: [
    ("*/synchronizeReplica", 1), ("*/synchronizeReplica", 3), ("*/jobs/*", 2),
    ("*/replicafilescache/*", 0),
  ])
  func `An interrupted exchange neither loses nor repeats edits`(
    _ path: String, _ skip: Int
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: Self.root)
    let copy = try await bed.copy("first")
    try await copy.rename(try await copy.features()[0].objectID, "Renamed")
    let added = try await copy.add("New Light")
    let kind: DemoFault.Kind = path.contains("filescache") ? .drop : .cut(after: 1)
    await bed.state.add(DemoFault(kind, path: path, skip: skip, count: 1))
    // Whether it gets through depends on where it was cut.
    _ = try? await copy.sync()
    #expect(try await copy.values()[added.uppercased()] == "New Light")
    _ = try await copy.sync()
    #expect(try await copy.edits() == 0)
    let values = try await bed.values()
    #expect(values.values.count { $0 == "New Light" } == 1 && values.values.contains("Renamed"))
    #expect(try await copy.values() == values)
  }

  @Test(arguments: [GenerateGeodatabaseParameters.SyncModel.perLayer, .perGeodatabase])
  func `What comes without a field is not taken in, edits stay, and all of it comes again`(
    _ model: GenerateGeodatabaseParameters.SyncModel
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: Self.root)
    let copy = try await bed.copy("first", model: model)
    let feature = try await copy.features()[0]
    let id = try #require(SyncCopy.text("GlobalID", feature)).uppercased()
    let names = try await copy.values()
    try await bed.rename(feature, "Renamed")
    // The changes have their names in a field that this replica does not have.
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard answer["edits"] != nil else { return nil }
        let text = JSONValue.object(answer).text().replacing("\"NAME\":", with: "\"NEW_NAME\":")
        // It is JSON, since it was.
        return (try? JSONValue(parsing: Data(text.utf8)))?.object
      })
    let client = RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
    let received = try await copy.sync(.download, through: client).received
    #expect(received.updates == 0)
    #expect(received.changedFields.map(\.missing) == [["NAME"]])
    #expect(received.changedFields.map(\.unknown) == [["NEW_NAME"]])
    #expect(try await copy.values() == names)
    let other = try await copy.features()[1]
    try await copy.rename(other.objectID, "Mine")
    if model == .perLayer {
      #expect(try await copy.sync(through: client).sent == 0)
    } else {
      await #expect(throws: ChangedFields.self) { try await copy.sync(through: client) }
    }
    #expect(try await copy.edits() == 1)
    #expect(try await !bed.values().values.contains("Mine"))
    // The field has its name again.
    let done = try await copy.sync()
    #expect(done.issues.isEmpty && done.sent == 1 && done.received.updates == 1)
    #expect(try await bed.values()[id] == "Renamed")
    #expect(try await copy.values() == bed.values())
  }

  @Test(arguments: [
    (GenerateGeodatabaseParameters.SyncModel.perLayer, true), (.perGeodatabase, false),
  ])
  func `A copy that comes as JSON is registered as it was asked for`(
    _ model: GenerateGeodatabaseParameters.SyncModel, _ returnsAttachments: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: Self.root)
    let copy = try await bed.copy("first", model: model, returnsAttachments: returnsAttachments)
    let replica = try #require(try await copy.using { try await $0.syncReplica() })
    let known = try await ReplicaTask(service: bed.service).replicas()
    #expect(known.map { SyncCopy.plain($0.id) } == [replica.replicaID.uuidString])
    #expect(known.map(\.name) == [replica.name])
    #expect(replica.serviceURL == bed.service.url.absoluteString && replica.owner.isEmpty)
    #expect(replica.syncModel == (model == .perLayer ? .perLayer : .perReplica))
    #expect(replica.direction == .bidirectional && replica.created == DemoBed.day)
    #expect(replica.attachmentsDirection == (returnsAttachments ? .bidirectional : .upload))
    #expect(replica.returnsAttachments == returnsAttachments && replica.lastSync == nil)
    let box = Envelope(xMin: -72, yMin: 42, xMax: -66, yMax: 48)
    #expect(replica.geometry.flatMap { Geometry.polygon($0).extent } == box)
    #expect(replica.spatialReference?.isWGS84 == true)
    #expect((replica.serverGeneration == nil) == (model == .perLayer))
    #expect(replica.layers.map(\.layerID) == [SyncBed.layer])
    let layer = try #require(replica.layers.first)
    #expect(layer.queryOption == .all && layer.whereClause.isEmpty)
    #expect(!layer.usesGeometry && layer.includesRelated)
  }

  @Test func `A map is taken offline from it and synchronized`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let service = "https://demo.test/server102/rest/services/ExploreMaine/FeatureServer"
    let layers = [(1, "Lighthouses"), (0, "Towns")].map { number, name -> JSONValue in
      [
        "id": .string(name), "title": .string(name), "layerType": "ArcGISFeatureLayer",
        "url": .string("\(service)/\(number)"),
      ]
    }
    let made = try await bed.make(try await bed.parameters(operational: layers))
    #expect(made.outcome.isComplete, "\(made.outcome.failedItems)")
    let count = try await made.count("Lighthouses")
    #expect(count > 0)
    #expect(try await made.count("Towns") > 0)
    #expect(try await made.attachments("Lighthouses") > 0)
    // It is a copy of what a service with geodatabases gives.
    let other = try await OfflineJobBed(in: temporaryDirectory.appending(path: "2"))
    let same = try await other.make(
      try await other.parameters(operational: [
        OfflineJobBed.layer(1, "Lighthouses"), OfflineJobBed.layer(0, "Towns"),
      ]))
    #expect(try await same.count("Lighthouses") == count)
    #expect(try await same.count("Towns") == made.count("Towns"))
    #expect(try await same.attachments("Lighthouses") == made.attachments("Lighthouses"))
    let schemas = try await [made, same].asyncMap { made in
      try await made.geodatabase()?.schemas().map { $0.fields.map(\.name) }
    }
    #expect(schemas[0] == schemas[1])
  }

  @Test func `Rows and attachments that a copy lists repeatedly are taken once`() async throws {
    let file = temporaryDirectory.appending(path: "twice.geodatabase")
    let schema = FeatureTableSchema(
      name: "Sites",
      fields: [
        Field("OBJECTID", .objectID), Field("NAME", .string), Field("GlobalID", .globalID),
      ], globalIDField: "GlobalID", hasAttachments: true, serviceLayerID: 0)
    let options = GenerateGeodatabaseParameters(
      layerOptions: [GenerateLayerOption(layerID: 0)],
      extent: OfflineArea(.init(xMin: 0, yMin: 0, xMax: 1, yMax: 1), .wgs84),
      returnsAttachments: true, attachmentSyncDirection: .bidirectional, syncModel: .none)
    let (id, other) = (
      "22222222-0000-4000-8000-00000000000A", "22222222-0000-4000-8000-00000000000B"
    )
    func row(_ number: Int, _ id: String) -> String {
      #"{"attributes": {"OBJECTID": \#(number), "NAME": "A", "GlobalID": "\#(id)"}}"#
    }
    let photo = """
      {"globalId": "33333333-0000-4000-8000-000000000001", "parentGlobalId": "\(id)",
       "name": "a.txt", "contentType": "text/plain", "data": "YQ=="}
      """
    try Data(
      """
      {"layers": [
        {"id": 0, "features": [\(row(1, id)), \(row(1, "{\(id.lowercased())}"))],
         "attachments": [\(photo), \(photo)]},
        {"id": 0, "features": [\(row(1, id)), \(row(2, other))], "attachments": [\(photo)]}]}
      """.utf8
    ).write(to: file)
    let service = try await SyncBed(in: temporaryDirectory).service
    let copy = try #require(try ReplicaJSON(readingFrom: file, options, service, [.init(schema)]))
    try await copy.write(to: file, now: DemoBed.day) { UUID() }
    let made = try Geodatabase.open(at: file)
    let sites = try await made.features(in: "Sites", matching: QueryParameters()).collect()
    #expect(sites.map(\.objectID).sorted() == [1, 2])
    #expect(try await made.attachments(of: 1, in: "Sites").map(\.name) == ["a.txt"])
  }

  @Test func `Attachments come to features whose global ids are plain texts`() async throws {
    let file = temporaryDirectory.appending(path: "texts.geodatabase")
    let schema = FeatureTableSchema(
      name: "Sites",
      fields: [
        Field("OBJECTID", .objectID), Field("NAME", .string), Field("GlobalID", .string),
      ], globalIDField: "GlobalID", hasAttachments: true, serviceLayerID: 0)
    let options = GenerateGeodatabaseParameters(
      layerOptions: [GenerateLayerOption(layerID: 0)],
      extent: OfflineArea(.init(xMin: 0, yMin: 0, xMax: 1, yMax: 1), .wgs84),
      returnsAttachments: true, attachmentSyncDirection: .bidirectional, syncModel: .none)
    let ids = ["a", "b"].map { "22222222-0000-4000-8000-00000000000\($0)" }
    func photo(_ number: Int, _ parent: String) -> String {
      """
      {"globalId": "33333333-0000-4000-8000-00000000000\(number)",
       "parentGlobalId": "\(parent)", "name": "\(number).txt", "contentType": "text/plain",
       "data": "YQ=="}
      """
    }
    let rows = zip([4, 7], ids).map { number, id in
      #"{"attributes": {"OBJECTID": \#(number), "NAME": "A", "GlobalID": "\#(id)"}}"#
    }
    try Data(
      """
      {"layers": [{"id": 0, "features": [\(rows.joined(separator: ","))], "attachments": [
        \(photo(1, ids[1])), \(photo(2, "{\(ids[0].uppercased())}")), \(photo(3, "c"))]}]}
      """.utf8
    ).write(to: file)
    let service = try await SyncBed(in: temporaryDirectory).service
    let copy = try #require(try ReplicaJSON(readingFrom: file, options, service, [.init(schema)]))
    try await copy.write(to: file, now: DemoBed.day) { UUID() }
    let made = try Geodatabase.open(at: file)
    #expect(try await made.attachments(of: 4, in: "Sites").map(\.name) == ["2.txt"])
    #expect(try await made.attachments(of: 7, in: "Sites").map(\.name) == ["1.txt"])
  }

  @Test func `Rows that do not fit a copy are listed, and the others are in it`() async throws {
    let file = temporaryDirectory.appending(path: "misfits.geodatabase")
    let schema = FeatureTableSchema(
      name: "Sites",
      fields: [
        Field("OBJECTID", .objectID), Field("NAME", .string, length: 3),
        Field("GlobalID", .globalID),
      ], globalIDField: "GlobalID", hasAttachments: true, serviceLayerID: 0)
    let options = GenerateGeodatabaseParameters(
      layerOptions: [GenerateLayerOption(layerID: 0)],
      extent: OfflineArea(.init(xMin: 0, yMin: 0, xMax: 1, yMax: 1), .wgs84),
      returnsAttachments: true, attachmentSyncDirection: .bidirectional, syncModel: .perLayer)
    let ids = ["A", "B", "C"].map { "22222222-0000-4000-8000-00000000000\($0)" }
    func row(_ number: Int, _ name: String, _ id: String) -> String {
      #"{"attributes": {"OBJECTID": \#(number), "NAME": "\#(name)", "GlobalID": "\#(id)"}}"#
    }
    try Data(
      """
      {"replicaID": "\(UUID())", "replicaName": "copy", "layers": [
        {"id": 0, "features": [
           \(row(1, "One", ids[0])), \(row(2, "Too long", ids[1])), \(row(1, "Two", ids[2]))],
         "attachments": [{"globalId": "33333333-0000-4000-8000-000000000001",
           "parentGlobalId": "\(ids[1])", "name": "a.txt", "contentType": "text/plain",
           "data": "YQ=="}]}]}
      """.utf8
    ).write(to: file)
    let service = try await SyncBed(in: temporaryDirectory).service
    let copy = try #require(try ReplicaJSON(readingFrom: file, options, service, [.init(schema)]))
    try await copy.write(to: file, now: DemoBed.day) { UUID() }
    let store = try EditableGeodatabase.open(at: file, now: { DemoBed.day }, makeID: { UUID() })
    let sites = try await store.features(in: "Sites", matching: QueryParameters()).collect()
    #expect(sites.map { SyncCopy.text("NAME", $0) } == ["One", "Two"])
    let issues = try await store.syncIssues()
    #expect(issues.map(\.kind) == [.unstorable])
    #expect(issues.first?.globalID == "{\(ids[1])}")
    #expect(try await store.localChanges().changes.isEmpty)
    await store.close()
  }

  @Test func `A copy that is cut or lacks a layer is not taken for whole`() async throws {
    let json = temporaryDirectory.appending(path: "cut.geodatabase")
    let schema = FeatureTableSchema(name: "Sites", fields: [], serviceLayerID: 0)
    let service = try await SyncBed(in: temporaryDirectory).service
    let options = GenerateGeodatabaseParameters(
      layerOptions: [GenerateLayerOption(layerID: 0)],
      extent: OfflineArea(.init(xMin: 0, yMin: 0, xMax: 1, yMax: 1), .wgs84),
      returnsAttachments: false, attachmentSyncDirection: .none, syncModel: .perLayer)
    try Data(#"{"replicaID": "x", "layers": [{"id": 0, "featu"#.utf8).write(to: json)
    #expect(throws: OfflineMapError.self) {
      _ = try ReplicaJSON(readingFrom: json, options, service, [.init(schema)])
    }
    try Data(#"{"layers": []}"#.utf8).write(to: json)
    let copy = try #require(try ReplicaJSON(readingFrom: json, options, service, [.init(schema)]))
    await #expect(throws: OfflineMapError.self) {
      try await copy.write(to: json, now: DemoBed.day) { UUID() }
    }
  }
}

extension Sequence {
  fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
    var values: [T] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
