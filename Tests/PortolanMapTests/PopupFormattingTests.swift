import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import Testing

@Suite struct PopupFormattingTests {
  static let schema = FeatureTableSchema(
    name: "wells", alias: "Wells",
    fields: [
      Field("OBJECTID", .objectID), Field("NAME", .string, alias: "Name"),
      Field("DEPTH", .double, alias: "Depth"),
      Field(
        "STATE", .smallInteger,
        domain: .codedValue(
          CodedValueDomain(
            name: "s", codedValues: [CodedValue(code: .integer(1), name: "In use")]))),
      Field("KIND", .integer), Field("DAY", .date), Field("ON", .dateOnly), Field("URL", .string),
      Field("NOTE", .string), Field("COUNT", .bigInteger), Field("HTML", .string),
    ], displayField: "NAME", typeIDField: "KIND",
    types: [
      FeatureType(
        id: .integer(7), name: "Spring",
        domains: [
          "STATE": .codedValue(
            CodedValueDomain(
              name: "t", codedValues: [CodedValue(code: .integer(1), name: "Flowing")]))
        ])
    ])

  static let feature = Feature(
    objectID: 12,
    attributes: Attributes(
      FieldList(schema.fields),
      [
        .integer(12), .text("Tom & <Jerry>"), .double(1234.567), .integer(1), .integer(3),
        .date(Date(timeIntervalSince1970: 882_727_205)), .text("1997-12-21"),
        .text("https://x.example/a?b=1&c=d e"), .null, .integer(9_007_199_254_740_993),
        .text("<i>rich</i>"),
      ]))

  private func popup(_ json: JSONObject, _ feature: Feature = feature) -> Popup {
    PopupFormatting().popup(of: feature, in: Self.schema, as: PopupDefinition(json: json))
  }

  /// The text that a field gets with what an entry says about it.
  private func text(_ name: String, _ entry: JSONObject = [:]) -> String? {
    var info = entry
    info["fieldName"] = .string(name)
    let shown = popup(["fieldInfos": [.object(info)]])
    guard case .fields(let list) = shown.elements.first else { return nil }
    return list.values.first?.text
  }

  @Test(arguments: [
    ("{NAME}", "Tom & <Jerry>"), ("{name} ({DEPTH})", "Tom & <Jerry> (1234.567)"),
    ("Well {OBJECTID}", "Well 12"), ("{STATE} {KIND}", "In use 3"), ("{MISSING}", "{MISSING}"),
    ("{ NAME }", "Tom & <Jerry>"), ("{NOTE}", "Tom & <Jerry>"), ("", "Tom & <Jerry>"),
    ("a { b", "a { b"), ("{{NAME}}", "{Tom & <Jerry>}"), ("<b>{NAME}</b>", "Tom & <Jerry>"),
    ("{expression/expr0}!", "TOM & <JERRY>!"), ("Well{expression/expr1}", "Well"),
    ("{expression/none}", "Tom & <Jerry>"), ("{relationships/0/X}", "(not found)"),
  ])
  func `A title has the values in place`(_ template: String, _ title: String) {
    let shown = popup([
      "title": .string(template),
      "expressionInfos": [
        ["name": "expr0", "expression": "Upper($feature.NAME)"],
        ["name": "expr1", "expression": "Area($feature)"],
      ],
    ])
    #expect(shown.title == title)
  }

