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

/// Web maps that are open online, edited at the services of the demo portal.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct OnlineEditingTests {
  private nonisolated static let root = "http://demo.portolan.example/arcgis/rest/services"

  /// A map of lighthouses, and others who edit their service.
  private struct Stage {
    let state: DemoState
    let client: RESTClient
    let map: MapModel

    func table() async throws -> ServiceFeatureTable {
      let url = try #require(URL(string: "\(root)/ExploreMaine/FeatureServer"))
      return try await FeatureService(url: url, client: client).table(1)
    }

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

    func edit(_ parameters: RESTParameters, layer: Int = 1) async throws {
      let service = "\(root)/ExploreMaine/FeatureServer"
      let url = try #require(URL(string: "\(service)/\(layer)/applyEdits"))
      _ = try await client.json(url, parameters, method: .post)
    }
  }

  /// Carries edits out, and gives other answers to them, the last one from then on.
  private final class MisreportedEdits: HTTPTransport {
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

  private func stage(
    _ layer: String = "ExploreMaine/FeatureServer/1", capabilities: String? = nil,
    answers: [String] = []
  ) async throws -> Stage {
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
      "url": .string("\(Self.root)/\(layer)"),
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
    return Stage(state: state, client: client, map: try await model.open())
  }

  @Test func `A feature that is added, changed and removed is so at the service at once`()
    async throws
  {
    let stage = try await stage()
    let before = try await stage.names()
    let form = try await stage.map.editing.formForNewFeature(in: "a")
    try form.setText("New Light", of: "NAME")
    try form.draw(.vertices([.init(x: -70.2, y: 43.6)], .wgs84))
    let id = try await form.submit().objectID
    #expect(try await stage.names()[id] == "New Light")
    let change = try await stage.map.editing.form(for: id, in: "a")
    try change.setText("Renamed", of: "NAME")
    try await change.submit()
    #expect(try await stage.names()[id] == "Renamed")
    let moved = Sketch.vertices([.init(x: -70.3, y: 43.7)], .wgs84)
    try await stage.map.editing.move(id, in: "a", to: moved)
    try await stage.map.editing.remove(id, in: "a")
    #expect(try await stage.names() == before)
    // The service has them all: nothing waits to be sent.
    #expect(try await stage.map.editing.changes().all.isEmpty)
  }

  @Test func `An edit without a result from the service may have arrived, and is reported as such`()
    async throws
  {
    let stage = try await stage(answers: [MisreportedEdits.silence])
    let before = try await stage.names().count
    let form = try await stage.map.editing.formForNewFeature(in: "a")
    try form.setText("New Light", of: "NAME")
    try form.draw(.vertices([.init(x: -70.2, y: 43.6)], .wgs84))
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == .unconfirmed)
    #expect(
      problem?.suggestion == "Check whether the service has the edit before you make it again.")
    #expect(try await stage.names().count == before + 1)
  }

  @Test(arguments: [502, 503, 504])
  func `A gateway that gives up does not say whether an edit has arrived`(
    _ status: Int
  ) async throws {
    let stage = try await stage()
    let id = try #require(try await stage.names().keys.min())
    let form = try await stage.map.editing.form(for: id, in: "a")
    try form.setText("Mine", of: "NAME")
    await stage.state.add(
      DemoFault(.status(status, retryAfter: nil), path: "*/applyEdits"))
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == .unconfirmed)
  }

  @Test(arguments: [429, 503])
  func `An edit that a busy service has refused is not made, and what was entered stays`(
    _ status: Int
  ) async throws {
    let stage = try await stage()
    let before = try await stage.names()
    let id = try #require(before.keys.min())
    let form = try await stage.map.editing.form(for: id, in: "a")
    try form.setText("Mine", of: "NAME")
    await stage.state.add(DemoFault(.status(status, retryAfter: 30), path: "*/applyEdits"))
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == .rateLimited)
    #expect(problem?.suggestion == "Try again later.")
    #expect(problem?.actions.map(\.kind) == [.retry])
    #expect(try await stage.names() == before)
    await stage.state.removeFaults()
    try await form.submit()
    #expect(try await stage.names()[id] == "Mine")
  }

  @Test(
    arguments: [(400, .refused, []), (499, .signInNeeded, [.signIn])]
      as [(Int, ErrorCode, [NextAction.Kind])])
  func `An edit that a service has refused as a whole is said not to be made, and why`(
    _ code: Int, _ expected: ErrorCode, _ actions: [NextAction.Kind]
  ) async throws {
    let stage = try await stage()
    let id = try #require(try await stage.names().keys.min())
    let form = try await stage.map.editing.form(for: id, in: "a")
    try form.setText("Mine", of: "NAME")
    let failure = DemoFailure(code: code, "Not today.", details: [])
    await stage.state.add(DemoFault(.failure(failure), path: "*/applyEdits"))
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == expected && problem?.actions.map(\.kind) == actions)
    #expect(problem?.message.hasPrefix("The edit was not made. ") == true)
    #expect(problem?.suggestion?.contains("disk") == false)
  }

  @Test func `A file that a busy service has refused is not said to have been sent`() async throws {
    let stage = try await stage()
    let id = try #require(try await stage.names().keys.min())
    let file = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("hello".utf8))
    await stage.state.add(DemoFault(.status(429, retryAfter: nil), path: "*/addAttachment"))
    let problem = await #expect(throws: Problem.self) {
      _ = try await stage.map.editing.attach(file, to: id, in: "a")
    }
    #expect(problem?.code == .rateLimited)
  }

  @Test func `A group that a service has carried out in part is not reported as refused`()
    async throws
  {
    let stage = try await stage(answers: [Self.firstAlone])
    let before = try await stage.names()
    let ids = before.keys.sorted()
    let table = try await stage.table()
    let store = ServiceGeodatabase(ServiceFeatureStore([ServiceFeatureStore.Table(table)]))
    let error = await #expect(throws: FeatureEditError.self) {
      _ = try await store.apply(try Self.renaming(ids, of: table))
    }
    guard case .unanswered(_, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("Not today"))
    // What went through can be undone.
    #expect(await store.undoCount() == 1)
    #expect(try await store.undo().map(\.objectID) == [ids[0]])
    #expect(try await stage.names()[ids[0]] == before[ids[0]])
    #expect(await store.undoCount() == 0)
  }

  @Test(arguments: doubtfulResults)
  func `A group of which an edit may have arrived is not reported as refused`(
    _ result: String
  ) async throws {
    let refusal = #"{"success": false, "error": {"code": 1000, "description": "Not today."}}"#
    let stage = try await stage(answers: [#"{"updateResults": [\#(result), \#(refusal)]}"#])
    let ids = try await stage.names().keys.sorted()
    let table = try await stage.table()
    let store = ServiceGeodatabase(ServiceFeatureStore([ServiceFeatureStore.Table(table)]))
    let error = await #expect(throws: FeatureEditError.self) {
      _ = try await store.apply(try Self.renaming(ids, of: table))
    }
    guard case .unanswered(_, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason == "it may have carried out other edits, and refused this one: Not today")
    #expect(await store.undoCount() == 0)
  }

  @Test func `What could not be undone of a group is undone the next time`() async throws {
    let both = #"{"updateResults": [{"success": true}, {"success": true}]}"#
    let stage = try await stage(answers: [both, Self.firstAlone, both])
    let before = try await stage.names()
    let ids = before.keys.sorted()
    let table = try await stage.table()
    let store = ServiceGeodatabase(ServiceFeatureStore([ServiceFeatureStore.Table(table)]))
    _ = try await store.apply(try Self.renaming(ids, of: table))
    await #expect(throws: FeatureEditError.self) { _ = try await store.undo() }
    #expect(await store.undoCount() == 1)
    // As the service says, the first one still has its new name.
    try await stage.edit([
      "updates": #"[{"attributes": {"OBJECTID": \#(ids[0]), "NAME": "One"}}]"#
    ])
    #expect(try await store.undo().map(\.objectID) == [ids[0]])
    #expect(try await stage.names() == before)
    #expect(await store.undoCount() == 0)
  }

  /// An answer by which the service has carried out the first of two changes alone.
  private nonisolated static let firstAlone = #"""
    {"addResults": [], "deleteResults": [], "updateResults": [
      {"objectId": 1, "success": true},
      {"objectId": 2, "success": false, "error": {"code": 1000, "description": "Not today."}}]}
    """#

  /// Edits that give the first two features other names.
  private nonisolated static func renaming(
    _ ids: [Int64], of table: ServiceFeatureTable
  ) throws -> [FeatureEdit] {
    let name = try #require(table.info.schema?.name)
    return [
      .update(.objectID(ids[0]), table: name, attributes: ["NAME": .text("One")]),
      .update(.objectID(ids[1]), table: name, attributes: ["NAME": .text("Two")]),
    ]
  }

  @Test func `A feature that the service adds without saying which it is is reported as such`()
    async throws
  {
    let stage = try await stage(answers: [#"{"addResults": [{"success": true}]}"#])
    let before = try await stage.names().count
    let form = try await stage.map.editing.formForNewFeature(in: "a")
    try form.setText("New Light", of: "NAME")
    try form.draw(.vertices([.init(x: -70.2, y: 43.6)], .wgs84))
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == .unconfirmed)
    #expect(stage.map.editing.state.undoCount == 0)
    #expect(try await stage.names().count == before + 1)
  }

  @Test func `A file that the service attaches without saying which it is is reported as such`()
    async throws
  {
    let stage = try await stage(answers: [#"{"addAttachmentResult": {"success": true}}"#])
    let id = try #require(try await stage.names().keys.min())
    let file = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("hello".utf8))
    let problem = await #expect(throws: Problem.self) {
      _ = try await stage.map.editing.attach(file, to: id, in: "a")
    }
    #expect(problem?.code == .unconfirmed)
    #expect(stage.map.editing.state.undoCount == 0)
  }

  private nonisolated static let doubtfulResults = [
    #"{"objectId": 9, "success": true, "error": {"code": 1000, "description": "No."}}"#,
    #"{"objectId": 9}"#,
  ]

  @Test(arguments: doubtfulResults)
  func `An edit that a service reports as carried out and as refused may have arrived`(
    _ result: String
  ) async throws {
    let stage = try await stage(answers: [#"{"updateResults": [\#(result)]}"#])
    let id = try #require(try await stage.names().keys.min())
    let form = try await stage.map.editing.form(for: id, in: "a")
    try form.setText("New Light", of: "NAME")
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == .unconfirmed)
    #expect(stage.map.editing.state.undoCount == 0)
    #expect(try await stage.names()[id] == "New Light")
  }

  @Test(arguments: doubtfulResults)
  func `A file that a service reports as attached and as refused may have arrived`(
    _ result: String
  ) async throws {
    let stage = try await stage(answers: [#"{"addAttachmentResult": \#(result)}"#])
    let id = try #require(try await stage.names().keys.min())
    let file = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("hello".utf8))
    let problem = await #expect(throws: Problem.self) {
      _ = try await stage.map.editing.attach(file, to: id, in: "a")
    }
    #expect(problem?.code == .unconfirmed)
    #expect(stage.map.editing.state.undoCount == 0)
  }

  @Test func `An attachment without a result from the service may have arrived`() async throws {
    let stage = try await stage(answers: ["{}"])
    let id = try #require(try await stage.names().keys.min())
    let file = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("hello".utf8))
    let problem = await #expect(throws: Problem.self) {
      _ = try await stage.map.editing.attach(file, to: id, in: "a")
    }
    #expect(problem?.code == .unconfirmed)
  }

  @Test(arguments: [
    ("Query", false, false, false), ("Query,Create", true, false, false),
    ("Create, Update", true, true, false), ("Query,Editing", true, true, true),
  ])
  func `The author of a map limits what is edited of a layer`(
    _ capabilities: String, _ canAdd: Bool, _ canUpdate: Bool, _ canDelete: Bool
  ) async throws {
    let stage = try await stage(capabilities: capabilities)
    let before = try await stage.names()
    let ids = before.keys.sorted()
    var done = (added: false, updated: false, deleted: false)
    do {
      let form = try await stage.map.editing.formForNewFeature(in: "a")
      try form.setText("New Light", of: "NAME")
      try form.draw(.vertices([.init(x: -70.2, y: 43.6)], .wgs84))
      try await form.submit()
      done.added = true
    } catch { #expect(!canAdd) }
    do {
      let form = try await stage.map.editing.form(for: ids[0], in: "a")
      try form.setText("Renamed", of: "NAME")
      try await form.submit()
      done.updated = true
    } catch { #expect(!canUpdate) }
    do {
      try await stage.map.editing.remove(ids[1], in: "a")
      done.deleted = true
    } catch { #expect(!canDelete) }
    #expect([done.added, done.updated, done.deleted] == [canAdd, canUpdate, canDelete])
    let after = try await stage.names()
    #expect(after.values.contains("New Light") == canAdd)
    #expect((after[ids[0]] == "Renamed") == canUpdate && (after[ids[1]] == nil) == canDelete)
  }

  @Test func `Edits at a service are taken back, the last one first`() async throws {
    let stage = try await stage()
    let before = try await stage.names()
    let id = try #require(before.keys.min())
    let form = try await stage.map.editing.form(for: id, in: "a")
    try form.setText("Renamed", of: "NAME")
    try await form.submit()
    let new = try await stage.map.editing.formForNewFeature(in: "a")
    try new.setText("New Light", of: "NAME")
    try new.draw(.vertices([.init(x: -70.2, y: 43.6)], .wgs84))
    try await new.submit()
    try await stage.map.editing.remove(id, in: "a")
    #expect(try await stage.map.editing.undo().map(\.kind) == [.delete])
    // It is the same feature, but the service gives it another number.
    #expect(Set(try await stage.names().values).contains("Renamed"))
    #expect(try await stage.map.editing.undo().map(\.kind) == [.add])
    #expect(try await stage.names().count == before.count)
  }

  @Test func `What is none of the features that a map shows after an edit is taken back as well`()
    async throws
  {
    let stage = try await stage()
    let before = try await stage.names()
    let id = try #require(before.keys.min())
    let table = try await stage.table()
    let name = try #require(table.info.schema?.name)
    let store = ServiceGeodatabase(
      ServiceFeatureStore([
        ServiceFeatureStore.Table(table, definitionExpression: "NAME <> 'Hidden'")
      ]))
    _ = try await store.apply([
      .update(.objectID(id), table: name, attributes: ["NAME": .text("Hidden")])
    ])
    let feature = NewFeature(
      attributes: ["NAME": .text("Hidden")], geometry: .point(Point(x: -7_800_000, y: 5_400_000)))
    _ = try await store.apply([.add(feature, table: name)])
    #expect(try await stage.names().count == before.count + 1)
    _ = try await store.undo()
    _ = try await store.undo()
    #expect(try await stage.names() == before)
  }

  @Test func `A feature that another user has moved since is not moved back`() async throws {
    let stage = try await stage()
    let id = try #require(try await stage.names().keys.min())
    let moved = Sketch.vertices([.init(x: -70.3, y: 43.7)], .wgs84)
    try await stage.map.editing.move(id, in: "a", to: moved)
    try await stage.edit([
      "updates": #"""
      [{"attributes": {"OBJECTID": \#(id)}, "geometry": {"x": -7800000, "y": 5400000}}]
      """#
    ])
    await #expect(throws: Problem.self) { try await stage.map.editing.undo() }
    let there = try await place(of: id, stage)
    #expect(abs(there.xMin + 7_800_000) < 1)
  }

  @Test func `A feature that another user has moved by a few metres is not moved back, either`()
    async throws
  {
    let stage = try await stage()
    let id = try #require(try await stage.names().keys.min())
    let moved = Sketch.vertices([.init(x: -70.3, y: 43.7)], .wgs84)
    try await stage.map.editing.move(id, in: "a", to: moved)
    let mine = try await place(of: id, stage)
    try await stage.edit([
      "updates": #"""
      [{"attributes": {"OBJECTID": \#(id)}, "geometry": {"x": \#(mine.xMin + 3), "y": \#(mine.yMin)}}]
      """#
    ])
    await #expect(throws: Problem.self) { try await stage.map.editing.undo() }
    let there = try await place(of: id, stage)
    #expect(abs(there.xMin - mine.xMin - 3) < 0.1)
  }

  /// Where a feature is at the service.
  private func place(of id: Int64, _ stage: Stage) async throws -> Envelope {
    let table = try await stage.table()
    for try await page in table.pages() {
      for feature in page.features where feature.objectID == id {
        if let place = feature.geometry?.extent { return place }
      }
    }
    throw CancellationError()
  }

  @Test(arguments: [
    ("[[[-7800000, 5400000], [-7799200, 5400500], [-7798000, 5400000]]]", false),
    ("[[[-7798000, 5400000], [-7799000, 5400500], [-7800000, 5400000]]]", true),
    (
      "[[[-7800000, 5400000], [-7799500, 5400250], [-7799000, 5400500], [-7798000, 5400000]]]", true
    ),
    (
      "[[[-7800000, 5400000], [-7798000, 5400000]], [[-7799000, 5400000], [-7799000, 5400500]]]",
      false
    ),
  ])
  func `A vertex that another user has moved keeps a shape from being moved back`(
    _ theirs: String, _ isSame: Bool
  ) async throws {
    let stage = try await stage()
    let url = try #require(URL(string: "\(Self.root)/ExploreMaine/FeatureServer"))
    let table = try await FeatureService(url: url, client: stage.client).table(4)
    let name = try #require(table.info.schema?.name)
    let store = ServiceGeodatabase(ServiceFeatureStore([ServiceFeatureStore.Table(table)]))
    let id = try #require(
      try await store.features(in: name, matching: QueryParameters()).collect().first?.objectID)
    let mine = Polyline(paths: [
      Path([
        Coordinate(x: -7_800_000, y: 5_400_000), Coordinate(x: -7_799_000, y: 5_400_500),
        Coordinate(x: -7_798_000, y: 5_400_000),
      ])
    ])
    _ = try await store.apply([
      .update(.objectID(id), table: name, attributes: [:], geometry: .set(.polyline(mine)))
    ])
    let update = #"[{"attributes": {"OBJECTID": \#(id)}, "geometry": {"paths": \#(theirs)}}]"#
    try await stage.edit(["updates": update], layer: 4)
    if isSame {
      #expect(try await store.undo().map(\.objectID) == [id])
    } else {
      await #expect(throws: FeatureEditError.self) { _ = try await store.undo() }
    }
  }

  @Test func `What another user has changed since is not taken back`() async throws {
    let stage = try await stage()
    let id = try #require(try await stage.names().keys.min())
    let form = try await stage.map.editing.form(for: id, in: "a")
    try form.setText("Mine", of: "NAME")
    try await form.submit()
    try await stage.edit([
      "updates": #"[{"attributes": {"OBJECTID": \#(id), "NAME": "Theirs"}}]"#
    ])
    let problem = await #expect(throws: Problem.self) { try await stage.map.editing.undo() }
    #expect(problem?.code == .changedMeanwhile)
    #expect(problem?.message.contains("another user has changed the feature") == true)
    #expect(problem?.suggestion?.contains("as it is now") == true)
    #expect(try await stage.names()[id] == "Theirs")
  }

  @Test func `What another user prevents from being undone does not keep earlier edits from it`()
    async throws
  {
    let stage = try await stage()
    let before = try await stage.names()
    let ids = before.keys.sorted()
    for id in ids.prefix(2) {
      let form = try await stage.map.editing.form(for: id, in: "a")
      try form.setText("Mine", of: "NAME")
      try await form.submit()
    }
    try await stage.edit([
      "updates": #"[{"attributes": {"OBJECTID": \#(ids[1]), "NAME": "Theirs"}}]"#
    ])
    let problem = await #expect(throws: Problem.self) { try await stage.map.editing.undo() }
    #expect(problem?.code == .changedMeanwhile)
    #expect(problem?.suggestion?.hasSuffix("Undoing again takes back the edit before it.") == true)
    #expect(stage.map.editing.state.undoCount == 1)
    #expect(try await stage.map.editing.undo().map(\.objectID) == [ids[0]])
    let names = try await stage.names()
    #expect(names[ids[0]] == before[ids[0]] && names[ids[1]] == "Theirs")
    let none = await #expect(throws: Problem.self) { try await stage.map.editing.undo() }
    #expect(none?.code == .nothingToUndo)
  }

  @Test func `A file that was removed at the service does not keep other edits from being undone`()
    async throws
  {
    let stage = try await stage()
    let id = try #require(try await stage.names().keys.min())
    let file = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("hello".utf8))
    let added = try await stage.map.editing.attach(file, to: id, in: "a")
    let attachment = try #require(added.result.attachmentID)
    let count = try await stage.table().attachments(of: id).count
    _ = try await stage.map.editing.attach(file, to: id, in: "a")
    _ = try await stage.map.editing.removeAttachment(attachment, of: id, in: "a")
    await #expect(throws: Problem.self) { try await stage.map.editing.undo() }
    #expect(stage.map.editing.state.undoCount == 2)
    _ = try await stage.map.editing.undo()
    #expect(try await stage.table().attachments(of: id).count == count - 1)
  }

  @Test func `A file is attached at the service, and taken back`() async throws {
    let stage = try await stage()
    let id = try #require(try await stage.names().keys.min())
    let before = try await stage.table().attachments(of: id).count
    let file = NewAttachment(name: "a.txt", contentType: "text/plain", data: Data("hello".utf8))
    let edit = try await stage.map.editing.attach(file, to: id, in: "a")
    let found = try await stage.table().attachments(of: id)
    #expect(found.count == before + 1 && found.contains { $0.id == edit.result.attachmentID })
    #expect(found.last?.name == "a.txt" && found.last?.contentType == "text/plain")
    _ = try await stage.map.editing.undo()
    #expect(try await stage.table().attachments(of: id).count == before)
  }

  @Test func `A value that does not fit is refused before the service is asked`() async throws {
    let stage = try await stage()
    let id = try #require(try await stage.names().keys.min())
    let form = try await stage.map.editing.form(for: id, in: "a")
    try form.setText(String(repeating: "x", count: 5_000), of: "NAME")
    #expect(!form.state.canSubmit)
    await #expect(throws: Problem.self) { try await form.submit() }
  }

  @Test(arguments: [DemoFault.Kind.drop, .html, .status(503, retryAfter: nil)])
  func `An edit that the service does not accept is reported, and cannot be undone`(
    _ kind: DemoFault.Kind
  ) async throws {
    let stage = try await stage()
    let before = try await stage.names()
    let id = try #require(before.keys.min())
    let form = try await stage.map.editing.form(for: id, in: "a")
    try form.setText("Mine", of: "NAME")
    await stage.state.add(DemoFault(kind, path: "*/applyEdits"))
    await #expect(throws: Problem.self) { try await form.submit() }
    await stage.state.removeFaults()
    #expect(try await stage.names() == before)
    #expect(stage.map.editing.state.undoCount == 0)
    try await form.submit()
    #expect(try await stage.names()[id] == "Mine")
  }

  @Test func `A group of edits is carried out by one request, or not at all`() async throws {
    let stage = try await stage()
    let before = try await stage.names()
    let url = try #require(URL(string: "\(Self.root)/ExploreMaine/FeatureServer"))
    let tables = try await FeatureService(url: url, client: stage.client).layers().compactMap {
      info in
      info.id.map {
        ServiceFeatureTable(url: url.appending(path: "\($0)"), info: info, client: stage.client)
      }
    }
    let store = ServiceGeodatabase(
      ServiceFeatureStore(tables.map { ServiceFeatureStore.Table($0) }))
    let lighthouses = try #require(tables.first { $0.info.id == 1 }?.info.schema?.name)
    let towns = try #require(tables.first { $0.info.id == 0 }?.info.schema?.name)
    let ids = before.keys.sorted()
    let results = try await store.apply([
      .update(.objectID(ids[0]), table: lighthouses, attributes: ["NAME": .text("One")]),
      .delete(.objectID(ids[1]), table: lighthouses),
      .update(.objectID(1), table: towns, attributes: ["NAME": .text("A town")]),
    ])
    #expect(results.map(\.objectID) == [ids[0], ids[1], 1])
    let after = try await stage.names()
    #expect(after[ids[0]] == "One" && after[ids[1]] == nil)
    await #expect(throws: FeatureEditError.self) {
      _ = try await store.apply([
        .update(.objectID(ids[2]), table: lighthouses, attributes: ["NAME": .text("Two")]),
        .update(.objectID(987_654), table: lighthouses, attributes: ["NAME": .text("None")]),
      ])
    }
    #expect(try await stage.names() == after)
    #expect(try await store.undo().count == 3)
    let restored = try await stage.names()
    #expect(restored.count == before.count && restored[ids[0]] == before[ids[0]])
  }
}
