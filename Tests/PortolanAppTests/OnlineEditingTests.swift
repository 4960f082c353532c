import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// Web maps that are open online, edited at the services of the demo portal.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct OnlineEditingTests {
  private typealias Stage = OnlineEditingStage

  @Test func `A feature that is added, changed and removed is so at the service at once`()
    async throws
  {
    let stage = try await Stage.make()
    let before = try await stage.names()
    let form = try await stage.formOfNewLight()
    let id = try await form.submit().objectID
    #expect(try await stage.names()[id] == "New Light")
    let change = try await stage.form(renaming: id, to: "Renamed")
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
    let stage = try await Stage.make(answers: [MisreportedEdits.silence])
    let before = try await stage.names().count
    let form = try await stage.formOfNewLight()
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
    let stage = try await Stage.make()
    let id = try await stage.firstID()
    let form = try await stage.form(renaming: id, to: "Mine")
    await stage.state.add(
      DemoFault(.status(status, retryAfter: nil), path: "*/applyEdits"))
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == .unconfirmed)
  }

  @Test(arguments: [429, 503])
  func `An edit that a busy service has refused is not made, and what was entered stays`(
    _ status: Int
  ) async throws {
    let stage = try await Stage.make()
    let before = try await stage.names()
    let id = try #require(before.keys.min())
    let form = try await stage.form(renaming: id, to: "Mine")
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
    let stage = try await Stage.make()
    let id = try await stage.firstID()
    let form = try await stage.form(renaming: id, to: "Mine")
    let failure = DemoFailure(code: code, "Not today.", details: [])
    await stage.state.add(DemoFault(.failure(failure), path: "*/applyEdits"))
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == expected && problem?.actions.map(\.kind) == actions)
    #expect(problem?.message.hasPrefix("The edit was not made. ") == true)
    #expect(problem?.suggestion?.contains("disk") == false)
  }

  @Test func `A file that a busy service has refused is not said to have been sent`() async throws {
    let stage = try await Stage.make()
    let id = try await stage.firstID()
    await stage.state.add(DemoFault(.status(429, retryAfter: nil), path: "*/addAttachment"))
    let problem = await #expect(throws: Problem.self) {
      _ = try await stage.map.editing.attach(Stage.file, to: id, in: "a")
    }
    #expect(problem?.code == .rateLimited)
  }

  @Test(arguments: doubtfulResults)
  func `A group of which an edit may have arrived is not reported as refused`(
    _ result: String
  ) async throws {
    let refusal = #"{"success": false, "error": {"code": 1000, "description": "Not today."}}"#
    let stage = try await Stage.make(answers: [#"{"updateResults": [\#(result), \#(refusal)]}"#])
    let ids = try await stage.names().keys.sorted()
    let table = try await stage.table()
    let store = Stage.store(of: table)
    let error = await #expect(throws: FeatureEditError.self) {
      _ = try await store.apply(try Stage.renaming(ids, of: table))
    }
    let reason = Stage.doubt(in: error)
    #expect(reason == "it may have carried out other edits, and refused this one: Not today")
    #expect(await store.undoCount() == 0)
  }

  @Test func `A feature that the service adds without saying which it is is reported as such`()
    async throws
  {
    let stage = try await Stage.make(answers: [#"{"addResults": [{"success": true}]}"#])
    let before = try await stage.names().count
    let form = try await stage.formOfNewLight()
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == .unconfirmed)
    #expect(stage.map.editing.state.undoCount == 0)
    #expect(try await stage.names().count == before + 1)
  }

  @Test func `A file that the service attaches without saying which it is is reported as such`()
    async throws
  {
    let stage = try await Stage.make(answers: [#"{"addAttachmentResult": {"success": true}}"#])
    let id = try await stage.firstID()
    let problem = await #expect(throws: Problem.self) {
      _ = try await stage.map.editing.attach(Stage.file, to: id, in: "a")
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
    let stage = try await Stage.make(answers: [#"{"updateResults": [\#(result)]}"#])
    let id = try await stage.firstID()
    let form = try await stage.form(renaming: id, to: "New Light")
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == .unconfirmed)
    #expect(stage.map.editing.state.undoCount == 0)
    #expect(try await stage.names()[id] == "New Light")
  }

  @Test(arguments: doubtfulResults)
  func `A file that a service reports as attached and as refused may have arrived`(
    _ result: String
  ) async throws {
    let stage = try await Stage.make(answers: [#"{"addAttachmentResult": \#(result)}"#])
    let id = try await stage.firstID()
    let problem = await #expect(throws: Problem.self) {
      _ = try await stage.map.editing.attach(Stage.file, to: id, in: "a")
    }
    #expect(problem?.code == .unconfirmed)
    #expect(stage.map.editing.state.undoCount == 0)
  }

  @Test func `An attachment without a result from the service may have arrived`() async throws {
    let stage = try await Stage.make(answers: ["{}"])
    let id = try await stage.firstID()
    let problem = await #expect(throws: Problem.self) {
      _ = try await stage.map.editing.attach(Stage.file, to: id, in: "a")
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
    let stage = try await Stage.make(capabilities: capabilities)
    let before = try await stage.names()
    let ids = before.keys.sorted()
    var done = (added: false, updated: false, deleted: false)
    do {
      let form = try await stage.formOfNewLight()
      try await form.submit()
      done.added = true
    } catch { #expect(!canAdd) }
    do {
      let form = try await stage.form(renaming: ids[0], to: "Renamed")
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

  @Test func `A file is attached at the service, and taken back`() async throws {
    let stage = try await Stage.make()
    let id = try await stage.firstID()
    let before = try await stage.table().attachments(of: id).count
    let edit = try await stage.map.editing.attach(Stage.file, to: id, in: "a")
    let found = try await stage.table().attachments(of: id)
    #expect(found.count == before + 1 && found.contains { $0.id == edit.result.attachmentID })
    #expect(found.last?.name == "a.txt" && found.last?.contentType == "text/plain")
    _ = try await stage.map.editing.undo()
    #expect(try await stage.table().attachments(of: id).count == before)
  }

  @Test func `A value that does not fit is refused before the service is asked`() async throws {
    let stage = try await Stage.make()
    let id = try await stage.firstID()
    let form = try await stage.map.editing.form(for: id, in: "a")
    try form.setText(String(repeating: "x", count: 5_000), of: "NAME")
    #expect(!form.state.canSubmit)
    await #expect(throws: Problem.self) { try await form.submit() }
  }

  @Test(arguments: [DemoFault.Kind.drop, .html, .status(503, retryAfter: nil)])
  func `An edit that the service does not accept is reported, and cannot be undone`(
    _ kind: DemoFault.Kind
  ) async throws {
    let stage = try await Stage.make()
    let before = try await stage.names()
    let id = try #require(before.keys.min())
    let form = try await stage.form(renaming: id, to: "Mine")
    await stage.state.add(DemoFault(kind, path: "*/applyEdits"))
    await #expect(throws: Problem.self) { try await form.submit() }
    await stage.state.removeFaults()
    #expect(try await stage.names() == before)
    #expect(stage.map.editing.state.undoCount == 0)
    try await form.submit()
    #expect(try await stage.names()[id] == "Mine")
  }

  @Test func `A group of edits is carried out by one request, or not at all`() async throws {
    let stage = try await Stage.make()
    let before = try await stage.names()
    let service = try stage.service()
    let tables = try await service.layers().compactMap { info in
      info.id.map {
        ServiceFeatureTable(
          url: service.url.appending(path: "\($0)"), info: info, client: stage.client)
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
