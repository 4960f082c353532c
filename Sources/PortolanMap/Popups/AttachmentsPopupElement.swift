internal import PortolanJSON

/// The files that belong to a feature.
public struct AttachmentsPopupElement: Hashable, Sendable, Codable {
  /// The way in which the files are shown.
  public enum DisplayType: String, Hashable, Sendable, Codable {
    case auto, list, preview
  }

  /// The heading; may be empty.
  public var title: String
  /// The description; may be empty.
  public var summary: String
  /// The way in which the files are shown.
  public var displayType: DisplayType

  /// Creates an element.
  public init(title: String = "", summary: String = "", displayType: DisplayType = .auto) {
    self.title = title
    self.summary = summary
    self.displayType = displayType
  }

  init(json: JSONObject) {
    self.init(
      title: json.text("title") ?? "", summary: json.text("description") ?? "",
      displayType: json.text("displayType").flatMap(DisplayType.init) ?? .auto)
  }
}
