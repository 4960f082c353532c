import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import PortolanWebMaps
import Synchronization
import Testing

@testable import PortolanApp

/// A map of lighthouses that is open online, and others who edit their service of the demo portal.
@MainActor struct OnlineEditingStage {
  nonisolated static let root = "http://demo.portolan.example/arcgis/rest/services"

  let state: DemoState
  let client: RESTClient
  let map: MapModel

  /// Opens a map of the layer at a path below the services, with the capabilities that the author of the map
  /// gives it; the service answers edits that it has carried out with `answers`, if there are any.
  static func make(
    _ layer: String = "ExploreMaine/FeatureServer/1", capabilities: String? = nil,
    answers: [String] = []
  ) async throws -> OnlineEditingStage {
    let state = DemoState(seed: 1, folder: temporaryDirectory.appending(path: "portal"))
    let demo = try await DemoPortal.standard(state: state)
    let portal = InProcessTransport(demo)
    let transport: any HTTPTransport =
      answers.isEmpty ? portal : MisreportedEdits(portal, answers)
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let url = try #require(URL(string: "http://demo.portolan.example"))
    let model = WebMapModel(portal: Portal(url: url, client: client))
    var members: JSONObject = [
      "id": "a", "title": "Lighthouses", "layerType": "ArcGISFeatureLayer",
      "url": .string("\(root)/\(layer)"),
    ]
    members["capabilities"] = capabilities.map { .string($0) }
    let document: JSONValue = [
      "version": "2.31", "spatialReference": ["wkid": 102100],
      "baseMap": ["title": "None", "baseMapLayers": []],
      "operationalLayers": [.object(members)],
    ]
    let file = temporaryDirectory.appending(path: "map.json")
    try Data(document.text().utf8).write(to: file)
    await model.load(file)
    return OnlineEditingStage(state: state, client: client, map: try await model.open())
  }

  // MARK: - What the service has

  func service() throws -> FeatureService {
    let url = try #require(URL(string: "\(Self.root)/ExploreMaine/FeatureServer"))
    return FeatureService(url: url, client: client)
  }

  func table() async throws -> ServiceFeatureTable { try await service().table(1) }

  /// The names of lighthouses by object id, as the service has them.
  func names() async throws -> [Int64: String] {
    var names: [Int64: String] = [:]
    for try await page in try await table().pages() {
      for feature in page.features {
        guard case .text(let name)? = feature.attributes["NAME"] else { continue }
        names[feature.objectID] = name
      }
    }
    return names
  }

  func firstID() async throws -> Int64 { try #require(try await names().keys.min()) }

  // MARK: - Editing

  /// Others edit the service.
  func edit(_ parameters: RESTParameters, layer: Int = 1) async throws {
    let url = try service().url.appending(path: "\(layer)/applyEdits")
    _ = try await client.json(url, parameters, method: .post)
  }

  /// The form of a lighthouse that is to be added.
  func formOfNewLight() async throws -> FeatureFormModel {
    let form = try await map.editing.formForNewFeature(in: "a")
    try form.setText("New Light", of: "NAME")
    try form.draw(.vertices([.init(x: -70.2, y: 43.6)], .wgs84))
    return form
  }

  /// The form of a lighthouse, with another name in it.
  func form(renaming id: Int64, to name: String) async throws -> FeatureFormModel {
    let form = try await map.editing.form(for: id, in: "a")
    try form.setText(name, of: "NAME")
    return form
  }

  nonisolated static func store(of table: ServiceFeatureTable) -> ServiceGeodatabase {
    ServiceGeodatabase(ServiceFeatureStore([ServiceFeatureStore.Table(table)]))
  }

  /// Edits that give the first two features other names.
  nonisolated static func renaming(
    _ ids: [Int64], of table: ServiceFeatureTable
  ) throws -> [FeatureEdit] {
    let name = try #require(table.info.schema?.name)
    return [
      .update(.objectID(ids[0]), table: name, attributes: ["NAME": .text("One")]),
      .update(.objectID(ids[1]), table: name, attributes: ["NAME": .text("Two")]),
    ]
  }

  /// A file to attach.
  nonisolated static let file = NewAttachment(
    name: "a.txt", contentType: "text/plain", data: Data("hello".utf8))

  /// An answer by which the service has carried out the first of two changes alone.
  nonisolated static let firstAlone = #"""
    {"addResults": [], "deleteResults": [], "updateResults": [
      {"objectId": 1, "success": true},
      {"objectId": 2, "success": false, "error": {"code": 1000, "description": "Not today."}}]}
    """#

  /// Why it is unknown which edits were carried out.
  nonisolated static func doubt(in error: FeatureEditError?) -> String {
    guard case .unanswered(_, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return ""
    }
    return reason
  }
}

/// Carries edits out, and gives other answers to them, the last one from then on.
final class MisreportedEdits: HTTPTransport {
  private let other: any HTTPTransport
  private let texts: Mutex<[String]>

  init(_ other: any HTTPTransport, _ texts: [String]) {
    self.other = other
    self.texts = Mutex(texts)
  }

  static let silence = #"{"addResults":[],"updateResults":[],"deleteResults":[]}"#

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    guard ["applyEdits", "addAttachment"].contains(request.url.lastPathComponent) else {
      return try await other.send(request, into: sink)
    }
    _ = try await other.send(request)
    let text = texts.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    let answer = HTTPResponse.json(text, to: request)
    try sink.begin(answer.head)
    try sink.receive(answer.body.bytes)
    return answer.head
  }
}
