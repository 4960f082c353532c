import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanSample
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// A service of the demo portal, and copies of it that are edited and synchronized.
struct SyncBed {
  static let table = "Lighthouses"
  static let layer = 1
  private static let contents = Result { try SampleContents() }

  let state: DemoState
  let service: FeatureService
  let client: RESTClient
  let transport: RecordingTransport
  let log: RequestLog
  let folder: URL

  init(in folder: URL, root: String = "arcgis") async throws {
    let clock = DemoClock(now: { DemoBed.day }, sleep: { _ in })
    state = DemoState(seed: 7, clock: clock, looksPerJob: 1)
    let services = try DemoServices(state: state, contents: Self.contents.get(), soundingCount: 3)
    let portal = DemoPortal(state: state, services: services)
    transport = RecordingTransport(InProcessTransport(portal))
    log = transport.log
    client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let url = try #require(
      URL(string: "https://demo.test/\(root)/rest/services/ExploreMaine/FeatureServer"))
    service = FeatureService(url: url, client: client)
    self.folder = folder
  }

  /// Takes a copy of all lighthouses, of some or of their layer alone, or of other layers, with attachments or
  /// with those that are added here.
  func copy(
    _ name: String, model: GenerateGeodatabaseParameters.SyncModel = .perLayer,
    rows: GenerateLayerOption.QueryOption = .all, whereClause: String = "",
    returnsAttachments: Bool = true, layers: [Int] = [SyncBed.layer]
  ) async throws -> SyncCopy {
    let options = GenerateGeodatabaseParameters(
      layerOptions: layers.map { layer in
        GenerateLayerOption(
          layerID: layer, whereClause: whereClause, usesGeometry: false, queryOption: rows)
      },
      extent: OfflineArea(Envelope(xMin: -72, yMin: 42, xMax: -66, yMax: 48), .wgs84),
      returnsAttachments: returnsAttachments,
      attachmentSyncDirection: returnsAttachments ? .bidirectional : .upload, syncModel: model)
    let request = ReplicaParameters(options: options, name: name, isAsynchronous: false)
    let answer = try await ReplicaTask(service: service).create(request)
    let file = folder.appending(path: "\(name).geodatabase")
    try await client.data(try #require(answer.resultURL)).body.write(to: file)
    var tables: [GeodatabaseDefinition.Table] = []
    for layer in layers {
      let schema = try #require(try await service.table(layer).info.schema)
      tables.append(GeodatabaseDefinition.Table(schema))
    }
    try await ReplicaJSON(readingFrom: file, options, service, tables)?.write(
      to: file, now: DemoBed.day
    ) { UUID() }
    return SyncCopy(file: file, bed: self)
  }

  /// The values of the text field by global id, as the service has them.
  func values() async throws -> [String: String] {
    let table = try await service.table(Self.layer)
    var values: [String: String] = [:]
    for try await page in table.pages() {
      for feature in page.features {
        guard let id = SyncCopy.text("GlobalID", feature) else { continue }
        values[id.uppercased()] = SyncCopy.text("NAME", feature) ?? ""
      }
    }
    return values
  }

  /// Edits the service as others do.
  func edit(_ parameters: RESTParameters) async throws -> JSONValue {
    try await client.json(
      service.url.appending(path: "\(Self.layer)/applyEdits"), parameters, method: .post)
  }

  /// Lets the service forget all copies.
  func forgetReplicas() async throws {
    let task = ReplicaTask(service: service)
    for replica in try await task.replicas() {
      _ = try await client.json(task.unregisterURL, ["replicaID": replica.id], method: .post)
    }
  }

  /// The names of the attachments of a feature, as the service has them.
  func attachments(of globalID: String) async throws -> [String] {
    guard let id = try await objectID(of: globalID) else { return [] }
    return try await service.table(Self.layer).attachments(of: id).map(\.name)
  }

  /// Others change the name of a feature at the service.
  func rename(_ feature: Feature, _ name: String) async throws {
    let id = try #require(SyncCopy.text("GlobalID", feature))
    let there = try #require(try await objectID(of: id))
    let update = #"[{"attributes": {"OBJECTID": \#(there), "NAME": "\#(name)"}}]"#
    _ = try await edit(["updates": update])
  }

  /// The object id of a feature at the service.
  func objectID(of globalID: String) async throws -> Int64? {
    let table = try await service.table(Self.layer)
    for try await page in table.pages() {
      for feature in page.features
      where SyncCopy.text("GlobalID", feature).map(SyncCopy.plain) == SyncCopy.plain(globalID) {
        return feature.objectID
      }
    }
    return nil
  }
}

/// A copy of a service on this device.
struct SyncCopy {
  let file: URL
  let bed: SyncBed

  /// A global id in any spelling.
  static func plain(_ id: String) -> String { id.uppercased().filter { !"{}".contains($0) } }

