import Foundation
import PortolanApp
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import Testing

@MainActor
@Suite struct FeatureFormModelTests {
  private static let condition = Domain.codedValue(
    CodedValueDomain(
      name: "Condition",
      codedValues: [
        .init(code: .integer(1), name: "Good"), .init(code: .integer(2), name: "Poor"),
      ]))
  private static let schema = FeatureTableSchema(
    name: "signs", geometryType: .point, spatialReference: .webMercator,
    fields: [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("NAME", .string, alias: "Name", length: 5, isNullable: false),
      Field("COND", .smallInteger, alias: "Condition", domain: condition),
      Field("SEEN", .date), Field("HEIGHT", .double), Field("OWNER", .string, isEditable: false),
      Field("KIND", .integer),
    ],
    typeIDField: "KIND",
    types: [
      FeatureType(id: .integer(10), name: "Post"),
      FeatureType(
        id: .integer(20), name: "Board",
        domains: [
          "COND": .codedValue(
            CodedValueDomain(
              name: "Boards", codedValues: [.init(code: .integer(9), name: "Painted")]))
        ],
        templates: [FeatureTemplate(name: "Painted board", prototype: ["COND": .integer(9)])]),
    ], defaultTypeID: .integer(10))

  private func form(_ schema: FeatureTableSchema = Self.schema) async throws -> FeatureFormModel {
    let map = try MemoryMap(features: ["a": []], schema: schema, isEditable: true)
      .map([MemoryMap.layer("a")])
    let model = MapModel(map: map)
    // Kept by the form's editing model for as long as the form is used.
    holder.model = model
    await model.load()
    return try await model.editing.formForNewFeature(in: "a")
  }

  private final class Holder { var model: MapModel? }
  private let holder = Holder()

  @Test func `A form knows what each field takes`() async throws {
    let state = try await form().state
    #expect(state.field("name")?.isRequired == true)
    #expect(state.field("name")?.length == 5)
    #expect(state.field("OBJECTID")?.readOnlyReason == .objectID)
    #expect(state.field("owner")?.readOnlyReason == .notEditable)
    #expect(state.field("condition")?.choices.map(\.name) == ["Good", "Poor"])
    #expect(state.field("kind")?.choices.map(\.name) == ["Post", "Board"])
    #expect(state.field("kind")?.text == "Post")
    #expect(state.templates.map(\.name) == ["Painted board"])
  }

  @Test func `A form does not ask for what the database computes`() async throws {
    var schema = Self.schema
    var key = Field("KEY", .string, isNullable: false)
    schema.fields.append(key)
    #expect(try await form(schema).state.field("KEY")?.isRequired == true)
    key.hasComputedDefault = true
    schema.fields[schema.fields.count - 1] = key
    let form = try await form(schema)
    #expect(form.state.field("KEY")?.isRequired == false)
    try form.setText("post", of: "NAME")
    try form.setText("", of: "KEY")
    try form.draw(.vertices([.init(x: 0, y: 0)], .wgs84))
    #expect(form.state.field("KEY")?.problem == nil)
    #expect(form.state.canSubmit)
    try await form.submit()
    #expect(form.state.phase == .stored)
  }

  @Test(arguments: [
    ("COND", "poor", AttributeValue.integer(2)), ("COND", "1", .integer(1)), ("COND", "", .null),
    ("HEIGHT", "2.5", .double(2.5)), ("NAME", "12", .text("12")), ("KIND", "Board", .integer(20)),
    ("SEEN", "1970-01-02T00:00:00Z", .date(Date(timeIntervalSince1970: 86_400))),
  ])
  func `Typed text becomes a value`(
    _ field: String, _ text: String, _ value: AttributeValue
  ) async throws {
    let form = try await form()
    try form.setText(text, of: field)
    #expect(form.state.field(field)?.value == value)
    #expect(form.state.field(field)?.problem == nil)
  }

  @Test(arguments: [
    ("COND", "7"), ("COND", "worse"), ("HEIGHT", "tall"), ("SEEN", "yesterday"),
    ("NAME", "too long a name"), ("KIND", "30"),
  ])
  func `A value that cannot be stored is reported in its line`(
    _ field: String, _ text: String
  ) async throws {
    let form = try await form()
    let untouched = form.state.field(field)
    try form.setText(text, of: field)
    #expect(form.state.field(field)?.problem != untouched?.problem)
    #expect(form.state.field(field)?.problem != nil)
    #expect(!form.state.canSubmit)
    await #expect(throws: Problem.self) { try await form.submit() }
    form.reset()
    #expect(form.state.field(field) == untouched)
  }

