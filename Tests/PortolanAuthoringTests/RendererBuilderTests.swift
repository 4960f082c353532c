import PortolanFeatures
import PortolanGeometry
import PortolanJSON
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

  private func renderer(_ specification: RendererSpecification) async throws -> Renderer {
    let store = InMemoryFeatureStore([
      FeatureTableContents(schema: Self.schema, features: [Self.feature])
    ])
    let json = try await RendererBuilder(
      specification: specification, schema: Self.schema, store: store, whereClause: nil,
      gathered: nil
    ).renderer()
    return try #require(Renderer(json: json))
  }

  /// A symbol in the words of the web map specification.
  private func symbol(_ json: JSONObject) -> SymbolSpecification {
    var symbol = SymbolSpecification(at: .root)
    symbol.esri = .object(json)
    return symbol
  }

  @Test func `A symbol of web maps stays what it is in the colors and sizes of classes`()
    async throws
  {
    var specification = RendererSpecification(at: .root)
    specification.kind = .classBreaks
    specification.field = "RATE"
    specification.breaks = [1, 2]
    specification.colors = [.init(red: 1, green: 2, blue: 3), .init(red: 4, green: 5, blue: 6)]
    specification.sizes = [4, 8]
    specification.symbol = symbol([
      "type": "esriSMS", "style": "esriSMSDiamond", "color": [9, 9, 9, 255], "size": 5,
    ])
    let symbols = try await renderer(specification).legendEntries.compactMap(\.symbol?.json)
    #expect(symbols.compactMap { $0["style"] } == ["esriSMSDiamond", "esriSMSDiamond"])
    #expect(symbols.compactMap { $0["color"] } == [[1, 2, 3, 255], [4, 5, 6, 255]])
    #expect(symbols.compactMap { $0.number("size") } == [4, 8])
  }

  @Test func `Pictures of values stay pictures, and values have colors of their own`() async throws
  {
    var specification = RendererSpecification(at: .root)
    specification.kind = .uniqueValue
    specification.field = "YEAR"
    let picture: JSONObject = ["type": "esriPMS", "imageData": "AA==", "width": 20, "height": 10]
    specification.symbol = symbol(picture)
    let alone = try await renderer(specification)
    #expect(alone.legendEntries.compactMap(\.symbol?.json) == [picture])
    specification.symbol = symbol(["type": "esriSFS", "color": [9, 9, 9, 255]])
    var red = SymbolSpecification(at: .root)
    red.color = RGBAColor(red: 255, green: 0, blue: 0)
    specification.values = [
      .init(value: 1907, label: nil, symbol: red), .init(value: 1908, label: nil, symbol: nil),
    ]
    let symbols = try await renderer(specification).legendEntries.compactMap(\.symbol?.json)
    #expect(symbols.compactMap { $0["color"] } == [[255, 0, 0, 255], [9, 9, 9, 255]])
  }

  @Test(
    arguments: [
      ("esriPMS", .classBreaks, true, [4, 8]), ("esriPMS", .uniqueValue, true, []),
      ("CIMSymbolReference", .classBreaks, false, [4, 8]),
      ("esriPFS", .classBreaks, false, []),
    ] as [(String, RendererSpecification.Kind, Bool, [Double])])
  func `Classes that would look alike are refused`(
    _ type: String, _ kind: RendererSpecification.Kind, _ hasColors: Bool, _ sizes: [Double]
  ) async throws {
    var specification = RendererSpecification(at: .root)
    specification.kind = kind
    specification.field = "YEAR"
    specification.sizes = sizes
    if hasColors { specification.colors = [RGBAColor(red: 1, green: 2, blue: 3)] }
    specification.symbol = symbol(["type": .string(type)])
    let whole = specification
    let fault = await #expect(throws: DataFault.self) { _ = try await renderer(whole) }
    #expect(fault?.message.contains("\"\(type)\"") == true)
  }

  @Test func `Pictures grow from class to class`() async throws {
    var specification = RendererSpecification(at: .root)
    specification.kind = .classBreaks
    specification.field = "RATE"
    specification.breaks = [1, 2]
    specification.sizes = [5, 10]
    specification.symbol = symbol(
      ["type": "esriPMS", "imageData": "AA==", "width": 20, "height": 10])
    let symbols = try await renderer(specification).legendEntries.compactMap(\.symbol?.json)
    #expect(symbols.compactMap { $0.number("height") } == [5, 10])
  }

  @Test func `Classes of small numbers are told apart by their labels`() async throws {
    var specification = RendererSpecification(at: .root)
    specification.kind = .classBreaks
    specification.field = "RATE"
    specification.breaks = [0.00012, 0.00025, 0.5, 12.3456, 2e15]
    let renderer = try await renderer(specification)
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
