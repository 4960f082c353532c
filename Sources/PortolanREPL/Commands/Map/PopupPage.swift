internal import PortolanApp
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// The selected popup as text and as JSON.
struct PopupPage {
  private let page: PopupsModel.Page
  private let selection: PopupsModel.Selection
  private let count: Int

  /// The selected popup, if one is.
  init?(state: PopupsModel.State) {
    guard let selection = state.selection, state.pages.indices.contains(selection.index) else {
      return nil
    }
    self.selection = selection
    page = state.pages[selection.index]
    count = state.pages.count
  }

  /// In part, if something could not be read.
  var status: ExitCode { selection.problems.isEmpty ? .done : .partlyDone }

  var text: TextDocument {
    var blocks: [TextDocument.Block] = [
      .heading(selection.popup.title),
      .line("\(page.layerTitle), \(selection.index + 1) of \(count)"),
    ]
    for element in selection.popup.elements { blocks += self.blocks(element) }
    blocks += selection.problems.map { .paragraph("Note: \($0.message)", indent: 0) }
    return TextDocument(blocks)
  }

  private func blocks(_ element: Popup.Element) -> [TextDocument.Block] {
    switch element {
    case .text(let text): [.paragraph(text.plain, indent: 0)]
    case .fields(let group):
      [.fields(group.values.map { .init($0.label, $0.failure ?? $0.text) })]
    case .media(let group): group.media.flatMap(blocks)
    case .attachments: attachmentBlocks
    case .relationship: relatedBlocks
    case .expression(let value): [.fields([.init(value.label, value.failure ?? value.text)])]
    case .unsupported(let type):
      [.paragraph("A part of the kind \"\(type)\" cannot be shown.", indent: 0)]
    }
  }

  private func blocks(_ media: Popup.Media) -> [TextDocument.Block] {
    let title = media.title.isEmpty ? media.caption : media.title
    if let url = media.imageURL { return [.line("Picture \(title): \(url)")] }
    return [.line(title)] + [.fields(media.chartValues.map { .init($0.label, $0.text) })]
  }

  private var attachmentBlocks: [TextDocument.Block] {
    guard !selection.attachments.isEmpty else { return [] }
    return [.line("Attachments")]
      + selection.attachments.map {
        .line("  \($0.name) (\($0.contentType), \(ByteCount.text($0.size)))")
      }
  }

  private var relatedBlocks: [TextDocument.Block] {
    selection.related.flatMap { records in
      [.line(records.name)] + records.titles.map { .line("  \($0)") }
    }
  }

  var json: JSONValue {
    [
      "number": .integer(Int64(selection.index + 1)), "count": .integer(Int64(count)),
      "layer": .string(page.layerTitle), "layerId": .string(page.layerID),
      "objectId": .integer(page.objectID), "title": .string(selection.popup.title),
      "elements": .array(selection.popup.elements.map(value)),
      "attachments": .array(selection.attachments.map { .object($0.json) }),
      "related": .array(
        selection.related.map {
          ["name": .string($0.name), "records": .array($0.titles.map(JSONValue.string))]
        }),
      "attributes": attributes,
      "problems": .array(selection.problems.map { .string($0.message) }),
    ]
  }

  private var attributes: JSONValue {
    let values = selection.feature.attributes
    return .object(
      JSONObject(
        zip(values.fields, values.values).map { field, value in
          JSONObject.Member(name: field.name, value: value.json(as: field.type))
        }))
  }

  private func value(_ element: Popup.Element) -> JSONValue {
    switch element {
    case .text(let text): ["type": "text", "text": .string(text.plain)]
    case .fields(let group):
      ["type": "fields", "fields": .array(group.values.map(value))]
    case .media(let group):
      ["type": "media", "media": .array(group.media.map(value))]
    case .attachments: ["type": "attachments"]
    case .relationship(let element):
      ["type": "relationship", "relationshipId": .integer(Int64(element.relationshipID))]
    case .expression(let field): ["type": "expression", "field": value(field)]
    case .unsupported(let type): ["type": .string(type), "unsupported": true]
    }
  }

  private func value(_ field: Popup.FieldValue) -> JSONValue {
    [
      "name": .string(field.name), "label": .string(field.label), "text": .string(field.text),
      "problem": field.failure.map(JSONValue.string) ?? .null,
    ]
  }

  private func value(_ media: Popup.Media) -> JSONValue {
    [
      "title": .string(media.title), "caption": .string(media.caption),
      "image": media.imageURL.map(JSONValue.string) ?? .null,
      "link": media.linkURL.map(JSONValue.string) ?? .null,
      "values": .array(
        media.chartValues.map {
          ["label": .string($0.label), "value": $0.value.map(JSONValue.number) ?? .null]
        }),
    ]
  }
}
