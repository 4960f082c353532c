internal import PortolanJSON

/// A list of fields and their values.
public struct FieldsPopupElement: Hashable, Sendable {
  /// The heading; may be empty.
  public var title: String
  /// The description; may be empty.
  public var summary: String
  /// The fields from the top.
  public var fields: [PopupField]

  /// Creates a list.
  public init(title: String = "", summary: String = "", fields: [PopupField]) {
    self.title = title
    self.summary = summary
    self.fields = fields
  }

  init(json: JSONObject, popup: JSONObject) {
    let source = json["fieldInfos"]?.array == nil ? popup : json
    self.init(
      title: json.text("title") ?? "", summary: json.text("description") ?? "",
      fields: source.objects("fieldInfos").compactMap(PopupField.init(json:)).filter(\.isVisible))
  }
}