  static func text(_ field: String, _ feature: Feature) -> String? {
    for name in [field, field.lowercased(), field.uppercased()] {
      if case .text(let text)? = feature.attributes[name] { return text }
    }
    return nil
  }

  func sync(
    _ direction: GeodatabaseSyncTask.Direction = .bidirectional, through client: RESTClient? = nil,
    at moment: Date = DemoBed.day, home: String? = nil
  ) async throws -> GeodatabaseSyncTask.Result {
    var task = GeodatabaseSyncTask(
      geodatabase: file, client: client ?? bed.client, folder: bed.folder,
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: ImmediateClock(), now: { moment }, chance: { 0 },
        makeID: { UUID() }))
    task.home = home
    return try await task.synchronize(direction)
  }

  func using<Value: Sendable>(
    _ body: (EditableGeodatabase) async throws -> Value
  ) async throws -> Value {
    let store = try EditableGeodatabase.open(
      at: file, now: { DemoBed.day }, makeID: { UUID() })
    let value = try await body(store)
    await store.close()
    return value
  }

  @discardableResult
  func edit(_ edit: FeatureEdit) async throws -> FeatureEditResult {
    try await using { store in try await store.apply([edit])[0] }
  }

  @discardableResult
  func add(_ name: String) async throws -> String {
    let feature = NewFeature(
      attributes: ["NAME": .text(name)],
      geometry: .point(Point(x: -7_800_000, y: 5_400_000)))
    let result = try await edit(.add(feature, table: SyncBed.table))
    return try #require(result.globalID)
  }

  func rename(_ objectID: Int64, _ name: String) async throws {
    try await edit(
      .update(
        .objectID(objectID), table: SyncBed.table, attributes: ["NAME": .text(name)],
        geometry: .keep))
  }

  func delete(_ objectID: Int64) async throws {
    try await edit(.delete(.objectID(objectID), table: SyncBed.table))
  }

  func features() async throws -> [Feature] {
    try await Geodatabase.open(at: file)
      .features(in: SyncBed.table, matching: QueryParameters()).collect()
  }

  func values() async throws -> [String: String] {
    var values: [String: String] = [:]
    for feature in try await features() {
      guard let id = Self.text("GlobalID", feature) else { continue }
      values[id.uppercased()] = Self.text("NAME", feature) ?? ""
    }
    return values
  }

  func edits() async throws -> Int {
    try await Geodatabase.open(at: file).localChanges().changes.count
  }

  /// The names of the attachments of a feature here.
  func attachments(of objectID: Int64) async throws -> [String] {
    try await Geodatabase.open(at: file).attachments(of: objectID, in: SyncBed.table).map(\.name)
      .sorted()
  }

  /// The names of the attachments of all features here, by global id.
  func attachments() async throws -> [String: [String]] {
    var names: [String: [String]] = [:]
    for feature in try await features() {
      guard let id = Self.text("GlobalID", feature) else { continue }
      names[id.uppercased()] = try await attachments(of: feature.objectID)
    }
    return names
  }

  func attach(_ name: String, to objectID: Int64) async throws {
    let file = NewAttachment(name: name, contentType: "text/plain", data: Data(name.utf8))
    try await edit(.addAttachment(file, to: .objectID(objectID), table: SyncBed.table))
  }

  /// Gives an attachment of the first feature other contents.
  func replaceAttachment(_ name: String, with text: String) async throws {
    let owner = try await features()[0].objectID
    let id = try #require(try await attachment(name, of: owner)).id
    let file = NewAttachment(name: name, contentType: "text/plain", data: Data(text.utf8))
    try await edit(.updateAttachment(id, file, table: SyncBed.table))
  }

  /// The contents of an attachment of the first feature.
  func contents(of name: String) async throws -> String {
    let id = try #require(try await attachment(name, of: try await features()[0].objectID)).id
    let data = try await Geodatabase.open(at: file).data(of: id, in: SyncBed.table)
    return String(decoding: data, as: UTF8.self)
  }

  private func attachment(
    _ name: String, of objectID: Int64
  ) async throws -> PortolanFeatures.Attachment? {
    try await Geodatabase.open(at: file).attachments(of: objectID, in: SyncBed.table)
      .first { $0.name == name }
  }

  func issues() async throws -> [SyncIssue] { try await using { try await $0.syncIssues() } }

  func resolve(_ issue: SyncIssue, _ way: SyncIssue.Resolution) async throws {
    try await using { try await $0.resolve(issue.id, as: way) }
  }
}

/// Answers requests whose path has something in it, and hands the others on.
struct AnsweringTransport: HTTPTransport {
  let inner: any HTTPTransport
  let path: String
  let answer: Data

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    guard request.url.path().contains(path) else {
      return try await inner.send(request, into: sink)
    }
    let head = HTTPResponseHead(
      status: 200, headers: ["Content-Type": "application/json"], url: request.url)
    try sink.begin(head)
    try sink.receive(answer.bytes)
    return head
  }
}
