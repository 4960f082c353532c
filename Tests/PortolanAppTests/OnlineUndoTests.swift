import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// Edits at services of the demo portal, undone.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct OnlineUndoTests {
  private typealias Stage = OnlineEditingStage

  @Test func `A group that a service has carried out in part is not reported as refused`()
    async throws
  {
    let stage = try await Stage.make(answers: [Stage.firstAlone])
    let before = try await stage.names()
    let ids = before.keys.sorted()
    let table = try await stage.table()
    let store = Stage.store(of: table)
    let error = await #expect(throws: FeatureEditError.self) {
      _ = try await store.apply(try Stage.renaming(ids, of: table))
    }
    #expect(Stage.doubt(in: error).contains("Not today"))
    // An edit that went through can be undone.
    #expect(await store.undoCount() == 1)
    #expect(try await store.undo().map(\.objectID) == [ids[0]])
    #expect(try await stage.names()[ids[0]] == before[ids[0]])
    #expect(await store.undoCount() == 0)
  }

  @Test func `What could not be undone of a group is undone the next time`() async throws {
    let both = #"{"updateResults": [{"success": true}, {"success": true}]}"#
    let stage = try await Stage.make(answers: [both, Stage.firstAlone, both])
    let before = try await stage.names()
    let ids = before.keys.sorted()
    let table = try await stage.table()
    let store = Stage.store(of: table)
    _ = try await store.apply(try Stage.renaming(ids, of: table))
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

  @Test func `Edits at a service are taken back, the last one first`() async throws {
    let stage = try await Stage.make()
    let before = try await stage.names()
    let id = try #require(before.keys.min())
    let form = try await stage.form(renaming: id, to: "Renamed")
    try await form.submit()
    let new = try await stage.formOfNewLight()
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
    let stage = try await Stage.make()
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
    let stage = try await Stage.make()
    let id = try await stage.firstID()
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
    let stage = try await Stage.make()
    let id = try await stage.firstID()
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

  /// The position of a feature at the service.
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
    let stage = try await Stage.make()
    let table = try await stage.service().table(4)
    let name = try #require(table.info.schema?.name)
    let store = Stage.store(of: table)
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
    let stage = try await Stage.make()
    let id = try await stage.firstID()
    let form = try await stage.form(renaming: id, to: "Mine")
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
    let stage = try await Stage.make()
    let before = try await stage.names()
    let ids = before.keys.sorted()
    for id in ids.prefix(2) {
      let form = try await stage.form(renaming: id, to: "Mine")
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
    let stage = try await Stage.make()
    let id = try await stage.firstID()
    let added = try await stage.map.editing.attach(Stage.file, to: id, in: "a")
    let attachment = try #require(added.result.attachmentID)
    let count = try await stage.table().attachments(of: id).count
    _ = try await stage.map.editing.attach(Stage.file, to: id, in: "a")
    _ = try await stage.map.editing.removeAttachment(attachment, of: id, in: "a")
    await #expect(throws: Problem.self) { try await stage.map.editing.undo() }
    #expect(stage.map.editing.state.undoCount == 2)
    _ = try await stage.map.editing.undo()
    #expect(try await stage.table().attachments(of: id).count == count - 1)
  }
}
