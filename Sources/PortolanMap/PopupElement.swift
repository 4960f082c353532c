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

/// A list of fields and their values.
public struct FieldsPopupElement: Hashable, Sendable {
  /// The heading; may be empty.
  public var title: String
  /// What the list is about; may be empty.
  public var summary: String
  /// The fields from the top.
  public var fields: [PopupField]

  /// Creates a list.
  public init(title: String = "", summary: String = "", fields: [PopupField]) {
    self.title = title
    self.summary = summary
    self.fields = fields
  }

  fileprivate init(json: JSONObject, popup: JSONObject) {
    let source = json["fieldInfos"]?.array == nil ? popup : json
    self.init(
      title: json.text("title") ?? "", summary: json.text("description") ?? "",
      fields: source.objects("fieldInfos").compactMap(PopupField.init(json:)).filter(\.isVisible))
  }
}

/// Pictures and charts.
public struct MediaPopupElement: Hashable, Sendable {
  /// The heading; may be empty.
  public var title: String
  /// What they are about; may be empty.
  public var summary: String
  /// The pictures and charts.
  public var media: [PopupMedia]

  /// Creates an element.
  public init(title: String = "", summary: String = "", media: [PopupMedia]) {
    self.title = title
    self.summary = summary
    self.media = media
  }
}

/// The files that belong to a feature.
public struct AttachmentsPopupElement: Hashable, Sendable {
  /// How the files are shown.
  public enum DisplayType: String, Hashable, Sendable {
    case auto, list, preview
  }

  /// The heading; may be empty.
  public var title: String
  /// What they are about; may be empty.
  public var summary: String
  /// How the files are shown.
  public var displayType: DisplayType

  /// Creates an element.
  public init(title: String = "", summary: String = "", displayType: DisplayType = .auto) {
    self.title = title
    self.summary = summary
    self.displayType = displayType
  }

  fileprivate init(json: JSONObject) {
    self.init(
      title: json.text("title") ?? "", summary: json.text("description") ?? "",
      displayType: json.text("displayType").flatMap(DisplayType.init) ?? .auto)
  }
}

/// The records that are related to a feature.
public struct RelationshipPopupElement: Hashable, Sendable {
  /// The heading; may be empty.
  public var title: String
  /// What they are about; may be empty.
  public var summary: String
  /// The id of the relationship.
  public var relationshipID: Int
  /// How many records are shown at first; `nil` for the viewer to choose.
  public var displayCount: Int?

  fileprivate init?(json: JSONObject) {
    guard let id = json.int("relationshipId") else { return nil }
    title = json.text("title") ?? ""
    summary = json.text("description") ?? ""
    relationshipID = id
    displayCount = json.int("displayCount").flatMap { $0 >= 0 ? $0 : nil }
  }
}
