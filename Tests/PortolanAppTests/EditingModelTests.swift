import Foundation
import PortolanApp
import PortolanFeatures
import PortolanGeometry
import PortolanMap
import Testing

@MainActor
@Suite struct EditingModelTests {
  /// A map with two places, at the origin and a metre to the east of it.
  func model() async throws -> MapModel {
    let places = [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0)]
    let model = MapModel(
      map: try MemoryMap(features: ["a": places], isEditable: true).map([MemoryMap.layer("a")]))
    await model.load()
    return model
  }

  func names(_ model: MapModel) async -> [String] {
    await model.identify.identify(longitude: 0, latitude: 0)
    let features = model.identify.state.results.first?.features ?? []
    return features.compactMap { $0.attributes["NAME"] }.map { "\($0)" }.sorted()
  }

  @Test func `No layer of an archive can be edited, which its problem says by title`() async throws
  {
    let open = try await self.model()
    #expect(open.editing.editableLayers.map(\.id) == ["a"])
    let map = try MemoryMap(features: ["a": []], unreadable: [9], isPacked: true)
      .map([MemoryMap.layer("a")])
    let model = MapModel(map: map)
    await model.load()
    #expect(model.editing.layers.map(\.id) == ["a"])
    #expect(model.editing.editableLayers.isEmpty)
    let problem = await #expect(throws: Problem.self) {
      try await model.editing.formForNewFeature(in: "a")
    }
    #expect(problem?.code == .tableNotEditable && problem?.actions.map(\.kind) == [.unpack])
  }

  @Test func `A feature that is added is found`() async throws {
    let model = try await model()
    let form = try await model.editing.formForNewFeature(in: "a")
    try form.setText("camp", of: "name")
    try form.draw(.vertices([.init(x: 0, y: 0)], .wgs84))
    #expect(form.state.canSubmit)
    let result = try await form.submit()
    #expect(result.objectID == 3)
    #expect(await names(model).contains("text(\"camp\")"))
    #expect(model.editing.state.undoCount == 1)
  }

  @Test func `Edits are undone, the last one first`() async throws {
    let model = try await model()
    let before = await names(model)
    try await model.editing.remove(1, in: "a")
    try await model.editing.move(2, in: "a", to: .vertices([.init(x: 500, y: 0)], .native))
    #expect(await names(model) == [])
    #expect(try await model.editing.undo().map(\.kind) == [.update])
    #expect(try await model.editing.undo().map(\.kind) == [.delete])
    #expect(await names(model) == before)
    await #expect(throws: Problem.self) { try await model.editing.undo() }
  }

  @Test func `A popup shows what was changed, and goes with its feature`() async throws {
    let model = try await model()
    await model.identify.identify(longitude: 0, latitude: 0)
    try await model.popups.select(0)
    let selected = try #require(model.popups.state.selection).feature.objectID
    let form = try await model.editing.form(for: selected, in: "a")
    try form.setText("moved on", of: "NAME")
    try await form.submit()
    #expect(model.popups.state.selection?.popup.title == "moved on")
    try await model.editing.remove(selected, in: "a")
    #expect(model.popups.state.selection == nil)
    #expect(model.popups.state.pages.count == 1)
  }

  @Test func `A popup that is open shows the old values again after undo`() async throws {
    let model = try await model()
    await model.identify.identify(longitude: 0, latitude: 0)
    try await model.popups.select(0)
    let selected = try #require(model.popups.state.selection)
    let form = try await model.editing.form(for: selected.feature.objectID, in: "a")
    try form.setText("moved on", of: "NAME")
    try await form.submit()
    #expect(model.popups.state.selection?.popup.title == "moved on")
    _ = try await model.editing.undo()
    #expect(model.popups.state.selection?.popup.title == selected.popup.title)
  }

  @Test func `Going back from a related record shows where it was opened as it is now`()
    async throws
  {
    // Each place is related to itself.
    var schema = MemoryMap.schema
    schema.relationships = [
      RelationshipInfo(
        id: 0, name: "itself", relatedTable: schema.name, cardinality: .oneToOne, role: .origin,
        keyField: "OBJECTID", relatedKeyField: "OBJECTID")
    ]
    let map = try MemoryMap(
      features: ["a": [Coordinate(x: 0, y: 0)]], schema: schema, isEditable: true
    ).map([MemoryMap.layer("a")])
    let model = MapModel(map: map)
    await model.load()
    await model.identify.identify(longitude: 0, latitude: 0)
    try await model.popups.select(0)
    try await model.popups.openRelated(0)
    let form = try await model.editing.form(for: 1, in: "a")
    try form.setText("moved on", of: "NAME")
    try await form.submit()
    #expect(model.popups.canGoBack)
    try await model.popups.goBack()
    #expect(model.popups.state.selection?.popup.title == "moved on")
    try await model.popups.openRelated(0)
    try await model.editing.remove(1, in: "a")
    #expect(model.popups.state.pages.isEmpty && !model.popups.canGoBack)
  }

  @Test
  func `The popup of another layer with the same object id is not taken for the selected one`()
    async throws
  {
    let places = [Coordinate(x: 0, y: 0)]
    let model = MapModel(
      map: try MemoryMap(features: ["a": places, "b": places], isEditable: true)
        .map([MemoryMap.layer("a"), MemoryMap.layer("b")]))
    await model.load()
    await model.identify.identify(longitude: 0, latitude: 0)
    #expect(model.popups.state.pages.map(\.layerID) == ["b", "a"])
    try await model.popups.select(1)
    let form = try await model.editing.form(for: 1, in: "a")
    try form.setText("other", of: "NAME")
    try await form.submit()
    #expect(model.popups.state.selection?.index == 1)
    #expect(model.popups.state.selection?.popup.title == "other")
  }

  @Test func `Two forms on one feature: what both changed is refused, what one changed is kept`()
    async throws
  {
    let model = try await model()
    let first = try await model.editing.form(for: 1, in: "a")
    let second = try await model.editing.form(for: 1, in: "a")
    try first.setText("first", of: "NAME")
    try await first.submit()
    try second.setText("second", of: "NAME")
    let problem = await #expect(throws: Problem.self) { try await second.submit() }
    #expect(problem?.code == .changedMeanwhile && problem?.message.contains("NAME") == true)
    #expect(await names(model).contains("text(\"first\")"))
    let third = try await model.editing.form(for: 1, in: "a")
    try third.draw(.vertices([.init(x: 2, y: 0)], .native))
    try second.setText("last", of: "NAME")
    try await second.submit(overwriting: true)
    // The shape is changed by nobody else.
    try await third.submit()
    #expect(await names(model).contains("text(\"last\")"))
  }

  @Test func `A shape of several parts is redrawn, holes included`() async throws {
    let schema = FeatureTableSchema(
      name: "areas", geometryType: .polygon, spatialReference: .webMercator,
      fields: [Field("OBJECTID", .objectID), Field("NAME", .string)])
    let model = MapModel(
      map: try MemoryMap(features: ["a": []], schema: schema, isEditable: true)
        .map([MemoryMap.layer("a")]))
    await model.load()
    func square(_ origin: Double, _ side: Double) -> [Sketch.Vertex] {
      [(0, 0), (0, side), (side, side), (side, 0)].map {
        Sketch.Vertex(x: origin + $0.0, y: origin + $0.1)
      }
    }
    let form = try await model.editing.formForNewFeature(in: "a")
    try form.draw(.parts([square(20, 5), square(0, 10), square(3, 2)], .native))
    guard case .polygon(let polygon) = form.state.geometry else {
      Issue.record("no area was drawn")
      return
    }
    #expect(polygon.parts.map(\.holes.count) == [0, 1])
  }

  @Test func `Changes are listed by layer`() async throws {
    let model = try await model()
    try await model.editing.remove(2, in: "a")
    let changes = try await model.editing.changes()
    #expect(changes.tables.map(\.layerTitle) == ["a"])
    #expect(changes.all.map(\.kind) == [.delete])
    #expect(changes.tables.map(\.hasHistory) == [false])
  }

  @Test func `A feature that was changed is listed with its title as long as it is there`()
    async throws
  {
    let model = try await model()
    let form = try await model.editing.form(for: 1, in: "a")
    try form.setText("camp", of: "NAME")
    try await form.submit()
    try await model.editing.remove(2, in: "a")
    let table = try #require(try await model.editing.changes().tables.first)
    #expect(table.changes.map(\.objectID) == [1, 2])
    #expect(table.titles == [1: "camp"])
  }

  @Test func `Changes are refused where a file that may hold edits cannot be read`() async throws {
    let error = FeatureStoreError.unreadable(file: "a.geodatabase", reason: "it is locked")
    let model = MapModel(map: try MemoryMap(unreadableEdits: error).map([MemoryMap.layer("a")]))
    await model.load()
    let problem = await #expect(throws: Problem.self) { try await model.editing.changes() }
    #expect(problem?.message.contains("it is locked") == true)
    let start = "The edits of \"a\" cannot be listed. "
    #expect(problem?.message.hasPrefix(start) == true, "\(problem?.message ?? "")")
  }

  @Test func `A damaged file whose edits cannot be listed is to be kept, not fetched again`()
    async throws
  {
    let error = FeatureStoreError.damaged(
      file: "a.geodatabase", place: "its header", reason: "it is cut short")
    #expect(Problem(error).suggestion?.contains("download the file again") == true)
    let model = MapModel(map: try MemoryMap(unreadableEdits: error).map([MemoryMap.layer("a")]))
    await model.load()
    let problem = await #expect(throws: Problem.self) { try await model.editing.changes() }
    #expect(problem?.message.contains("it is cut short") == true)
    #expect(
      problem?.suggestion == "Keep the file: edits that no service has received may be in it.")
  }

  @Test func `A layer without features cannot be edited`() async throws {
    let model = try await model()
    let absent = await #expect(throws: Problem.self) {
      try await model.editing.remove(1, in: "none")
    }
    #expect(absent?.message == "There is no layer \"none\"." && absent?.kind == .absence)
    let gone = await #expect(throws: Problem.self) { try await model.editing.remove(9, in: "a") }
    #expect(gone?.code == .noSuchRow)
    let empty = MapModel(map: try MemoryMap().map([MemoryMap.layer("a")]))
    await empty.load()
    let problem = await #expect(throws: Problem.self) { try await empty.editing.remove(1, in: "a") }
    #expect(problem?.message == "\"a\" has no features that can be edited.")
    #expect(problem?.suggestion == "There are no data.")
    #expect(model.editing.state.undoCount == 0)
  }

  @Test func `Messages about edits name the layer, not the table that it shows`() async throws {
    let model = try await model()
    let form = try await model.editing.form(for: 1, in: "a")
    let field = #expect(throws: Problem.self) { try form.setText("x", of: "COLOUR") }
    #expect(field?.message == "\"a\" has no field \"COLOUR\".")
    #expect(field?.suggestion?.contains("Did you mean") == false)
    let near = #expect(throws: Problem.self) { try form.setText("x", of: "NAMEE") }
    #expect(near?.suggestion?.hasPrefix("Did you mean \"NAME\"? ") == true)
    let gone = await #expect(throws: Problem.self) { try await model.editing.remove(9, in: "a") }
    #expect(gone?.message == "\"a\" has no feature 9.")
    let file = await #expect(throws: Problem.self) {
      try await model.editing.attach(Self.file, to: 1, in: "a")
    }
    #expect(file?.message == "Features of \"a\" cannot have attachments.")
    #expect(model.editing.layers.map(\.table) == ["places"])
    #expect(model.editing.layerTitle(ofTable: "places") == "a")
    #expect(model.editing.layerTitle(ofTable: "others") == "others")
  }

  private static let file = NewAttachment(
    name: "a.txt", contentType: "text/plain", data: Data("a".utf8))

  @Test func `A file that is attached is there, and undoing takes it away`() async throws {
    let schema = FeatureTableSchema(
      name: "places", geometryType: .point, spatialReference: .webMercator,
      fields: [Field("OBJECTID", .objectID), Field("NAME", .string)], hasAttachments: true)
    let model = MapModel(
      map: try MemoryMap(
        features: ["a": [Coordinate(x: 0, y: 0)]], schema: schema, isEditable: true
      ).map([MemoryMap.layer("a")]))
    await model.load()
    await model.identify.identify(longitude: 0, latitude: 0)
    try await model.popups.select(0)
    try await model.editing.attach(Self.file, to: 1, in: "a")
    let attached = try #require(try await model.popups.attachments().first)
    #expect(attached.name == "a.txt" && attached.size == 1)
    #expect(try await model.popups.data(of: attached.id) == Data("a".utf8))
    _ = try await model.editing.undo()
    #expect(try await model.popups.attachments() == [])
  }

  @Test func `Features of a table without attachments take no file`() async throws {
    let model = try await model()
    let problem = await #expect(throws: Problem.self) {
      try await model.editing.attach(Self.file, to: 1, in: "a")
    }
    #expect(problem?.code == .noAttachments)
    #expect(model.editing.state.undoCount == 0)
  }

  @Test func `A map's synchronization time is reported only if all of it was synchronized then`()
    async throws
  {
    let moment = Date(timeIntervalSince1970: 1_795_000_000)
    for (layers, told) in [(["a"], moment), (["a", "b"], nil)] {
      let map = HeldMap(layers, held: "a", .undo, at: Gate(), synchronized: moment)
      let model = try await map.model()
      #expect(try await model.editing.changes().lastSync == told)
    }
  }
}