  @Test(arguments: [("COND", "5", "\"Condition\""), ("NAME", "too long", "\"Name\"")])
  func `A value that cannot be stored is reported with the label of its field`(
    _ field: String, _ text: String, _ label: String
  ) async throws {
    let form = try await form()
    try form.setText(text, of: field)
    let message = form.state.field(field)?.problem?.message
    #expect(message?.contains(label) == true, "\(message ?? "")")
  }

  @Test func `A form says which dates belong to no known time zone`() async throws {
    #expect(try await form().state.fields.allSatisfy { !$0.isTimeZoneUnknown })
    var schema = Self.schema
    schema.hasDatesInUnknownTimeZone = true
    let fields = try await form(schema).json["fields"]?.array ?? []
    #expect(fields.first { $0["name"] == "SEEN" }?["timeZoneUnknown"] == true)
  }

  @Test func `The values that are allowed follow the subtype`() async throws {
    let form = try await form()
    try form.setText("Board", of: "KIND")
    #expect(form.state.field("COND")?.choices.map(\.name) == ["Painted"])
    try form.setText("Post", of: "KIND")
    #expect(form.state.field("COND")?.choices.map(\.name) == ["Good", "Poor"])
  }

  @Test func `A value of a list that is named in more than one way is not guessed`() async throws {
    var schema = Self.schema
    schema.types = [
      FeatureType(id: .integer(1), name: "2"), FeatureType(id: .integer(2), name: "1"),
    ]
    schema.defaultTypeID = .integer(1)
    let form = try await form(schema)
    try form.setText("2", of: "KIND")
    let field = try #require(form.state.field("KIND"))
    #expect(field.problem != nil && field.value == .integer(1))
    try form.setText("2", of: "KIND", isCode: true)
    #expect(form.state.field("KIND")?.problem == nil)
    #expect(form.state.field("KIND")?.value == .integer(2))
    try form.setText(field.text(for: field.choices[0]), of: "KIND")
    #expect(form.state.field("KIND")?.value == .integer(1))
  }

  @Test func `A value that the chosen subtype does not have is marked where it is`() async throws {
    let new = try await form()
    try new.setText("post", of: "NAME")
    try new.setText("Good", of: "COND")
    try new.draw(.vertices([.init(x: 0, y: 0)], .native))
    let added = try await new.submit().objectID
    let model = try #require(holder.model)
    let form = try await model.editing.form(for: added, in: "a")
    try form.setText("Board", of: "KIND")
    #expect(form.state.field("COND")?.problem != nil && form.state.field("KIND")?.problem == nil)
    #expect(form.state.field("NAME")?.problem == nil && !form.state.canSubmit)
    try form.setText("Painted", of: "COND")
    #expect(form.state.canSubmit)
    try form.setText("", of: "COND")
    #expect(form.state.canSubmit)
    try form.setText("Post", of: "KIND")
    try form.setText("9", of: "COND")
    #expect(form.state.field("COND")?.problem != nil && form.state.field("KIND")?.problem == nil)
  }

  @Test func `A new feature can start from a template`() async throws {
    let form = try await form()
    try form.useTemplate(named: "painted board")
    #expect(form.state.field("COND")?.value == .integer(9))
    #expect(throws: Problem.self) { try form.useTemplate(named: "none") }
  }

  @Test(arguments: ["OBJECTID", "OWNER", "NOTHING"])
  func `A field that is not for people cannot be set`(_ field: String) async throws {
    let form = try await form()
    #expect(throws: Problem.self) { try form.setText("1", of: field) }
  }

  @Test func `A field that must be filled is missed when the form is sent`() async throws {
    let form = try await form()
    try form.draw(.vertices([.init(x: 0, y: 0)], .native))
    await #expect(throws: Problem.self) { try await form.submit() }
    try form.setText("post", of: "NAME")
    #expect(try await form.submit().objectID == 1)
  }

  @Test func `A new feature of a layer is not stored without its shape`() async throws {
    let form = try await form()
    try form.setText("post", of: "NAME")
    #expect(form.state.lacksShape && !form.state.canSubmit)
    let problem = await #expect(throws: Problem.self) { try await form.submit() }
    #expect(problem?.code == .incompleteGeometry && problem?.suggestion != nil)
    try form.draw(.vertices([.init(x: 0, y: 0)], .native))
    #expect(!form.state.lacksShape && form.state.canSubmit)
    try await form.submit()
  }

  @Test func `A sketch makes a shape of the layer's kind`() async throws {
    let form = try await form()
    #expect(throws: Problem.self) {
      try form.draw(.vertices([.init(x: 0, y: 0), .init(x: 1, y: 1)], .native))
    }
    try form.draw(.vertices([.init(x: 180, y: 0)], .wgs84))
    guard case .point(let point) = form.state.geometry else {
      Issue.record("no point")
      return
    }
    #expect(abs(point.x - 20_037_508.342789) < 1e-3)
  }
}
