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

/// The requests to a service while a replica is synchronized, in order.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SyncRequestTests {
  private static let names: Set<String> = ["synchronizeReplica", "upload", "query"]

  private func client(_ transport: any HTTPTransport) -> RESTClient {
    RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
  }

  private func state(_ copy: SyncCopy) async throws -> GeodatabaseSyncState {
    try #require(try await copy.using { try await $0.syncState() })
  }

  /// The requests that change or fetch features, by the last part of their addresses.
  private func operations(_ transport: ListeningTransport) -> [String] {
    transport.requests.map { $0.url.lastPathComponent }.filter { Self.names.contains($0) }
  }

  /// The parameters of `synchronizeReplica`, each time.
  private func exchanges(_ transport: ListeningTransport) -> [[String: String]] {
    transport.requests.filter { $0.url.lastPathComponent == "synchronizeReplica" }
      .map(\.parameters)
  }

  private func common(_ state: GeodatabaseSyncState, _ direction: String) -> [String: String] {
    [
      "f": "json", "replicaID": state.replicaID.uuidString.lowercased(),
      "syncDirection": direction, "async": "true", "transportType": "esriTransportTypeUrl",
      "dataFormat": "sqlite", "closeReplica": "false", "rollbackOnFailure": "false",
    ]
  }

  @Test(arguments: [GenerateGeodatabaseParameters.SyncModel.perLayer, .perGeodatabase])
  func `First what others have changed is asked for, then edits are sent as a file`(
    _ model: GenerateGeodatabaseParameters.SyncModel
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first", model: model)
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    let before = try await state(copy)
    let listening = ListeningTransport(bed.transport)
    #expect(try await copy.sync(through: client(listening)).sent == 1)
    let after = try await state(copy)
    #expect(operations(listening) == ["synchronizeReplica", "upload", "synchronizeReplica"])
    let sent = exchanges(listening)
    try #require(sent.count == 2)
    for (state, direction, full) in [(before, "download", sent[0]), (after, "upload", sent[1])] {
      var (form, expected) = (full, common(state, direction))
      if model == .perLayer {
        let layers = try JSONValue(parsing: form["syncLayers"] ?? "").array
        let generation = try #require(state.layers.first).serverGeneration
        let layer: JSONValue = [
          "id": 1, "serverGen": .integer(generation), "syncDirection": .string(direction),
        ]
        #expect(layers == [layer])
        form["syncLayers"] = nil
      } else {
        let generation = try #require(state.serverGeneration)
        expected["replicaServerGen"] = "\(generation)"
      }
      if direction == "upload" {
        #expect(form["editsUploadID"]?.isEmpty == false)
        form["editsUploadID"] = nil
        expected["editsUploadFormat"] = "sqlite"
      }
      #expect(form == expected)
    }
  }

  @Test func `Without a place for uploads, edits are sent in the request`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: "enterprise")
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    try await copy.rename(feature.objectID, "Mine")
    let listening = ListeningTransport(bed.transport)
    #expect(try await copy.sync(.upload, through: client(listening)).sent == 1)
    #expect(operations(listening) == ["synchronizeReplica"])
    let form = try #require(exchanges(listening).first)
    #expect(form["dataFormat"] == "sqlite" && form["editsUploadID"] == nil)
    #expect(form["editsUploadFormat"] == nil && form["returnAttachmentsDataByUrl"] == nil)
    let edits = try JSONValue(parsing: form["edits"] ?? "")
    #expect(edits.array?.count == 1 && edits[0]?["id"]?.int == 1)
    let features = edits[0]?["features"]
    let update = features?["updates"]?[0]?["attributes"]?.object
    #expect(update?.value(ignoringCase: "NAME")?.string == "Mine")
    #expect(features?["adds"]?.array?.isEmpty == true)
  }

  @Test func `A service that knows no geodatabases is asked once more, in JSON with the edits`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory, root: "server102")
    let copy = try await bed.copy("first")
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    let listening = ListeningTransport(bed.transport)
    #expect(try await copy.sync(through: client(listening)).sent == 1)
    let sent = exchanges(listening)
    try #require(sent.count == 4)
    #expect(sent.map { $0["dataFormat"] } == ["sqlite", "json", "sqlite", "json"])
    #expect(sent.map { $0["syncDirection"] } == ["download", "download", "upload", "upload"])
    #expect(sent.map { $0["returnAttachmentsDataByUrl"] } == [nil, "true", nil, "true"])
    #expect(sent[3]["editsUploadID"] == nil && sent[3]["editsUploadFormat"] == nil)
    #expect(sent[3]["edits"]?.contains("Mine") == true && sent[1]["edits"] == nil)
  }

  @Test func `Each direction asks for its own half alone`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let features = try await copy.features()
    try await bed.rename(features[1], "Theirs")
    try await copy.rename(features[0].objectID, "Mine")
    let halves: [(GeodatabaseSyncTask.Direction, Int)] = [(.download, 1), (.upload, 0)]
    for (direction, edits) in halves {
      let listening = ListeningTransport(bed.transport)
      let result = try await copy.sync(direction, through: client(listening))
      #expect(exchanges(listening).map { $0["syncDirection"] } == [direction.rawValue])
      #expect(result.received.updates == edits && result.sent == 1 - edits)
      #expect(result.tables == [1: SyncBed.table])
      #expect(try await copy.edits() == edits)
    }
  }

  @Test func `A conflict that waits is asked for no more, and nothing of it is sent`() async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    try await copy.rename(feature.objectID, "Mine")
    try await bed.rename(feature, "Theirs")
    #expect(try await copy.sync().waiting == 1)
    let listening = ListeningTransport(bed.transport)
    let result = try await copy.sync(through: client(listening))
    #expect(result.sent == 0 && result.waiting == 1 && result.withheld == 0)
    #expect(operations(listening) == ["synchronizeReplica"])
  }

  @Test func `No file of an exchange stays, whether it ended well or not`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    try await bed.rename(feature, "Theirs")
    try await copy.add("New Light")
    func left() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: bed.folder.path(percentEncoded: false))
        .filter { $0.hasPrefix("upload-") || $0.hasPrefix("received-") }
    }
    let fault = await bed.state.add(DemoFault(.cut(after: 1), path: "*/uploads/upload"))
    await #expect(throws: (any Error).self) { try await copy.sync() }
    #expect(try left() == [])
    await bed.state.removeFaults(fault)
    #expect(try await copy.sync().sent == 1)
    #expect(try left() == [])
  }

  @Test func `Changes may be contained in the response itself`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let id = try #require(SyncCopy.text("GlobalID", try await copy.features()[1]))
    try await bed.rename(try await copy.features()[0], "Theirs")
    let generations = try await GenerationCheck(service: bed.service, state: nil).generations()
    let latest = try #require(generations[SyncBed.layer])
    #expect(try await state(copy).layers.allSatisfy { $0.serverGeneration < latest })
    let answer = """
      {"status": "Completed", "layerServerGens": [{"id": 1, "serverGen": \(latest)}],
       "edits": [{"id": 1, "features": {"deletes": ["\(id)"]}}]}
      """
    let stub = AnsweringTransport(
      inner: bed.transport, path: "/synchronizeReplica", answer: Data(answer.utf8))
    let result = try await copy.sync(.download, through: client(stub))
    #expect(result.received.deletes == 1 && result.received.adds == 0)
    #expect(try await copy.values()[id.uppercased()] == nil)
    #expect(try await state(copy).layers.map(\.serverGeneration) == [latest])
  }

  // MARK: - Uploads that follow from others

  private static let events: JSONValue = [
    "id": "events", "title": "Lighthouse events", "layerType": "ArcGISFeatureLayer",
    "url": .string(OfflineJobBed.service("ExploreMaine") + "/6"),
  ]

  @Test(arguments: [true, false])
  func `Dependent edits of a deletion are sent once it has arrived, and not if it is refused`(
    _ isAccepted: Bool
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(
      try await bed.parameters(
        operational: [OfflineJobBed.layer(1, SyncBed.table)], tables: [Self.events]))
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let copy = SyncCopy(
      file: made.url.appending(path: path), bed: try await SyncBed(in: temporaryDirectory))
    let event = try #require(
      try await Geodatabase.open(at: copy.file)
        .features(in: "LighthouseEvents", matching: QueryParameters(limit: 1)).collect().first)
    let id = SyncCopy.plain(try #require(SyncCopy.text("LIGHTHOUSE_ID", event)))
    let light = try #require(
      try await copy.features().first {
        SyncCopy.text("GlobalID", $0).map(SyncCopy.plain) == id
      })
    // Its events lose their lighthouse.
    try await copy.delete(light.objectID)
    let edits = try await copy.edits()
    #expect(edits > 1)
    let refusing = DamagingTransport(
      bed.bed.transport, folder: temporaryDirectory, table: "GDB_DataChangesEditResults",
      statement: "UPDATE GDB_DataChangesEditResults SET Success = 0")
    let listening = ListeningTransport(isAccepted ? bed.bed.transport : refusing)
    let result = try await copy.sync(through: client(listening))
    let directions = exchanges(listening).map { $0["syncDirection"] }
    if isAccepted {
      #expect(directions == ["download", "upload", "upload"])
      #expect(result.sentEdits.byLayer == [1: 1, 6: edits - 1] && result.issues.isEmpty)
      #expect(try await copy.edits() == 0)
    } else {
      #expect(directions == ["download", "upload"])
      #expect(result.sent == 0 && result.issues.map(\.kind) == [.rejected])
      #expect(try await copy.edits() == edits)
    }
  }

  /// Notes that all edits were sent, and that no answer came.
  private func sendUnheard(_ copy: SyncCopy) async throws {
    try await copy.using { store in
      let upload = try await store.makeUpload()
      try await store.setPendingUpload(
        PendingUpload(edits: upload.edits, moment: upload.moment))
    }
  }

  @Test func `Changes whose answer was lost are sent again without a question`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    try await sendUnheard(copy)
    let listening = ListeningTransport(bed.transport)
    #expect(try await copy.sync(through: client(listening)).sent == 1)
    #expect(operations(listening) == ["synchronizeReplica", "upload", "synchronizeReplica"])
    #expect(try await copy.using { try await $0.pendingUpload() } == nil)
  }

  @Test func `New features without a response are sent again where the service cannot be queried`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let id = try await copy.add("New")
    try await sendUnheard(copy)
    let stub = AnsweringTransport(
      inner: bed.transport, path: "/query",
      answer: Data(#"{"error": {"code": 400, "message": "No questions."}}"#.utf8))
    let listening = ListeningTransport(stub)
    #expect(try await copy.sync(through: client(listening)).sent == 1)
    #expect(operations(listening).filter { $0 != "query" }.count == 3)
    #expect(operations(listening).first == "query")
    #expect(try await copy.using { try await $0.pendingUpload() } == nil)
    #expect(try await bed.values()[id.uppercased()] == "New")
    #expect(try await copy.edits() == 0)
  }
}
