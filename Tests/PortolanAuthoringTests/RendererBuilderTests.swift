import PortolanFeatures
import PortolanMap
import Testing

@testable import PortolanAuthoring

@Suite struct RendererBuilderTests {
  private static let schema = FeatureTableSchema(
    name: "Rates", geometryType: .point,
    fields: [Field("OBJECTID", .objectID), Field("RATE", .double), Field("YEAR", .integer)])
  private static let feature = Feature(
    objectID: 1,
    attributes: Attributes(
      FieldList(schema.fields), [.integer(1), .double(0.5), .integer(1907)]))

  @Test func `Classes of small numbers are told apart by their labels`() async throws {
    var specification = RendererSpecification(at: .root)
    specification.kind = .classBreaks
    specification.field = "RATE"
    specification.breaks = [0.00012, 0.00025, 0.5, 12.3456, 2e15]
    let store = InMemoryFeatureStore([
      FeatureTableContents(schema: Self.schema, features: [Self.feature])
    ])
    let json = try await RendererBuilder(
      specification: specification, schema: Self.schema, store: store, whereClause: nil,
      gathered: nil
    ).renderer()
    let renderer = try #require(Renderer(json: json))
    #expect(
      renderer.legendEntries.map(\.name) == [
        "0.00012", "0.00012 – 0.00025", "0.00025 – 0.5", "0.5 – 12.346",
        "12.346 – 2000000000000000",
      ])
  }

  @Test(arguments: [
    ("{YEAR}{OBJECTID}", "19071"), ("{YEAR}-{OBJECTID}", "1907-1"), ("No. {YEAR}", "No. 1907"),
    ("{YEAR}{OBJECTID} {YEAR}", "19071 1907"), ("{YEAR} {OBJECTID}{YEAR}", "1907 11907"),
  ])
  func `A label has the values one behind the other, and never their sum`(
    _ template: String, _ label: String
  ) {
    let expression = ArcadeExpression(FieldTemplate(template).arcade(Self.schema))
    #expect(expression.evaluate(Self.feature.attributes) == .value(.text(label)))
  }
}
