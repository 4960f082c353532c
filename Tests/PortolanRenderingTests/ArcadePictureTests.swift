import PortolanFeatures
import PortolanJSON
import PortolanMap
import Testing

@testable import PortolanRendering

/// Arcade where it chooses symbols and words labels.
@Suite struct ArcadePictureTests {
  private static func renderer(_ expression: String) -> Renderer? {
    let symbol: JSONObject = ["type": "esriSMS", "style": "esriSMSCircle", "size": 8]
    let json: JSONObject = [
      "type": "uniqueValue", "valueExpression": .string(expression),
      "uniqueValueInfos": [["value": "big", "symbol": .object(symbol)]],
    ]
    return Renderer(json: json)
  }

  private static func attributes(_ value: AttributeValue) -> Attributes {
    Attributes(FieldList([Field("VALUE", .double)]), [value])
  }

  @Test func `A class is chosen by an expression with conditions`() throws {
    let renderer = try #require(
      Self.renderer("var v = $feature.VALUE; if (IsEmpty(v) || v < 10) { 'small' } else { 'big' }"))
    var symbolizer = FeatureSymbolizer(renderer, pixelsPerPoint: 1)
    #expect(symbolizer.fields == ["VALUE"])
    #expect(symbolizer.problems == [])
    #expect(symbolizer.style(for: Self.attributes(.double(11))) != nil)
    #expect(symbolizer.style(for: Self.attributes(.double(9))) == nil)
    #expect(symbolizer.failure(for: Self.attributes(.double(9))) == nil)
  }

  @Test func `A feature whose class cannot be determined is reported`() throws {
    let renderer = try #require(Self.renderer("IIf($feature.VALUE, 'big', 'small')"))
    var symbolizer = FeatureSymbolizer(renderer, pixelsPerPoint: 1)
    #expect(symbolizer.style(for: Self.attributes(.double(1))) == nil)
    #expect(symbolizer.failure(for: Self.attributes(.double(1)))?.contains("condition") == true)
  }

  @Test func `An unsupported expression is reported by name`() throws {
    let renderer = try #require(Self.renderer("Area($feature, 'acres')"))
    let symbolizer = FeatureSymbolizer(renderer, pixelsPerPoint: 1)
    #expect(symbolizer.problems.first?.contains("the function Area") == true)
  }
}
