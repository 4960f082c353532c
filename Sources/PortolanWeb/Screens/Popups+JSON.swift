internal import PortolanApp
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

extension MapModel {
  /// The features that were found and the popup that is open, as a page reads them.
  var popupsJSON: JSONValue {
    let state = popups.state
    let editable = Set(editing.layers.map(\.id))
    return [
      "pages": .array(state.pages.map(\.pageJSON)), "canGoBack": .bool(popups.canGoBack),
      "problems": .array(
        identify.state.results.compactMap { result in
          result.problem.map {
            ["title": .string(result.title), "reason": .string($0.message)]
          }
        }),
      "selection": state.selection.map { selection in
        let page = state.pages[selection.index]
        return selection.pageJSON(page, canEdit: editable.contains(page.layerID))
      } ?? .null,
    ]
  }
}

extension PopupsModel.Page {
  fileprivate var pageJSON: JSONValue {
    [
      "layerID": .string(layerID), "layerTitle": .string(layerTitle),
      "objectID": .integer(objectID), "title": .string(title),
    ]
  }
}

extension PopupsModel.Selection {
  fileprivate func pageJSON(_ page: PopupsModel.Page, canEdit: Bool) -> JSONValue {
    [
      "index": JSONValue(index), "layerID": .string(page.layerID),
      "layerTitle": .string(page.layerTitle), "objectID": .integer(page.objectID),
      "title": .string(popup.title), "canEdit": .bool(canEdit),
      "elements": .array(popup.elements.compactMap(\.pageJSON)),
      "attachments": .array(attachments.map(\.pageJSON)),
      "related": .array(
        related.map {
          ["name": .string($0.name), "titles": .array($0.titles.map { .string($0) })]
        }),
      "geometry": geometry?.geoJSON() ?? .null,
      "problems": .array(problems.map { .string($0.message) }),
    ]
  }
}

extension Popup.Element {
  /// The part as a page reads it; `nil` for those that are told beside the elements.
  fileprivate var pageJSON: JSONValue? {
    switch self {
    case .text(let text):
      ["kind": "text", "html": .string(HTMLSanitizer.sanitized(text.html))]
    case .fields(let group):
      [
        "kind": "fields", "title": .string(group.title), "summary": .string(group.summary),
        "values": .array(group.values.map(\.pageJSON)),
      ]
    case .media(let group):
      [
        "kind": "media", "title": .string(group.title),
        "items": .array(group.media.map(\.pageJSON)),
      ]
    case .expression(let value):
      ["kind": "fields", "title": "", "summary": "", "values": .array([value.pageJSON])]
    case .unsupported(let type): ["kind": "unsupported", "type": .string(type)]
    case .attachments, .relationship: nil
    }
  }
}

extension Popup.FieldValue {
  fileprivate var pageJSON: JSONValue {
    [
      "label": .string(label), "text": .string(text), "link": JSONValue(link),
      "failure": JSONValue(failure),
    ]
  }
}

extension Popup.Media {
  fileprivate var pageJSON: JSONValue {
    [
      "type": JSONValue(kind?.rawValue), "title": .string(title), "caption": .string(caption),
      "alt": .string(alternativeText), "imageURL": JSONValue(imageURL),
      "values": .array(
        chartValues.map { value in
          [
            "label": .string(value.label), "value": JSONValue(value.value),
            "text": .string(value.text), "color": JSONValue(value.color?.hexText),
          ]
        }),
    ]
  }
}

extension RGBAColor {
  /// The colour as style sheets write it.
  fileprivate var hexText: String {
    "#"
      + [red, green, blue].map { part in
        let text = String(part, radix: 16)
        return text.count == 1 ? "0\(text)" : text
      }.joined()
  }
}

extension Attachment {
  fileprivate var pageJSON: JSONValue {
    [
      "id": .integer(id), "name": .string(name), "type": .string(contentType),
      "size": JSONValue(size), "url": .string("/api/attachments/\(id)"),
    ]
  }
}
