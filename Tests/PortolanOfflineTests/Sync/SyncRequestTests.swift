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

/// What a service is asked while a copy is synchronized, and in which order.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SyncRequestTests {
  private static let names: Set<String> = ["synchronizeReplica", "upload", "query"]

  private func client(_ transport: any HTTPTransport) -> RESTClient {
    RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
  }

  private func state(_ copy: SyncCopy) async throws -> GeodatabaseSyncState {
    try #require(try await copy.using { try await $0.syncState() })
  }

  /// What of the requests changes or asks for features, by the last part of their addresses.
  private func operations(_ transport: ListeningTransport) -> [String] {
    transport.requests.map { $0.url.lastPathComponent }.filter { Self.names.contains($0) }
  }

  /// What `synchronizeReplica` was sent, each time.
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

  @Test func `Where there is no place for uploads, edits stand in the request`() async throws {
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

  @Test func `Changes may stand in the answer itself`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let id = try #require(SyncCopy.text("GlobalID", try await copy.features()[1]))
    let answer = """
      {"status": "Completed", "layerServerGens": [{"id": 1, "serverGen": 4711}],
       "edits": [{"id": 1, "features": {"deletes": ["\(id)"]}}]}
      """
    let stub = AnsweringTransport(
      inner: bed.transport, path: "/synchronizeReplica", answer: Data(answer.utf8))
    let result = try await copy.sync(.download, through: client(stub))
    #expect(result.received.deletes == 1 && result.received.adds == 0)
    #expect(try await copy.values()[id.uppercased()] == nil)
    #expect(try await state(copy).layers.map(\.serverGeneration) == [4711])
  }

  // MARK: - Registrations

  @Test func `A copy that no service knows is not synchronized, and none is asked`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first", model: .none)
    let listening = ListeningTransport(bed.transport)
    await #expect(throws: OfflineMapError.notSynchronized(file: "first.geodatabase")) {
      try await copy.sync(through: client(listening))
    }
    #expect(listening.requests.isEmpty)
  }

  @Test func `Who knows of no home takes no copy for that of another one`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    _ = try await copy.sync(home: "one")
    let before = try await state(copy)
    #expect(before.home == "one")
    #expect(try await !copy.sync().isRegisteredForCopy)
    #expect(try await state(copy).replicaID == before.replicaID)
    #expect(try await state(copy).home == "one")
    #expect(await bed.log.count(of: "/createReplica") == 1)
  }

  @Test func `Who only receives sends nothing either when the copy is registered again`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    try await bed.forgetReplicas()
    let result = try await copy.sync(.download)
    #expect(result.isRegisteredAgain && result.sent == 0)
    #expect(result.tables == [1: SyncBed.table])
    #expect(try await copy.edits() == 1)
    #expect(try await !bed.values().values.contains("Mine"))
    #expect(try await copy.sync().sent == 1)
  }

  private static let lost =
    "https://demo.test/arcgis/rest/services/ExploreMaine/FeatureServer/jobs/lost"

  /// A service whose jobs of exchanges are all one, of which it says the same each time.
  private func answering(_ status: String, _ bed: SyncBed) -> any HTTPTransport {
    AnsweringTransport(
      inner: AnsweringTransport(
        inner: bed.transport, path: "/synchronizeReplica",
        answer: Data(#"{"statusUrl": "\#(Self.lost)"}"#.utf8)),
      path: "/jobs/lost", answer: Data(#"{"status": "\#(status)"}"#.utf8))
  }

  @Test(arguments: [true, false])
  func `A job that fails tells so, and that of a copy that is forgotten lets it be made anew`(
    _ isForgotten: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    if isForgotten { try await bed.forgetReplicas() }
    let client = client(answering("Failed", bed))
    if isForgotten {
      #expect(try await copy.sync(.download, through: client).isRegisteredAgain)
    } else {
      let error = OfflineMapError.serverJobFailed(
        service: "ExploreMaine", reason: "it could not be synchronized")
      await #expect(throws: error) { try await copy.sync(.download, through: client) }
    }
    #expect(await bed.log.count(of: "/createReplica") == (isForgotten ? 2 : 1))
  }

  // MARK: - Waiting

  /// Synchronizes at a time of day, and tells for how long the service was waited for.
  private func sync(
    _ copy: SyncCopy, through client: RESTClient, at moment: Date = DemoBed.day
  ) async -> (error: OfflineMapError?, waited: Duration) {
    let clock = CountingClock()
    let task = GeodatabaseSyncTask(
      geodatabase: copy.file, client: client, folder: copy.bed.folder,
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: clock, now: { moment }, chance: { 0 },
        makeID: { UUID() }))
    do {
      _ = try await task.synchronize(.bidirectional)
      return (nil, clock.now.offset)
    } catch {
      return (error as? OfflineMapError, clock.now.offset)
    }
  }

  @Test func `A service that does not come to an end is waited for half an hour`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let ended = await sync(copy, through: client(answering("InProgress", bed)))
    #expect(
      ended.error
        == .serverJobFailed(
          service: "ExploreMaine", reason: "the service does not come to an end"))
    #expect(ended.waited == .milliseconds(1_793_850))
  }

  @Test(arguments: [(0, true), (21_599, true), (21_600, false)] as [(TimeInterval, Bool)])
  func `Edits that were sent before are waited for a minute each time, and for six hours`(
    _ seconds: TimeInterval, _ isWaitedFor: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Mine")
    try await copy.using { store in
      let upload = try await store.makeUpload()
      try await store.setPendingUpload(
        PendingUpload(
          edits: upload.edits, moment: upload.moment, statusURL: Self.lost, submitted: DemoBed.day))
    }
    let stub = AnsweringTransport(
      inner: bed.transport, path: "/jobs/lost", answer: Data(#"{"status": "InProgress"}"#.utf8))
    let ended = await sync(
      copy, through: client(stub), at: DemoBed.day.addingTimeInterval(seconds))
    guard isWaitedFor else {
      #expect(ended.error == nil)
      #expect(try await copy.edits() == 0)
      return
    }
    #expect(
      ended.error
        == .serverJobFailed(
          service: "ExploreMaine", reason: "it still works on the edits that were sent before"))
    #expect(ended.waited == .milliseconds(53_850))
    #expect(try await copy.edits() == 1)
  }
}
