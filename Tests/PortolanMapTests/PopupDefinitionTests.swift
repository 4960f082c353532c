import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import Testing

@Suite struct PopupDefinitionTests {
  static let infos: JSONValue = [
    ["fieldName": "A", "label": "Alpha", "visible": true],
    ["fieldName": "B", "visible": false], ["label": "no name"],
  ]

  @Test func `The older form is put into the words of the newer one`() {
    let popup = PopupDefinition(json: [
      "title": "{A}", "fieldInfos": Self.infos, "showAttachments": true,
      "mediaInfos": [["type": "image", "value": ["sourceURL": "https://x/{A}.png"]]],
    ])
    #expect(popup.fields.map(\.name) == ["A", "B"])
    #expect(popup.elements.count == 3)
    guard case .fields(let list) = popup.elements[0] else { return recordWrongKind() }
    #expect(list.fields.map(\.label) == ["Alpha"])
    guard case .media(let media) = popup.elements[1] else { return recordWrongKind() }
    #expect(media.media.first?.sourceURL == "https://x/{A}.png")
    #expect(popup.elements[2] == .attachments(AttachmentsPopupElement()))
  }

  @Test func `A description replaces the list of fields`() {
    let popup = PopupDefinition(json: ["description": "<p>{A}</p>", "fieldInfos": Self.infos])
    #expect(popup.elements == [.text("<p>{A}</p>")])
  }

  @Test func `The newer form goes before the older one, and borrows what it leaves out`() {
    let popup = PopupDefinition(json: [
      "description": "older", "fieldInfos": Self.infos,
      "mediaInfos": [["type": "linechart", "value": ["fields": ["A"]]]],
      "popupElements": [["type": "text"], ["type": "fields"], ["type": "media"]],
    ])
    #expect(popup.elements.count == 3)
    #expect(popup.elements[0] == .text("older"))
    guard case .fields(let list) = popup.elements[1], case .media(let media) = popup.elements[2]
    else { return recordWrongKind() }
    #expect(list.fields.map(\.name) == ["A"])
    #expect(media.media.map(\.kind) == [.lineChart])
    #expect(PopupDefinition(json: ["popupElements": [], "fieldInfos": Self.infos]).elements == [])
  }

  @Test func `Elements of unknown kinds and damaged ones are kept`() {
    let association: JSONObject = ["type": "utilityNetworkAssociations", "x": 1]
    let popup = PopupDefinition(json: [
      "popupElements": [
        .object(association), ["type": "relationship"], ["type": "expression"], [:], 5,
        ["type": "relationship", "relationshipId": 3, "displayCount": -1],
      ]
    ])
    #expect(popup.elements.count == 5)
    #expect(popup.elements[0] == .other(type: "utilityNetworkAssociations", json: association))
    #expect(popup.elements[1] == .other(type: "relationship", json: ["type": "relationship"]))
    guard case .relationship(let element) = popup.elements[4] else { return recordWrongKind() }
    #expect(element.relationshipID == 3)
    #expect(element.displayCount == nil)
  }

  @Test func `A layer without a popup shows the fields that mean something`() {
    let schema = FeatureTableSchema(
      name: "parks", alias: "Parks", geometryType: .polygon,
      fields: [
        Field("OBJECTID", .objectID), Field("NAME", .string, alias: "Name"),
        Field("GlobalID", .globalID), Field("Shape__Area", .double), Field("EDITOR", .string),
        Field("PICTURE", .blob), Field("SIZE", .double),
      ], globalIDField: "GlobalID", displayField: "name", hasAttachments: true,
      editorTracking: EditorTracking(editorField: "EDITOR"))
    let popup = PopupDefinition(schema: schema)
    #expect(popup.title == "{NAME}")
    #expect(popup.fields.map(\.name) == ["NAME", "SIZE"])
    #expect(popup.fields.map(\.label) == ["Name", "SIZE"])
    #expect(popup.elements.count == 2)
    #expect(PopupDefinition(json: popup.json) == popup)
    let plain = FeatureTableSchema(name: "t", fields: [], displayField: "MISSING")
    #expect(PopupDefinition(schema: plain).title == "t")
    #expect(PopupDefinition(schema: plain, title: "Trees").title == "Trees")
  }

  @Test func `A made field is read back with its format`() {
    let format = PopupFieldFormat(
      places: 2, usesDigitSeparator: true, dateFormat: PopupDateFormat(.longDate, .shortTime24))
    let field = PopupField(name: "A", label: "Alpha", format: format)
    #expect(PopupField(json: field.json) == field)
    #expect(field.json["format"]?["dateFormat"] == "longDateShortTime24")
  }

  @Test func `Chart fields that are named null are none`() {
    let media = PopupMedia(json: [
      "type": "BarChart", "value": ["fields": ["A", 5], "normalizeField": "null"],
    ])
    #expect(media.kind == .barChart)
    #expect(media.fieldNames == ["A", "5"])
    #expect(media.normalizeField == nil)
  }
}
