public import PortolanJSON

/// A part of a popup below its title.
public enum PopupElement: Hashable, Sendable {
  /// HTML with `{FIELD}` in it.
  case text(String)
  case fields(FieldsPopupElement)
  case media(MediaPopupElement)
  case attachments(AttachmentsPopupElement)
  case expression(PopupExpression)
  case relationship(RelationshipPopupElement)
  /// A part of another kind, such as the associations of a utility network.
  case other(type: String, json: JSONObject)

  /// Reads an element; what it leaves out is taken from the popup that it is in.
  init(json: JSONObject, popup: JSONObject) {
    switch json.text("type") {
    case "text": self = .text(json.text("text") ?? popup.text("description") ?? "")
    case "fields": self = .fields(FieldsPopupElement(json: json, popup: popup))
    case "media":
      let source = json["mediaInfos"] == nil ? popup : json
      self = .media(
        MediaPopupElement(
          title: json.text("title") ?? "", summary: json.text("description") ?? "",
          media: source.objects("mediaInfos").map(PopupMedia.init(json:))))
    case "attachments": self = .attachments(AttachmentsPopupElement(json: json))
    case "expression":
      let expression = json.object("expressionInfo").flatMap {
        PopupExpression(json: $0, name: "")
      }
      self = expression.map { .expression($0) } ?? .other(type: "expression", json: json)
    case "relationship":
      let element = RelationshipPopupElement(json: json)
      self = element.map { .relationship($0) } ?? .other(type: "relationship", json: json)
    case let type: self = .other(type: type ?? "", json: json)
    }
  }
}
