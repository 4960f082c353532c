import DemoPortal
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

/// Services that leave things out, refuse in silence, or answer in other ways than expected must
/// cost nobody anything, whether changes travel as geodatabases (`arcgis`) or as JSON
/// (`server102`).
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct LyingSyncTests {
  private static let roots = ["arcgis", "server102"]

  /// A client that hears other changes than the service has sent.
  private func client(
    _ bed: SyncBed, changing change: @escaping @Sendable (JSONValue) -> [JSONValue]
  ) -> RESTClient {
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard let edits = answer["edits"]?.array else { return nil }
        var answer = answer
        answer["edits"] = .array(edits.flatMap(change))
        return answer
      })
    return RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
  }

  private func shape(of name: String, _ copy: SyncCopy) async throws -> Geometry? {
    try await copy.features().first { SyncCopy.text("NAME", $0) == name }?.geometry
  }

  // MARK: - Copies

  @Test func `Changes of another copy are refused, and come later`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    try await first.rename(feature.objectID, "One")
    _ = try await first.sync()
    let before = try await second.values()
    let others = "{11111111-2222-3333-4444-555555555555}"
    let client = RESTClient(
      transport: DamagingTransport(
        bed.transport, folder: temporaryDirectory, table: "GDB_DataChanges",
        statement: "UPDATE GDB_DataChanges SET ReplicaGUID = '\(others)'"),
      authenticator: AnonymousAuthenticator())
    await #expect(throws: OfflineMapError.self) { _ = try await second.sync(through: client) }
    #expect(try await second.values() == before)
    _ = try await second.sync()
    #expect(try await second.values() == first.values())
  }

  // MARK: - Shapes

  @Test func `A feature that comes damaged and is damaged at the service too stays as it was`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    let (id, name) = (
      try #require(SyncCopy.text("GlobalID", feature)),
      try #require(SyncCopy.text("NAME", feature))
    )
    let before = try await shape(of: name, second)
    try await first.rename(feature.objectID, "One")
    _ = try await first.sync()
    let damaging = DamagingTransport(
      bed.transport, folder: temporaryDirectory, table: "T_1_updates",
      statement: "UPDATE T_1_updates SET SHAPE = substr(SHAPE, 1, 10)")
    let answer: JSONValue = [
      "count": 1, "objectIdFieldName": "OBJECTID", "globalIdFieldName": "GlobalID",
      "geometryType": "esriGeometryPoint",
      "fields": [
        ["name": "OBJECTID", "type": "esriFieldTypeOID"],
        ["name": "GlobalID", "type": "esriFieldTypeGlobalID"],
        ["name": "NAME", "type": "esriFieldTypeString"],
      ],
      "features": [
        [
          "attributes": ["OBJECTID": 1, "GlobalID": .string(id), "NAME": "One"],
          "geometry": ["x": "west", "y": "north"],
        ]
      ],
    ]
    let client = RESTClient(
      transport: AnsweringTransport(inner: damaging, path: "/query", answer: answer.encoded()),
      authenticator: AnonymousAuthenticator())
    let result = try await second.sync(through: client)
    #expect(result.withheld == 1 && result.issues.first?.isIncomplete == true)
    #expect(before != nil)
    #expect(try await shape(of: name, second) == before)
    #expect(try await second.sync().issues.isEmpty)
    #expect(try await shape(of: "One", second) == before)
  }

  @Test(arguments: roots)
  func `A shape that is removed here is removed at the service`(_ root: String) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: root)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    let name = try #require(SyncCopy.text("NAME", feature))
    #expect(try await shape(of: name, second) != nil)
    try await first.edit(
      .update(
        .objectID(feature.objectID), table: SyncBed.table, attributes: [:], geometry: .remove))
    #expect(try await first.sync().sent == 1)
    #expect(try await second.sync().received.updates == 1)
    #expect(try await shape(of: name, second) == nil)
    #expect(try await second.values() == bed.values())
  }

  @Test func `Changes without shapes leave those that are here`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: "server102")
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    try await first.rename(feature.objectID, "One")
    _ = try await first.sync()
    let client = client(bed) { entry in
      var members = entry.object ?? [:]
      var rows = entry["features"]?.object ?? [:]
      rows["updates"] = .array(
        (rows["updates"]?.array ?? []).map { row in
          var row = row.object ?? [:]
          row["geometry"] = nil
          return .object(row)
        })
      members["features"] = .object(rows)
      return [.object(members)]
    }
    let result = try await second.sync(through: client)
    #expect(result.withheld == 0)
    #expect(try await shape(of: "One", second) == feature.geometry)
  }

  @Test func `A deletion that does not say of what is not passed over`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: "server102")
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    try await first.delete(try await first.features()[0].objectID)
    _ = try await first.sync()
    let client = client(bed) { entry in
      var members = entry.object ?? [:]
      var rows = entry["features"]?.object ?? [:]
      for name in ["deletes", "deleteIds"] where rows[name] != nil { rows[name] = [7] }
      members["features"] = .object(rows)
      return [.object(members)]
    }
    await #expect(throws: OfflineMapError.self) { try await second.sync(through: client) }
    #expect(try await second.sync().received.deletes == 1)
    #expect(try await second.values() == bed.values())
  }

  // MARK: - Attachments

  @Test(arguments: roots)
  func `An attachment that the service refuses stays, and is listed`(_ root: String) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: root)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await second.features()[0]
    let id = try #require(SyncCopy.text("GlobalID", feature)).uppercased()
    try await second.attach("photo.txt", to: feature.objectID)
    try await first.delete(try #require(first.objectID(of: id)))
    _ = try await first.sync()
    // The feature is gone when the attachment arrives.
    let sent = try await second.sync(.upload)
    #expect(sent.sent == 0 && sent.issues.count == 1)
    #expect(try await second.edits() == 1)
    let result = try await second.sync()
    #expect(result.issues.first?.isGoneThere == true)
    #expect(try await second.attachments()[id]?.contains("photo.txt") == true)
    try await second.resolve(try #require(result.issues.first), .mine)
    #expect(try await second.sync().issues.isEmpty)
    #expect(try await bed.attachments(of: id).contains("photo.txt"))
  }

  @Test(arguments: roots)
  func `An attachment that the service refuses does not keep those that did not fit beside it`(
    _ root: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: root)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let features = try await second.features()
    let ids = try features[0...1].map { try #require(SyncCopy.text("GlobalID", $0)).uppercased() }
    for feature in features[0...1] { try await second.attach("photo.txt", to: feature.objectID) }
    // The first feature is gone when its attachment arrives.
    try await first.delete(try #require(first.objectID(of: ids[0])))
    _ = try await first.sync()
    let surroundings = OfflineSurroundings(
      freeSpace: { _ in nil }, clock: ImmediateClock(), now: { DemoBed.day }, chance: { 0 },
      makeID: { UUID() })
    let sent = try await second.using { store in
      let exchange = ReplicaExchange(
        task: ReplicaTask(service: bed.service),
        replicaID: try #require(try await store.syncState()).replicaID, folder: bed.folder,
        surroundings: surroundings, attachmentLimit: 1)
      var (receipt, sent) = (SyncReceipt(), SentEdits())
      try await exchange.uploadEdits(of: store, after: &receipt, counting: &sent)
      return sent.total
    }
    #expect(sent == 1)
    #expect(try await bed.attachments(of: ids[1]).contains("photo.txt"))
    #expect(try await second.edits() == 1)
  }

  @Test(arguments: roots)
  func `An edit that the service refuses takes no other back`(_ root: String) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: root)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await second.features()[0]
    let id = try #require(SyncCopy.text("GlobalID", feature)).uppercased()
    try await first.delete(try #require(first.objectID(of: id)))
    _ = try await first.sync()
    // The feature is gone when its edit arrives.
    try await second.rename(feature.objectID, "Gone")
    let added = try await second.add("New Light")
    #expect(try await second.sync(.upload).sent == 1)
    #expect(try await bed.values()[added.uppercased()] == "New Light")
    #expect(try await second.edits() == 1)
  }

  @Test func `A refused attachment is discarded without the edits of its feature`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    let id = try #require(SyncCopy.text("GlobalID", feature)).uppercased()
    let before = try await copy.attachments(of: feature.objectID)
    try await copy.attach("photo.txt", to: feature.objectID)
    // The service takes the upload, but does not keep the attachment.
    let upload = try await copy.using { store in
      let upload = try await store.makeUpload()
      try await store.setPendingUpload(PendingUpload(edits: upload.edits, moment: upload.moment))
      return upload
    }
    let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
    let results = try await AttachmentCheck(service: bed.service).results(of: pending, [])
    #expect(results.map(\.isSuccess) == [false])
    try await copy.using { _ = try await $0.finish(pending, results: results) }
    let issue = try #require(try await copy.issues().first)
    #expect(issue.kind == .rejected && issue.edit == "attachments")
    try await copy.rename(feature.objectID, "Mine")
    try await copy.resolve(issue, .theirs)
    #expect(try await copy.attachments(of: feature.objectID) == before)
    #expect(try await copy.sync().sent == 1)
    #expect(try await bed.values()[id] == "Mine")
  }

  @Test func `The contents of a replaced attachment at the service are unknown`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    try await copy.attach("photo.txt", to: feature.objectID)
    #expect(try await copy.sync().sent == 1)
    try await copy.replaceAttachment("photo.txt", with: "other contents")
    let upload = try await copy.using { try await $0.makeUpload() }
    let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
    #expect(upload.edits.count == 1)
    #expect(try await AttachmentCheck(service: bed.service).results(of: pending, []).isEmpty)
    try await copy.using { _ = try await $0.finish(pending, results: [], isCertain: false) }
    #expect(try await copy.edits() == 1)
  }

  @Test(arguments: [true, false])
  func `A truncated attachment list is requested in parts; one without ids says nothing`(
    _ isCut: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    try await copy.attach("a.txt", to: feature.objectID)
    _ = try await copy.sync()
    try await copy.attach("b.txt", to: feature.objectID)
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard let groups = answer["attachmentGroups"]?.array else { return nil }
        var answer = answer
        if isCut { answer["exceededTransferLimit"] = true }
        answer["attachmentGroups"] = .array(
          groups.map { group in
            var group = group.object ?? [:]
            let files = group["attachmentInfos"]?.array ?? []
            group["attachmentInfos"] = .array(
              files.map { file in
                isCut ? file : ["id": file["id"] ?? .null, "name": file["name"] ?? .null]
              })
            return .object(group)
          })
        return answer
      })
    let service = FeatureService(
      url: bed.service.url,
      client: RESTClient(transport: lying, authenticator: AnonymousAuthenticator()))
    let upload = try await copy.using { try await $0.makeUpload() }
    let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
    #expect(upload.edits.count == 1)
    #expect(
      try await AttachmentCheck(service: bed.service).results(of: pending, [])
        .map(\.isSuccess) == [false])
    let results = try await AttachmentCheck(service: service).results(of: pending, [])
    #expect(results.map(\.isSuccess) == (isCut ? [false] : []))
  }

  @Test func `Attachments of which nothing is known after errors of the service are sent again`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    try await copy.rename(feature.objectID, "Mine")
    try await copy.attach("photo.txt", to: feature.objectID)
    let silent = DamagingTransport(
      bed.transport, folder: temporaryDirectory, table: "none", statement: "", refusesQueries: true)
    let client = RESTClient(
      transport: LyingTransport(
        silent,
        answering: { answer in
          guard answer["status"]?.string == "Completed" else { return nil }
          var answer = answer
          answer["status"] = "CompletedWithErrors"
          return answer
        }), authenticator: AnonymousAuthenticator())
    #expect(try await copy.sync(.upload, through: client).sent == 1)
    #expect(try await copy.edits() == 1)
    _ = try await copy.sync()
    #expect(try await copy.edits() == 0)
    let id = try #require(SyncCopy.text("GlobalID", feature))
    #expect(try await bed.attachments(of: id).contains("photo.txt"))
  }

  @Test func `Rows and attachments of a layer may come in places of their own`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: "server102")
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    try await first.rename(feature.objectID, "One")
    try await first.attach("photo.txt", to: feature.objectID)
    _ = try await first.sync()
    let client = client(bed) { entry in
      let id = entry["id"] ?? .null
      return [
        ["id": id, "features": entry["features"] ?? .null],
        ["id": id, "attachments": entry["attachments"] ?? .null],
      ]
    }
    _ = try await second.sync(through: client)
    #expect(try await second.values() == bed.values())
    #expect(try await second.attachments() == first.attachments())
  }

  @Test func `A copy that is registered as that of another receives attachments of others`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let surroundings = OfflineSurroundings(
      freeSpace: { _ in nil }, clock: ImmediateClock(), now: { DemoBed.day }, chance: { 0 },
      makeID: { UUID() })
    try await second.using { store in
      let old = try #require(try await store.syncState()).replicaID
      let exchange = ReplicaExchange(
        task: ReplicaTask(service: bed.service), replicaID: old, folder: bed.folder,
        surroundings: surroundings)
      _ = try await ReplicaRegistration(exchange: exchange).register(store, as: old)
      #expect(try await store.syncState()?.replicaID != old)
    }
    try await first.attach("photo.txt", to: try await first.features()[0].objectID)
    _ = try await first.sync()
    _ = try await second.sync()
    #expect(try await second.attachments() == first.attachments())
  }

  // MARK: - Copies that are made anew

  @Test(arguments: roots)
  func `A copy that takes no attachments keeps those that were sent from here`(
    _ root: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: root)
    let copy = try await bed.copy("first", returnsAttachments: false)
    let feature = try await copy.features()[0]
    try await copy.attach("photo.txt", to: feature.objectID)
    #expect(try await copy.sync().sent == 1)
    try await bed.forgetReplicas()
    try await copy.rename(feature.objectID, "One")
    #expect(try await copy.sync().isRegisteredAgain)
    #expect(try await copy.attachments(of: feature.objectID) == ["photo.txt"])
    #expect(try await copy.edits() == 0)
  }

  @Test(arguments: roots)
  func `A copy that takes no features keeps those that were sent from here`(
    _ root: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: root)
    let copy = try await bed.copy("first", rows: .none)
    #expect(try await copy.features().isEmpty)
    let (kept, gone) = (try await copy.add("Kept"), try await copy.add("Gone"))
    try await copy.attach("photo.txt", to: try #require(copy.objectID(of: kept)))
    _ = try await copy.sync()
    try await bed.forgetReplicas()
    let there = try #require(try await bed.objectID(of: gone))
    _ = try await bed.edit(["deletes": "\(there)"])
    let own = try #require(try await bed.objectID(of: kept))
    _ = try await bed.edit([
      "updates": #"[{"attributes": {"OBJECTID": \#(own), "NAME": "Renamed"}}]"#
    ])
    let again = try await copy.add("Another")
    #expect(try await copy.sync().isRegisteredAgain)
    #expect(try await Set(copy.values().keys) == [kept.uppercased(), again.uppercased()])
    #expect(try await copy.values()[kept.uppercased()] == "Renamed")
    #expect(try await copy.attachments()[kept.uppercased()] == ["photo.txt"])
    #expect(try await bed.values()[again.uppercased()] == "Another")
  }

  @Test(arguments: [
    #", "features": [{"attributes": {"NAME": "No one"}}]"#, "",
    #", "features": [], "exceededTransferLimit": true"#,
  ])
  func `A copy in JSON whose rows do not say which they are, or are not all, is refused`(
    _ rows: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: "server102")
    let schema = try #require(try await bed.service.table(SyncBed.layer).info.schema)
    let options = GenerateGeodatabaseParameters(
      layerOptions: [GenerateLayerOption(layerID: SyncBed.layer)],
      extent: OfflineArea(.init(xMin: 0, yMin: 0, xMax: 1, yMax: 1), .wgs84),
      returnsAttachments: false, attachmentSyncDirection: .none, syncModel: .perLayer)
    let file = temporaryDirectory.appending(path: "copy.json")
    let text = """
      {"replicaID": "\(UUID())", "replicaName": "copy", "layers": [{"id": \(SyncBed.layer)\(rows)}]}
      """
    try Data(text.utf8).write(to: file)
    let copy = try #require(
      try ReplicaJSON(readingFrom: file, options, bed.service, [.init(schema)]))
    await #expect(throws: OfflineMapError.self) {
      try await copy.write(to: file, now: DemoBed.day) { UUID() }
    }
  }

  @Test(arguments: ["arcgis", "server102"])
  func `A feature that the service stores under another id is not sent again and again`(
    _ root: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: root)
    let copy = try await bed.copy("first")
    let added = SyncCopy.plain(try await copy.add("New Light"))
    let upload = try await copy.using { try await $0.makeUpload() }
    let other = UUID().uuidString
    let client = RESTClient(
      transport: LyingTransport(
        bed.transport,
        hearing: { text in
          guard text.contains("edits=") else { return text }
          return text.replacing(added, with: other).replacing(added.lowercased(), with: other)
        }), authenticator: AnonymousAuthenticator())
    if root == "server102" {
      for _ in 0..<2 {
        let result = try await copy.sync(.upload, through: client)
        #expect(result.sent == 0 && result.issues.map(\.kind) == [.rejected])
        #expect(try await bed.values().values.filter { $0 == "New Light" }.count == 1)
      }
      #expect(try await copy.edits() == 1)
      return
    }
    // Whatever it says: if it has the feature as it was sent, that has arrived.
    _ = try await copy.sync()
    let said = GeodatabaseDelta.EditResult(
      objectID: 7, globalID: other, isSuccess: true, kind: .add, layerID: SyncBed.layer)
    let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
    let service = bed.service
    let results = try await copy.using { store in
      try await RepeatedFeatures(service: service, store: store)
        .recognized(in: [said], of: pending)
    }
    #expect(results.map(\.isSuccess) == [true])
    #expect(results.compactMap(\.globalID).map(SyncCopy.plain) == [added])
  }

  @Test(arguments: [GenerateGeodatabaseParameters.SyncModel.perLayer, .perGeodatabase])
  func `Generations that only the changes themselves tell are kept`(
    _ model: GenerateGeodatabaseParameters.SyncModel
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (
      try await bed.copy("first"), try await bed.copy("second", model: model)
    )
    try await first.rename(try await first.features()[0].objectID, "One")
    _ = try await first.sync()
    let client = client(withoutGenerations: bed.transport)
    #expect(try await second.sync(through: client).received.updates == 1)
    #expect(try await second.sync(through: client).received.updates == 0)
    #expect(try await second.values() == first.values())
  }

  private func client(withoutGenerations transport: any HTTPTransport) -> RESTClient {
    RESTClient(
      transport: LyingTransport(
        transport,
        answering: { answer in
          guard answer["status"] != nil else { return nil }
          var answer = answer
          answer["layerServerGens"] = nil
          answer["replicaServerGen"] = nil
          return answer
        }), authenticator: AnonymousAuthenticator())
  }

  @Test func `A generation that the service has not reached hides no later changes`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let id = try await first.features()[0].objectID
    try await first.rename(id, "One")
    _ = try await first.sync()
    let client = client(
      withoutGenerations: DamagingTransport(
        bed.transport, folder: temporaryDirectory, table: "GDB_DataChangesDatasets",
        statement: "UPDATE GDB_DataChangesDatasets SET ServerGen = '9000000000000000000'"))
    #expect(try await second.sync(through: client).received.updates == 1)
    try await first.rename(id, "Two")
    _ = try await first.sync()
    #expect(try await second.sync(through: client).received.updates == 1)
    #expect(try await second.values() == first.values())
  }

  @Test(arguments: [GenerateGeodatabaseParameters.SyncModel.perLayer, .perGeodatabase])
  func `A generation that the service states too early hides no later changes`(
    _ model: GenerateGeodatabaseParameters.SyncModel
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (
      try await bed.copy("first"), try await bed.copy("second", model: model)
    )
    let client = RESTClient(
      transport: LyingTransport(
        bed.transport,
        answering: { answer in
          guard answer["status"] != nil else { return nil }
          var answer = answer
          let late: JSONValue = 9_000_000_000_000_000_000
          if answer["replicaServerGen"] != nil { answer["replicaServerGen"] = late }
          let layers = answer["layerServerGens"]?.array ?? []
          answer["layerServerGens"] = .array(
            layers.map { ["id": $0["id"] ?? .null, "serverGen": late] })
          return answer
        }), authenticator: AnonymousAuthenticator())
    #expect(try await second.sync(through: client).received.updates == 0)
    let id = try await first.features()[0].objectID
    for name in ["One", "Two"] {
      try await first.rename(id, name)
      _ = try await first.sync()
      #expect(try await second.sync(through: client).received.updates == 1)
      #expect(try await second.values() == first.values())
    }
  }

  // MARK: - Jobs

  @Test(arguments: [
    #"{"status": "Failed", "error": {"code": 500, "message": "Error synchronizing."}}"#,
    #"{"status": "Failed", "messages": ["Error synchronizing."]}"#,
    #"{"error": {"code": 400, "message": "There is no such job."}}"#,
  ])
  func `An upload whose outcome the service does not know is sent again`(
    _ answer: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let added = try await copy.add("New Light")
    try await copy.sendInVain(in: bed, at: DemoBed.day)
    let client = RESTClient(
      transport: AnsweringTransport(
        inner: bed.transport, path: "/jobs/lost", answer: Data(answer.utf8)),
      authenticator: AnonymousAuthenticator())
    #expect(try await copy.sync(through: client).sent == 1)
    #expect(try await bed.values()[added.uppercased()] == "New Light")
    #expect(try await copy.edits() == 0)
  }

  @Test(arguments: [
    #"{"status": "InProgress"}"#,
    #"{"error": {"code": 503, "message": "The server is starting."}}"#,
    "<html>Sign in to this network.</html>", #"{"what": "else"}"#, #"[{"status": "Failed"}]"#,
  ])
  func `An upload that the service may still work on is waited for, for some hours`(
    _ answer: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let added = try await copy.add("New Light")
    try await copy.sendInVain(in: bed, at: DemoBed.day)
    let client = RESTClient(
      transport: AnsweringTransport(
        inner: bed.transport, path: "/jobs/lost", answer: Data(answer.utf8)),
      authenticator: AnonymousAuthenticator())
    await #expect(throws: (any Error).self) { try await copy.sync(through: client) }
    #expect(try await copy.using { try await $0.pendingUpload() } != nil)
    let later = DemoBed.day.addingTimeInterval(7 * 3600)
    #expect(try await copy.sync(through: client, at: later).sent == 1)
    #expect(try await bed.values()[added.uppercased()] == "New Light")
  }

  @Test(arguments: [
    #"{"error": {"code": 403, "message": "You do not have permissions."}}"#,
    #"{"error": {"code": 404, "message": "Not found."}}"#, "<html>", #"{"what": "else"}"#,
  ])
  func `Where damaged features cannot be asked for, edits are sent all the same`(
    _ answer: String
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    try await first.rename(try await first.features()[0].objectID, "One")
    _ = try await first.sync()
    let added = try await second.add("Added")
    let damaging = DamagingTransport(
      bed.transport, folder: temporaryDirectory, table: "T_1_updates",
      statement: "UPDATE T_1_updates SET SHAPE = substr(SHAPE, 1, 10)")
    let client = RESTClient(
      transport: AnsweringTransport(inner: damaging, path: "/query", answer: Data(answer.utf8)),
      authenticator: AnonymousAuthenticator())
    let result = try await second.sync(through: client)
    #expect(result.sent == 1 && result.withheld == 1)
    #expect(try await bed.values()[added.uppercased()] == "Added")
  }
}

extension SyncCopy {
  /// Notes that all edits were sent by a job of which nothing has been heard.
  fileprivate func sendInVain(in bed: SyncBed, at moment: Date) async throws {
    try await using { store in
      let upload = try await store.makeUpload()
      try await store.setPendingUpload(
        PendingUpload(
          edits: upload.edits, moment: upload.moment,
          statusURL: bed.service.url.appending(path: "jobs/lost").absoluteString, submitted: moment)
      )
    }
  }

  /// The object id of a feature here.
  fileprivate func objectID(of globalID: String) async throws -> Int64? {
    try await features().first {
      Self.text("GlobalID", $0).map(Self.plain) == Self.plain(globalID)
    }?.objectID
  }
}
