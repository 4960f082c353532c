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

/// Layers that were removed at their service, where that concerns the whole replica.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct RemovedLayerTests {
  typealias SyncModel = GenerateGeodatabaseParameters.SyncModel

  private static let towns = 0

  private static func client(_ bed: SyncBed, refusing replica: UUID? = nil) -> RESTClient {
    RESTClient(
      transport: RemovedLayer(inner: bed.transport, layer: SyncBed.layer, replica: replica),
      authenticator: AnonymousAuthenticator())
  }

  /// A copy of two layers, with an edit in each.
  private static func editedCopy(_ bed: SyncBed, _ model: SyncModel) async throws -> SyncCopy {
    let copy = try await bed.copy(
      "portolan_first", model: model, layers: [towns, SyncBed.layer])
    for table in ["Towns", SyncBed.table] { try await rename(0, "Mine", table, in: copy) }
    return copy
  }

  private static func rename(
    _ index: Int, _ name: String, _ table: String, in copy: SyncCopy
  ) async throws {
    let features = try await Geodatabase.open(at: copy.file)
      .features(in: table, matching: QueryParameters(limit: 10)).collect()
    try await copy.edit(
      .update(
        .objectID(features[index].objectID), table: table, attributes: ["NAME": .text(name)],
        geometry: .keep))
  }

  /// The names of towns as the service has them.
  private static func townNames(_ bed: SyncBed) async throws -> [String] {
    var names: [String] = []
    for try await page in try await bed.service.table(towns).pages() {
      names += page.features.compactMap { SyncCopy.text("NAME", $0) }
    }
    return names
  }

  @Test(arguments: [GeodatabaseSyncTask.Direction.bidirectional, .upload])
  func `Layers that go together are synchronized although one of them was removed`(
    _ direction: GeodatabaseSyncTask.Direction
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await Self.editedCopy(bed, .perGeodatabase)
    let former = try #require(try await copy.using { try await $0.syncState() }).replicaID
    let client = Self.client(bed, refusing: former)
    let result = try await copy.sync(direction, through: client)
    #expect(result.sent == 1 && !result.isRegisteredAgain)
    #expect(result.received.changedFields.map(\.table) == [SyncBed.table])
    #expect(result.received.changedFields.first?.replacement == .nothing)
    // The edit of the layer that is gone stays, and is listed.
    #expect(try await copy.edits() == 1)
    #expect(result.unsynchronized.map(\.table) == [SyncBed.table])
    #expect(result.unsynchronized.map(\.edits) == [1])
    #expect(try await Self.townNames(bed).contains("Mine"))
    // The replica in whose place the new one is goes.
    let left = try await ReplicaTask(service: bed.service).replicas()
    #expect(left.count == 1 && UUID(uuidString: left[0].id) != former)
    try await Self.rename(1, "Mine, too", "Towns", in: copy)
    let next = try await copy.sync(direction, through: client)
    #expect(next.sent == 1 && next.unsynchronized.map(\.edits) == [1])
    #expect(try await Self.townNames(bed).contains("Mine, too"))
    #expect(try await copy.values().values.contains("Mine"))
  }

  @Test(arguments: [SyncModel.perLayer, .perGeodatabase])
  func `A forgotten replica is made again without a layer that was removed`(
    _ model: SyncModel
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await Self.editedCopy(bed, model)
    try await bed.forgetReplicas()
    let client = Self.client(bed)
    let result = try await copy.sync(through: client)
    #expect(result.sent == 1 && result.isRegisteredAgain)
    #expect(result.received.changedFields.map(\.table) == [SyncBed.table])
    #expect(result.unsynchronized.map(\.edits) == [1])
    #expect(try await copy.edits() == 1)
    #expect(try await Self.townNames(bed).contains("Mine"))
    try await Self.rename(1, "Mine, too", "Towns", in: copy)
    #expect(try await copy.sync(through: client).sent == 1)
    #expect(try await copy.values().values.contains("Mine"))
  }

  @Test func `A layer that was removed does not hide what has arrived in the others`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first", layers: [Self.towns, SyncBed.layer])
    try await copy.add("Mine")
    let town = NewFeature(
      attributes: ["NAME": .text("Mine")], geometry: .point(Point(x: -7_800_000, y: 5_400_000)))
    try await copy.edit(.add(town, table: "Towns"))
    let pending = PendingUpload(try await copy.using { try await $0.makeUpload() })
    #expect(try await copy.sync().sent == 2)
    let service = FeatureService(url: bed.service.url, client: Self.client(bed))
    // As after an answer that was lost.
    let arrived = try await ArrivedFeatures(of: pending, at: service).features
    #expect(arrived.map(\.layerID) == [Self.towns])
  }

  @Test func `A layer that is only missing in the list of its service stays part of the replica`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await Self.editedCopy(bed, .perGeodatabase)
    let former = try #require(try await copy.using { try await $0.syncState() }).replicaID
    var unlisted = RemovedLayer(inner: bed.transport, layer: SyncBed.layer, replica: former)
    unlisted.isDescribed = true
    let client = RESTClient(transport: unlisted, authenticator: AnonymousAuthenticator())
    await #expect(throws: PortalError.self) { try await copy.sync(through: client) }
    #expect(try await copy.edits() == 2)
    #expect(try await copy.sync().sent == 2)
  }
}

/// A service that has removed a layer, and refuses what names it.
private struct RemovedLayer: HTTPTransport {
  let inner: any HTTPTransport
  let layer: Int
  /// The replica that it exchanges no more.
  let replica: UUID?
  /// Whether it describes the layer although it does not list it.
  var isDescribed = false

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    var head = HTTPResponseHead(
      status: 200, headers: ["Content-Type": "application/json"], url: request.url)
    var body = Data(#"{"error": {"code": 400, "message": "No such layer.", "details": []}}"#.utf8)
    if !isRefused(request) {
      guard ["FeatureServer", "layers"].contains(request.url.lastPathComponent) else {
        return try await inner.send(request, into: sink)
      }
      let response = try await inner.send(request)
      (head, body) = (response.head, unlisting(response.body))
      head.headers["Content-Length"] = "\(body.count)"
    }
    try sink.begin(head)
    try sink.receive(body.bytes)
    return head
  }

  private func unlisting(_ body: Data) -> Data {
    guard var answer = try? JSONValue(parsing: body).object, let layers = answer["layers"]?.array
    else { return body }
    answer["layers"] = .array(layers.filter { $0["id"]?.int != layer })
    return JSONValue.object(answer).encoded()
  }

  private func isRefused(_ request: HTTPRequest) -> Bool {
    let path = request.url.path()
    if path.hasSuffix("/FeatureServer/\(layer)") || path.contains("/FeatureServer/\(layer)/") {
      return !isDescribed
    }
    guard case .bytes(let data)? = request.body else { return false }
    let form = URLComponents(string: "?" + String(decoding: data, as: UTF8.self))?.queryItems ?? []
    func value(_ name: String) -> String { form.first { $0.name == name }?.value ?? "" }
    switch request.url.lastPathComponent {
    case "createReplica":
      let layers = (try? JSONValue(parsing: value("layers")))?.array ?? []
      return layers.contains { $0.int == layer }
    case "synchronizeReplica":
      return replica != nil && UUID(uuidString: value("replicaID")) == replica
    default: return false
    }
  }
}
