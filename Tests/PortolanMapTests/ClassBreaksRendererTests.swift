import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import Testing

@Suite struct ClassBreaksRendererTests {
  static let renderer = ClassBreaksRenderer(json: [
    "type": "classBreaks", "field": "A", "minValue": 0,
    "classBreakInfos": [
      ["classMaxValue": 10, "label": "low", "symbol": ["type": "esriSFS"]],
      ["classMaxValue": 20, "label": "middle"], ["classMaxValue": 30.5],
      ["label": "no end"],
    ],
  ])

  @Test(arguments: [
    (0.0, "low"), (10, "low"), (10.000001, "middle"), (20, "middle"), (20.5, "20 – 30.5"),
    (30.5, "20 – 30.5"), (30.6, nil), (-0.1, nil), (.nan, nil),
  ])
  func `A value belongs to the first class whose end is not below it`(
    _ value: Double, _ label: String?
  ) {
    #expect(Self.renderer.entry(for: .of(["A": .double(value)]))?.label == label)
  }

  @Test(arguments: [(5.0, "1 – 5"), (5.5, nil), (6, "6 – 10"), (10, "6 – 10"), (0, nil)])
  func `Classes with gaps between them take both their ends`(_ value: Double, _ label: String?) {
    let renderer = ClassBreaksRenderer(json: [
      "field": "A",
      "classBreakInfos": [
        ["classMinValue": 1, "classMaxValue": 5], ["classMinValue": 6, "classMaxValue": 10],
      ],
    ])
    #expect(renderer.entry(for: .of(["A": .double(value)]))?.label == label)
  }

  @Test(arguments: [(0.0, "low"), (10, "middle"), (20, "20 – 30.5"), (30.5, nil), (-0.1, nil)])
  func `The lower bounds belong to classes where the upper ones do not`(
    _ value: Double, _ label: String?
  ) {
    let renderer = ClassBreaksRenderer(json: Self.renderer.json.adding(["isMaxInclusive": false]))
    #expect(renderer.entry(for: .of(["A": .double(value)]))?.label == label)
  }

  @Test func `Values in no class get the default symbol, if there is one`() {
    var json = Self.renderer.json
    json["defaultSymbol"] = ["type": "esriSFS"]
    json["defaultLabel"] = "Other"
    let renderer = Renderer(json: json)
    #expect(renderer.entry(for: .of(["A": .integer(99)]))?.label == "Other")
    #expect(renderer.entry(for: .of(["A": .null]))?.label == "Other")
    #expect(renderer.entry(for: .of(["A": .text("5")]))?.label == "Other")
    #expect(renderer.entry(for: .of(["A": .integer(5)]))?.label == "low")
  }

  @Test func `Values are divided by another field`() {
    let json = Self.renderer.json.adding(["normalizationField": "B"])
    let renderer = ClassBreaksRenderer(json: json)
    #expect(renderer.normalization == .byField("B"))
    let attributes = Attributes.of(["A": .integer(30), "B": .integer(2)])
    #expect(renderer.entry(for: attributes)?.label == "middle")
    #expect(renderer.entry(for: .of(["A": .integer(30), "B": .integer(0)])) == nil)
    #expect(renderer.entry(for: .of(["A": .integer(30), "B": .null])) == nil)
  }

  @Test func `Values are logarithms or shares`() {
    let log = ClassBreaksRenderer(
      json: Self.renderer.json.adding(["normalizationType": "esriNormalizeByLog"]))
    #expect(log.entry(for: .of(["A": .double(1e15)]))?.label == "middle")
    #expect(log.entry(for: .of(["A": .double(0)])) == nil)
    let share = ClassBreaksRenderer(
      json: Self.renderer.json.adding([
        "normalizationType": "esriNormalizeByPercentOfTotal", "normalizationTotal": 1000,
      ]))
    #expect(share.entry(for: .of(["A": .integer(150)]))?.label == "middle")
  }

  @Test func `An expression goes before a field`() {
    let renderer = ClassBreaksRenderer(json: [
      "field": "A", "valueExpression": "$feature.A * 10",
      "classBreakInfos": [
        ["classMaxValue": 10, "label": "field"], ["classMaxValue": 100, "label": "expression"],
      ],
    ])
    #expect(renderer.entry(for: .of(["A": .double(5)]))?.label == "expression")
  }

  @Test func `Dates are classified by their milliseconds`() {
    let renderer = ClassBreaksRenderer(json: [
      "field": "A", "classBreakInfos": [["classMaxValue": 1000, "label": "first second"]],
    ])
    let date = Date(timeIntervalSince1970: 0.5)
    #expect(renderer.entry(for: .of(["A": .date(date)]))?.label == "first second")
  }

  @Test func `Classes that are out of order are put in order`() {
    let renderer = ClassBreaksRenderer(json: [
      "field": "A", "classBreakInfos": [["classMaxValue": 9], ["classMaxValue": 3]],
    ])
    #expect(renderer.classBreaks.map(\.maximum) == [3, 9])
    #expect(renderer.classBreaks.map(\.label) == ["≤ 3", "3 – 9"])
    #expect(renderer.entry(for: .of(["A": .double(-1e9)]))?.label == "≤ 3")
  }

  @Test func `A created renderer is read back from its JSON`() {
    let symbol = Symbol.simpleFill(SimpleFillSymbol(color: nil))
    let renderer = ClassBreaksRenderer(
      field: "A", minimum: 0, classes: [(1, "one", symbol), (2.5, "two", symbol)])
    #expect(ClassBreaksRenderer(json: renderer.json) == renderer)
    #expect(renderer.entry(for: .of(["A": .integer(2)]))?.label == "two")
  }
}

extension JSONObject {
  fileprivate func adding(_ other: JSONObject) -> JSONObject {
    JSONObject(members + other.members)
  }
}
