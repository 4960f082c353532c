import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import Testing

@Suite struct LabelTextTests {
  static let schema = FeatureTableSchema(
    name: "t",
    fields: [
      Field("NAME", .string), Field("NUMBER", .integer),
      Field(
        "CODE", .integer,
        domain: .codedValue(
          CodedValueDomain(name: "codes", codedValues: [CodedValue(code: .integer(1), name: "One")])
        )),
    ])

  static let attributes = Attributes(
    FieldList(schema.fields), [.text("Elm"), .integer(12), .integer(1)])

  func label(_ json: JSONObject) -> LabelDefinition.LabelText {
    LabelDefinition(json: json).labelText(for: Self.attributes, of: Self.schema)
  }

  @Test(arguments: [
    ("[NAME]", "Elm"), ("[NUMBER] CONCAT \" \" CONCAT [NAME]", "12 Elm"),
    ("[NAME] & \", \" & [NUMBER]", "Elm, 12"), ("\"No. \" + [NUMBER]", "No. 12"),
    ("[NAME] & vbNewLine & [NUMBER]", "Elm\n12"), ("{NAME} ({NUMBER})", "Elm (12)"),
  ])
  func `The older form joins fields and texts`(_ expression: String, _ text: String) {
    #expect(label(["labelExpression": .string(expression)]) == .text(text))
  }

  @Test func `A template names fields in braces`() {
    #expect(label(["labelExpressionInfo": ["value": "{NAME} {x y}"]]) == .text("Elm {x y}"))
  }

  @Test func `Codes become names where the class asks for that`() {
    #expect(label(["labelExpression": "[CODE]"]) == .text("1"))
    #expect(label(["labelExpression": "[CODE]", "useCodedValues": true]) == .text("One"))
  }

  @Test(
    arguments: [
      (["places": 2], "1234.57"), (["places": 0, "digitSeparator": true], "1,235"),
      (["digitSeparator": true], "1,234.567"), ([:], "1234.567"),
    ] as [(JSONObject, String)])
  func `Numbers are written as the class says of their field`(_ format: JSONObject, _ text: String)
  {
    let fields = [Field("DEPTH", .double)]
    let definition = LabelDefinition(json: [
      "labelExpressionInfo": ["value": "{DEPTH} m"],
      "fieldInfos": [["fieldName": "depth", "format": .object(format)]],
    ])
    let found = definition.labelText(
      for: Attributes(FieldList(fields), [.double(1234.567)]),
      of: FeatureTableSchema(name: "wells", fields: fields))
    #expect(found == .text("\(text) m"))
  }

  @Test func `Dates are written as the class says of their field`() {
    let fields = [Field("DAY", .date)]
    func label(_ infos: JSONValue) -> LabelDefinition.LabelText {
      LabelDefinition(json: ["labelExpression": "[DAY]", "fieldInfos": infos])
        .labelText(
          for: Attributes(FieldList(fields), [.date(Date(timeIntervalSince1970: 882_727_200))]),
          of: FeatureTableSchema(name: "days", fields: fields))
    }
    let format: JSONValue = ["dateFormat": "dayShortMonthYear"]
    #expect(label([["fieldName": "DAY", "format": format]]) == .text("21 Dec 1997"))
    #expect(label([]) == .text("12/21/1997"))
  }

  @Test(arguments: ["Function FindLabel", "[NAME", "[NAME] &", "[NAME] [NUMBER]", "\"a"])
  func `Input that is not understood says so`(_ expression: String) {
    guard case .notEvaluated(let reason) = label(["labelExpression": .string(expression)]) else {
      Issue.record("was evaluated")
      return
    }
    #expect(reason.contains(expression))
  }

  @Test func `A label without text is none`() {
    #expect(label(["labelExpression": "[MISSING]"]) == .none)
    #expect(label([:]) == .none)
  }
}
