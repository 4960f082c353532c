public import PortolanFeatures
internal import PortolanGeometry
public import PortolanJSON
internal import PortolanMap

extension PopupsModel.State {
  /// The popup that is shown, as JSON output holds it; `nil` if none is.
  public var selectionJSON: JSONValue? {
    guard let selection, pages.indices.contains(selection.index) else { return nil }
    var members = selection.json(on: pages[selection.index])
    members["count"] = JSONValue(orNull: pages.count)
    return .object(members)
  }

  /// The pages, as the documents of shells hold them.
  public var pagesJSON: JSONValue { .array(pages.map(\.json)) }
}

extension PopupsModel.Page {
  fileprivate var json: JSONValue {
    [
      "layer": .string(layerTitle), "layerId": .string(layerID), "objectId": .integer(objectID),
      "title": .string(title),
    ]
  }
}

extension PopupsModel.Selection {
  fileprivate func json(on page: PopupsModel.Page) -> JSONObject {
    [
      "number": JSONValue(orNull: index + 1), "count": .null,
      "layer": .string(page.layerTitle), "layerId": .string(page.layerID),
      "objectId": .integer(page.objectID), "title": .string(popup.title),
      "elements": .array(popup.elements.map(\.json)),
      "attachments": .array(attachments.map(\.json)), "related": .array(related.map(\.json)),
      "attributes": attributesJSON, "geometry": geometry?.geoJSON() ?? .null,
      "problems": JSONValue(texts: problems.map(\.message)),
      "notEvaluated": JSONValue(texts: popup.notEvaluated),
    ]
  }

  private var attributesJSON: JSONValue {
    let values = feature.attributes
    return .object(
      JSONObject(
        zip(values.fields, values.values).map { field, value in
          JSONObject.Member(
            name: field.name,
            // As in the documents of forms: JavaScript would read another number.
            value: value.isBeyondJavaScript ? value.formJSON : value.json(as: field.type))
        }))
  }
}

extension PopupsModel.RelatedRecords {
  /// The records as the documents of shells hold them.
  public var json: JSONValue { ["name": .string(name), "records": JSONValue(texts: titles)] }
}

extension Popup.Element {
  fileprivate var json: JSONValue {
    switch self {
    case .text(let text):
      [
        "type": "text", "text": .string(text.plain),
        "html": .string(HTMLSanitizer.sanitized(text.html)),
      ]
    case .fields(let group):
      [
        "type": "fields", "title": .string(group.title), "summary": .string(group.summary),
        "fields": .array(group.values.map(\.json)),
      ]
    case .media(let group):
      [
        "type": "media", "title": .string(group.title), "media": .array(group.media.map(\.json)),
      ]
    case .attachments: ["type": "attachments"]
    case .relationship(let element):
      ["type": "relationship", "relationshipId": JSONValue(orNull: element.relationshipID)]
    case .expression(let field): ["type": "expression", "field": field.json]
    case .unsupported(let type): ["type": .string(type), "unsupported": true]
    }
  }
}

extension Popup.FieldValue {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "label": .string(label), "text": .string(text),
      "link": JSONValue(orNull: link), "problem": JSONValue(orNull: failure),
    ]
  }
}

extension Popup.Media {
  fileprivate var json: JSONValue {
    [
      "type": JSONValue(orNull: kind?.rawValue), "title": .string(title),
      "caption": .string(caption), "alt": .string(alternativeText),
      "image": JSONValue(orNull: imageURL), "link": JSONValue(orNull: linkURL),
      "values": .array(
        chartValues.map { value in
          [
            "label": .string(value.label), "value": JSONValue(orNull: value.value),
            "text": .string(value.text), "color": JSONValue(orNull: value.color?.opaqueHexText),
          ]
        }),
    ]
  }
}

extension RGBAColor {
  /// The colour as style sheets write it, without its opacity.
  fileprivate var opaqueHexText: String {
    "#"
      + [red, green, blue].map { part in
        let text = String(part, radix: 16)
        return text.count == 1 ? "0\(text)" : text
      }.joined()
  }
}

extension Attachment {
  /// The attachment as JSON output holds it.
  public var members: JSONObject {
    [
      "id": .integer(id), "name": .string(name), "contentType": .string(contentType),
      "size": JSONValue(orNull: size),
    ]
  }

  fileprivate var json: JSONValue { .object(members) }
}