  @Test func `An expression that is not evaluated leaves a blank, and the popup says why`() {
    let shown = popup([
      "title": "Well {expression/age}", "fieldInfos": [["fieldName": "expression/age"]],
      "expressionInfos": [
        ["name": "age", "title": "Age", "expression": "Area($feature)"],
        ["name": "deep", "expression": "$feature.DEPTH"],
      ],
      "popupElements": [
        ["type": "text", "text": "<p>It is {expression/age} years and {expression/deep} m.</p>"],
        ["type": "fields"],
        [
          "type": "media",
          "mediaInfos": [
            ["type": "barchart", "value": ["fields": ["DEPTH", "expression/none"]]]
          ],
        ],
      ],
    ])
    guard case .text(let text) = shown.elements[0], case .fields(let list) = shown.elements[1]
    else {
      return recordWrongKind()
    }
    #expect(shown.title == "Well")
    #expect(text.plain == "It is years and 1234.567 m.")
    let reason = "The Arcade expression uses the function Area, which is not supported."
    #expect(list.values.map(\.text) == [""] && list.values.map(\.failure) == [reason])
    #expect(
      shown.notEvaluated == [
        "\"Age\" is left blank: \(reason)",
        "\"expression/none\" is left blank: The popup has no expression \"none\".",
      ])
    #expect(popup(["title": "{NAME}", "fieldInfos": [["fieldName": "NAME"]]]).notEvaluated.isEmpty)
  }

  @Test func `A title that comes out blank is that of the table and the object id`() {
    var feature = Self.feature
    feature.attributes["NAME"] = .null
    #expect(popup(["title": "{NOTE}"], feature).title == "Wells 12")
  }

  @Test(
    arguments: [
      ("DEPTH", [:], "1234.567"),
      ("DEPTH", ["format": ["places": 2, "digitSeparator": true]], "1,234.57"),
      ("DEPTH", ["format": ["places": 0]], "1235"),
      ("DEPTH", ["format": ["digitSeparator": true]], "1,234.567"),
      ("DEPTH", ["format": ["places": 5]], "1234.56700"),
      ("DEPTH", ["format": ["places": 1e300, "digitSeparator": "x"]], "1234.567"),
      ("DEPTH", ["fieldFormat": ["type": "number"]], "1,234.57"),
      ("DEPTH", ["fieldFormat": ["type": "number", "maximumFractionDigits": 5]], "1,234.567"),
      (
        "DEPTH",
        ["fieldFormat": ["type": "number", "minimumFractionDigits": 2, "useGrouping": "never"]],
        "1234.57"
      ),
      ("COUNT", [:], "9007199254740993"),
      ("COUNT", ["format": ["places": 0, "digitSeparator": true]], "9,007,199,254,740,993"),
      (
        "COUNT", ["format": ["places": 2, "digitSeparator": true]], "9,007,199,254,740,993.00"
      ),
      ("COUNT", ["format": ["places": 99]], "9007199254740993.000000000000000"),
      ("OBJECTID", ["format": ["places": 2]], "12.00"),
      ("STATE", ["format": ["places": 2]], "In use"),
      ("DAY", [:], "12/21/1997 6:00 PM"),
      ("DAY", ["format": ["dateFormat": "longMonthDayYear"]], "December 21, 1997"),
      ("DAY", ["format": ["dateFormat": "unheardOf"]], "12/21/1997 6:00 PM"),
      ("ON", [:], "12/21/1997"),
      ("ON", ["format": ["dateFormat": "dayShortMonthYearShortTime"]], "21 Dec 1997"),
      ("NOTE", [:], ""),
    ] as [(String, JSONObject, String)])
  func `A value is written as its entry has it`(
    _ name: String, _ entry: JSONObject, _ expected: String
  ) {
    #expect(text(name, entry) == expected)
  }

  @Test func `Codes and types are read by their names, the type's own first`() {
    var feature = Self.feature
    feature.attributes["KIND"] = .integer(7)
    #expect(popup(["title": "{KIND}, {STATE}"], feature).title == "Spring, Flowing")
    feature.attributes["STATE"] = .integer(99)
    #expect(popup(["title": "{STATE}"], feature).title == "99")
  }

  @Test func `Fields have names, values and links`() {
    let shown = popup([
      "fieldInfos": [
        ["fieldName": "url", "label": "Page"], ["fieldName": "NAME"], ["fieldName": "GONE"],
        ["fieldName": "DEPTH", "visible": false], ["fieldName": "expression/e"],
      ],
      "expressionInfos": [["name": "e", "title": "Twice", "expression": "$feature.DEPTH * 2"]],
    ])
    guard case .fields(let list) = shown.elements.first else { return recordWrongKind() }
    #expect(list.values.map(\.label) == ["Page", "Name", "GONE", "Twice"])
    #expect(list.values.map(\.name) == ["URL", "NAME", "GONE", "expression/e"])
    #expect(list.values[0].link == nil, "an address has no blanks")
    #expect(list.values[1].value == .text("Tom & <Jerry>"))
    #expect(list.values[2].failure == "The layer has no field \"GONE\".")
    #expect(list.values[3].text == "2469.134")
  }

  @Test func `Values in HTML are escaped, unless they are HTML by declaration`() {
    let shown = popup([
      "description": "<p>{NAME}: {HTML}</p>",
      "fieldInfos": [["fieldName": "HTML", "stringFieldOption": "richtext"]],
    ])
    guard case .text(let text) = shown.elements.first else { return recordWrongKind() }
    #expect(text.html == "<p>Tom &amp; &lt;Jerry&gt;: <i>rich</i></p>")
    #expect(text.plain == "Tom & <Jerry>: rich")
  }

  @Test func `A chart has its numbers, divided where wanted`() {
    var value: JSONObject = ["fields": ["DEPTH", "STATE", "NOTE"], "colors": [[1, 2, 3]]]
    let json: (JSONObject) -> JSONObject = { value in
      [
        "fieldInfos": [["fieldName": "DEPTH", "label": "How deep", "format": ["places": 1]]],
        "popupElements": [
          [
            "type": "media",
            "mediaInfos": [["type": "piechart", "title": "Of {NAME}", "value": .object(value)]],
          ]
        ],
      ]
    }
    guard case .media(let list) = popup(json(value)).elements.first, let chart = list.media.first
    else { return recordWrongKind() }
    #expect(chart.kind == .pieChart)
    #expect(chart.title == "Of Tom & <Jerry>")
    #expect(chart.chartValues.map(\.label) == ["How deep", "STATE", "NOTE"])
    #expect(chart.chartValues.map(\.value) == [1234.567, 1, nil])
    #expect(chart.chartValues[0].tooltip == "How deep: 1234.6")
    #expect(chart.chartValues.map { $0.color != nil } == [true, false, false])
    value["normalizeField"] = "KIND"
    guard case .media(let shares) = popup(json(value)).elements.first else {
      return recordWrongKind()
    }
    #expect(shares.media[0].chartValues.map(\.text) == ["411.5", "0.3333333333333333", ""])
    value["normalizeField"] = "NOTE"
    guard case .media(let none) = popup(json(value)).elements.first else {
      return recordWrongKind()
    }
    #expect(none.media[0].chartValues.map(\.value) == [nil, nil, nil])
  }

  @Test(arguments: [
    ("{URL}", "https://x.example/a?b=1&c=d e"),
    ("https://x/{NAME}.png?n={OBJECTID}", "https://x/Tom%20%26%20%3CJerry%3E.png?n=12"),
    (" https://x/{STATE} ", "https://x/1"), ("{NOTE}", nil), ("", nil),
  ])
  func `The address of a picture has the values in place`(_ template: String, _ url: String?) {
    let shown = popup([
      "mediaInfos": [["type": "image", "value": ["sourceURL": .string(template)]]]
    ])
    guard case .media(let list) = shown.elements.first else { return recordWrongKind() }
    #expect(list.media.first?.imageURL == url)
  }

  @Test func `A text that names a long value many times is cut`() {
    var feature = Self.feature
    feature.attributes["NAME"] = .text(String(repeating: "x", count: 100_000))
    let template = String(repeating: "{NAME}", count: 100_000)
    let shown = popup(["title": .string(template)], feature)
    #expect(shown.title.utf8.count < 1_200_000)
    #expect(shown.title.hasSuffix("…"))
    feature.attributes["NAME"] = .text(String(repeating: "x", count: 400_000))
    let expression = "$feature.NAME + $feature.NAME + $feature.NAME"
    let value = ArcadeExpression(expression).evaluate(feature.attributes)
    #expect(value == .notEvaluated(reason: "The text grows too long."))
  }

  @Test func `Related values come from the given lookup`() {
    let formatting = PopupFormatting { id, field in id == 4 ? "\(field) of four" : nil }
    let definition = PopupDefinition(json: ["title": "{relationships/4/A}; {relationships/5/A}"])
    let shown = formatting.popup(of: Self.feature, in: Self.schema, as: definition)
    #expect(shown.title == "A of four; (not found)")
  }

  @Test func `Other elements are passed on`() {
    let shown = popup([
      "popupElements": [
        ["type": "attachments", "displayType": "preview"],
        ["type": "relationship", "relationshipId": 1, "title": "Visits"],
        ["type": "expression", "expressionInfo": ["title": "E", "expression": "1 + 1"]],
        ["type": "expression", "expressionInfo": ["expression": "Anything()"]],
        ["type": "new"],
      ]
    ])
    #expect(shown.elements.count == 5)
    #expect(shown.elements[0] == .attachments(AttachmentsPopupElement(displayType: .preview)))
    guard case .expression(let sum) = shown.elements[2],
      case .expression(let failed) = shown.elements[3]
    else { return recordWrongKind() }
    #expect(sum.text == "2")
    #expect(sum.label == "E")
    #expect(failed.failure != nil)
    #expect(shown.elements[4] == .unsupported(type: "new"))
  }

  @Test func `The time zone is the one asked for`() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Zurich"))
    let definition = PopupDefinition(json: ["title": "{DAY}"])
    let shown = PopupFormatting(timeZone: zone)
      .popup(of: Self.feature, in: Self.schema, as: definition)
    #expect(shown.title == "12/21/1997 7:00 PM")
  }

  @Test func `Dates whose time zone is unknown are shown as they are stored`() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Zurich"))
    var schema = Self.schema
    schema.hasDatesInUnknownTimeZone = true
    let definition = PopupDefinition(json: [
      "title": "{DAY}, {expression/hour}, {expression/day}",
      "expressionInfos": [
        ["name": "hour", "expression": "Hour($feature.DAY)"],
        ["name": "day", "expression": "$feature.DAY"],
      ],
    ])
    let formatting = PopupFormatting(timeZone: zone)
    let shown = formatting.popup(of: Self.feature, in: schema, as: definition)
    #expect(shown.title == "12/21/1997 6:00 PM, 18, 12/21/1997 6:00 PM")
    // The service itself has noted when a feature was edited.
    schema.editorTracking = EditorTracking(editDateField: "day")
    let edited = formatting.popup(
      of: Self.feature, in: schema, as: PopupDefinition(json: ["title": "{DAY}"]))
    #expect(edited.title == "12/21/1997 7:00 PM")
  }

  @Test(arguments: [
    (2.5, 0, "3"), (0.5, 0, "1"), (-2.5, 0, "-3"), (3.5, 0, "4"), (0.125, 2, "0.13"),
    (1.005, 2, "1.01"), (2.675, 2, "2.68"), (1.004, 2, "1.00"), (-0.4, 0, "0"),
    (9_007_199_254_740_992, 2, "9007199254740992.00"), (1.5e-7, 7, "0.0000002"),
  ])
  func `Numbers in the middle between two are rounded away from zero`(
    _ number: Double, _ places: Int, _ expected: String
  ) {
    let text = PopupFormatting().text(
      of: .double(number), field: nil, domain: nil, format: PopupFieldFormat(places: places))
    #expect(text == expected)
  }

  @Test func `Single values are written alike`() {
    let formatting = PopupFormatting()
    #expect(formatting.text(of: .double(2.50), field: nil, domain: nil) == "2.5")
    #expect(formatting.text(of: .double(.nan), field: nil, domain: nil) == "")
    #expect(formatting.text(of: .double(1e300), field: nil, domain: nil).count == 301)
    #expect(
      formatting.text(
        of: .double(-0.001), field: nil, domain: nil, format: PopupFieldFormat(places: 2)) == "0.00"
    )
    #expect(formatting.text(of: .blob(Data([1, 2])), field: nil, domain: nil) == "2 bytes")
    #expect(formatting.text(of: .blob(Data([1])), field: nil, domain: nil) == "1 byte")
  }
}
