import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanMap
import PortolanPackages
import Testing

@testable import PortolanApp

/// The treatment in forms of changes that somebody else made meanwhile, and of typed text that is
/// given up.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct FormConflictTests {
  private static let schema = FeatureTableSchema(
    name: "places", geometryType: .point, spatialReference: .webMercator,
    fields: [
      Field("OBJECTID", .objectID), Field("NAME", .string, length: 6),
      Field("NOTE", .string, alias: "Remarks"),
    ], displayField: "NAME",
    templates: [
      FeatureTemplate(name: "Camp", prototype: ["NAME": .text("camp")]),
      FeatureTemplate(name: "Hut", prototype: ["NOTE": .text("dry"), "OBJECTID": .integer(9)]),
    ])

  /// A map with one place, at the origin.
  private func model() async throws -> MapModel {
    let map = MemoryMap(
      features: ["a": [Coordinate(x: 0, y: 0)]], schema: Self.schema, isEditable: true)
    let model = MapModel(map: try map.map([MemoryMap.layer("a")]))
    await model.load()
    return model
  }

  /// An edit in a form: the typed text, and the new place.
  struct Edit: Sendable {
    var name: String?
    var note: String?
    var x: Double?
  }

  private func fill(_ form: FeatureFormModel, _ edit: Edit) throws(Problem) {
    if let name = edit.name { try form.setText(name, of: "NAME") }
    if let note = edit.note { try form.setText(note, of: "NOTE") }
    if let x = edit.x { form.setGeometry(.point(Point(x: x, y: 0))) }
  }

  @Test func `A shape with a missing measure is the same when it is read again`() {
    func line(_ measures: [Double]) -> SeenShape {
      let places = [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0)]
      return SeenShape(.polyline(Polyline(paths: [Path(places, m: measures)])))
    }
    #expect(line([1, .nan]) == line([1, .nan]))
    #expect(line([1, .nan]) != line([1, 2]))
    #expect(SeenShape(nil) != line([1, 2]))
  }

  /// The name, the note and the place as they are stored.
  private func stored(_ model: MapModel) async throws -> [String] {
    let target = try await model.editing.target("a")
    let feature = try await model.editing.feature(1, in: target)
    let texts = ["NAME", "NOTE"].map { name -> String in
      if case .text(let text)? = feature.attributes[name] { text } else { "-" }
    }
    guard case .point(let point)? = feature.geometry else { return texts + ["nowhere"] }
    return texts + ["\(Int(point.x))"]
  }

  /// The edits of one person, those that another has stored meanwhile, the obstacle that the first
  /// is told of, and the result, if need be by overwriting.
  nonisolated private static let meetings: [(Edit, Edit, String?, [String])] = [
    (Edit(name: "mine"), Edit(name: "theirs"), "NAME", ["mine", "-", "0"]),
    (Edit(name: "same"), Edit(name: "same"), nil, ["same", "-", "0"]),
    (Edit(name: "mine"), Edit(note: "wet"), nil, ["mine", "wet", "0"]),
    (Edit(note: "dry"), Edit(note: "wet", x: 5), "Remarks", ["a 1", "dry", "5"]),
    (Edit(x: 9), Edit(x: 5), "shape", ["a 1", "-", "9"]),
    (Edit(x: 9), Edit(name: "theirs", note: "wet"), nil, ["theirs", "wet", "9"]),
    (Edit(name: "mine"), Edit(x: 5), nil, ["mine", "-", "5"]),
    (
      Edit(name: "mine", note: "dry", x: 9), Edit(name: "theirs", note: "wet", x: 5),
      "NAME, Remarks, shape", ["mine", "dry", "9"]
    ),
    (
      Edit(name: "same", note: "dry", x: 9), Edit(name: "same", x: 5), "shape",
      ["same", "dry", "9"]
    ),
  ]

  @Test(arguments: meetings)
  func `Only what two have changed differently is in the way, and is overwritten if that is wanted`(
    _ mine: Edit, _ theirs: Edit, _ told: String?, _ end: [String]
  ) async throws {
    let model = try await model()
    let first = try await model.editing.form(for: 1, in: "a")
    let second = try await model.editing.form(for: 1, in: "a")
    try fill(second, theirs)
    try await second.submit()
    let between = try await stored(model)
    try fill(first, mine)
    if let told {
      let problem = await #expect(throws: Problem.self) { try await first.submit() }
      #expect(problem?.code == .changedMeanwhile)
      #expect(problem?.message == "The feature was changed meanwhile: \(told).")
      #expect(problem?.actions == [NextAction(.openPopup)])
      #expect(first.state.phase == .open && first.state.canSubmit)
      #expect(try await stored(model) == between)
      #expect(model.editing.state.undoCount == 1)
      try await first.submit(overwriting: true)
    } else {
      try await first.submit()
    }
    #expect(try await stored(model) == end)
    #expect(first.state.phase == .stored && model.editing.state.undoCount == 2)
  }

  @Test func `A form for a feature that is there has something to save once it differs`()
    async throws
  {
    let model = try await model()
    let form = try await model.editing.form(for: 1, in: "a")
    let untouched = form.state
    #expect(untouched.purpose == .update(objectID: 1))
    #expect(!untouched.isChanged && !untouched.canSubmit && !untouched.lacksShape)
    try form.setText("much too long", of: "NAME")
    #expect(form.state.field("NAME")?.problem != nil && !form.state.canSubmit)
    try form.setValue(.text("short"), of: "name")
    #expect(form.state.field("NAME")?.problem == nil)
    #expect(form.state.isChanged && form.state.canSubmit)
    form.reset()
    #expect(form.state == untouched)
    form.setGeometry(nil)
    // A feature that is there may lose its shape.
    #expect(form.state.isChanged && form.state.canSubmit && form.state.geometry == nil)
    form.reset()
    #expect(form.state == untouched)
    try form.setValue(.text("by label"), of: "remarks")
    form.setGeometry(nil)
    let edit = try await form.submit()
    #expect(model.editing.state.lastEdit == edit.result && edit.objectID == 1)
    #expect(try await stored(model) == ["a 1", "by label", "nowhere"])
  }

  @Test func `A template replaces what was typed, but for what is the store's to fill`()
    async throws
  {
    let model = try await model()
    let form = try await model.editing.formForNewFeature(in: "a")
    #expect(form.state.purpose == .add && form.state.isChanged && form.state.lacksShape)
    try form.setText("typed", of: "NAME")
    try form.useTemplate(named: "HUT")
    let values = form.state.fields.map(\.value)
    #expect(values == [.null, .null, .text("dry")])
    form.setGeometry(.point(Point(x: 3, y: 0)))
    #expect(!form.state.lacksShape)
    form.reset()
    #expect(form.state.fields.map(\.value) == [.null, .null, .null] && form.state.lacksShape)
    let missing = #expect(throws: Problem.self) { try form.useTemplate(named: "Tent") }
    #expect(missing?.message == "There is no template \"Tent\"." && missing?.kind == .absence)
    #expect(missing?.suggestion == "It has: \"Camp\", \"Hut\".")
    let old = try await model.editing.form(for: 1, in: "a")
    #expect(throws: Problem.self) { try old.useTemplate(named: "Hut") }
    #expect(!old.state.isChanged)
    #expect(model.editing.state.undoCount == 0)
  }

  @Test(arguments: [("NOTHING", ErrorCode.noSuchField), ("OBJECTID", .readOnlyField)])
  func `Missing fields and internal fields are distinguished`(
    _ field: String, _ code: ErrorCode
  ) async throws {
    let model = try await model()
    let form = try await model.editing.form(for: 1, in: "a")
    let typed = #expect(throws: Problem.self) { try form.setText("1", of: field) }
    let given = #expect(throws: Problem.self) { try form.setValue(.integer(1), of: field) }
    #expect([typed?.code, given?.code] == [code, code])
    #expect(!form.state.isChanged && model.editing.state.undoCount == 0)
  }
}
