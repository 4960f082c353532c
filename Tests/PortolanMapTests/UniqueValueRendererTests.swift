import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import Testing

@Suite struct UniqueValueRendererTests {
  static let older = UniqueValueRenderer(json: [
    "type": "uniqueValue", "field1": "STATE", "defaultSymbol": ["type": "esriSMS", "size": 1],
    "defaultLabel": "Other",
    "uniqueValueInfos": [
      ["value": "1", "label": "One", "symbol": ["type": "esriSMS", "size": 11]],
      ["value": 2.0, "label": "Two"], ["value": "<Null>", "label": "None"],
      ["value": "3.50", "label": "Three and a half"], ["value": "A", "label": "Letter"],
      ["value": "1", "label": "One again"],
    ],
  ])

  @Test(arguments: [
    (AttributeValue.integer(1), "One"), (.double(1), "One"), (.text("1"), "One"),
    (.integer(2), "Two"), (.double(3.5), "Three and a half"), (.text("3.5"), "Other"),
    (.null, "None"), (.text("A"), "Letter"), (.text("a"), "Other"), (.integer(9), "Other"),
  ])
  func `A value finds its class`(_ value: AttributeValue, _ label: String) {
    #expect(Self.older.entry(for: .of(["state": value]))?.label == label)
  }

  @Test(
    arguments: [
      ["uniqueValueInfos": [["value": .null, "label": "None"], ["value": "a", "label": "A"]]],
      ["uniqueValueInfos": [["value": "<Null>", "label": "None"], ["value": "a", "label": "A"]]],
      ["uniqueValueGroups": [["classes": [["label": "None", "values": [[.null]]]]]]],
      ["uniqueValueGroups": [["classes": [["label": "None", "values": [["<Null>"]]]]]]],
    ] as [JSONObject])
  func `A class may be that of features without a value`(_ members: JSONObject) {
    var json = members
    json["field1"] = "A"
    let renderer = UniqueValueRenderer(json: json)
    #expect(renderer.entry(for: .of(["A": .null]))?.label == "None")
    #expect(renderer.entry(for: .of(["A": .text("")])) == nil)
  }

  @Test func `A class without a value matches no feature`() {
    let renderer = UniqueValueRenderer(json: [
      "field1": "A", "uniqueValueInfos": [["label": "None"]],
    ])
    #expect(renderer.entry(for: .of(["A": .null])) == nil)
  }

  @Test func `A field that is not there counts as no value`() {
    #expect(Self.older.entry(for: .of(["X": .integer(1)]))?.label == "None")
  }

  @Test func `Without a default symbol other values are not drawn`() {
    var json = Self.older.json
    json["defaultSymbol"] = .null
    let renderer = Renderer(json: json)
    #expect(renderer.entry(for: .of(["STATE": .integer(9)])) == nil)
    #expect(renderer.symbol(for: .of(["STATE": .integer(1)])) != nil)
  }

  @Test func `The values of several fields are joined`() {
    let renderer = UniqueValueRenderer(json: [
      "field1": "A", "field2": "B", "field3": "C", "fieldDelimiter": ":",
      "uniqueValueInfos": [["value": "1:x:<Null>", "label": "Found"]],
    ])
    let attributes = Attributes.of(["A": .integer(1), "B": .text("x"), "C": .null])
    #expect(renderer.fields == ["A", "B", "C"])
    #expect(renderer.entry(for: attributes)?.label == "Found")
  }

  @Test func `Groups list several values for a class, and go before the older list`() {
    let renderer = UniqueValueRenderer(json: [
      "field1": "A", "field2": "B",
      "uniqueValueGroups": [
        [
          "heading": "Near",
          "classes": [["label": "Both", "values": [["1", "x"], [2, "<Null>"]]]],
        ],
        ["classes": [["values": [["3", "y"]]]]],
      ],
      "uniqueValueInfos": [["value": "1, x", "label": "Older"]],
    ])
    #expect(renderer.groups.map(\.heading) == ["Near", nil])
    let both = Attributes.of(["A": .integer(2), "B": .null])
    #expect(renderer.entry(for: both)?.label == "Both")
    let unnamed = Attributes.of(["A": .integer(3), "B": .text("y")])
    #expect(renderer.entry(for: unnamed)?.label == "3, y")
  }

  @Test func `An expression gives the value, unless it is not understood`() {
    let infos: JSONValue = [["value": "AX", "label": "Found"]]
    let understood = UniqueValueRenderer(json: [
      "valueExpression": "Upper($feature.A) + 'X'", "uniqueValueInfos": infos,
      "defaultSymbol": ["type": "esriSMS"],
    ])
    #expect(understood.entry(for: .of(["A": .text("a")]))?.label == "Found")
    let other = UniqueValueRenderer(json: [
      "valueExpression": "Length($feature) + 'AX'", "uniqueValueInfos": infos,
      "defaultSymbol": ["type": "esriSMS"],
    ])
    #expect(other.entry(for: .of(["A": .text("a")])) == nil)
  }

  @Test func `An expression goes before a field`() {
    let renderer = UniqueValueRenderer(json: [
      "field1": "A", "valueExpression": "Upper($feature.B)",
      "uniqueValueInfos": [
        ["value": "a", "label": "Field"], ["value": "B", "label": "Expression"],
      ],
    ])
    #expect(renderer.fields == [])
    let attributes = Attributes.of(["A": .text("a"), "B": .text("b")])
    #expect(renderer.entry(for: attributes)?.label == "Expression")
  }

  @Test func `Dates are compared by their milliseconds`() {
    let renderer = UniqueValueRenderer(json: [
      "field1": "A", "uniqueValueInfos": [["value": 86_400_000, "label": "Second day"]],
    ])
    let date = Date(timeIntervalSince1970: 86_400)
    #expect(renderer.entry(for: .of(["A": .date(date)]))?.label == "Second day")
  }

  @Test func `A created renderer is read back from its JSON`() throws {
    let symbol = Symbol.simpleLine(SimpleLineSymbol(color: nil, width: 3))
    let renderer = UniqueValueRenderer(
      field: "A", classes: [(.integer(1), "One", symbol), (.text("b"), "B", symbol)],
      defaultSymbol: symbol, defaultLabel: "Rest")
    let again = UniqueValueRenderer(
      json: try #require(JSONValue(parsing: JSONValue.object(renderer.json).text()).object))
    #expect(again == renderer)
    #expect(again.classes.map(\.label) == ["One", "B"])
    #expect(again.entry(for: .of(["A": .integer(1)]))?.symbol == symbol)
  }

  @Test func `Many classes are found without a search`() {
    let infos = (0..<20_000).map { number -> JSONValue in
      ["value": .integer(Int64(number)), "label": .string("\(number)")]
    }
    let renderer = UniqueValueRenderer(json: ["field1": "A", "uniqueValueInfos": .array(infos)])
    for value in stride(from: Int64(0), to: 20_000, by: 10) {
      #expect(renderer.entry(for: .of(["A": .integer(value)]))?.label == "\(value)")
    }
  }
}
