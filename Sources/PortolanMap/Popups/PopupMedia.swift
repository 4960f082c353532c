public import PortolanJSON

/// A picture or a chart in a popup.
public struct PopupMedia: Hashable, Sendable {
  /// The kind of media.
  public enum Kind: String, Hashable, Sendable, Codable {
    case image
    case barChart = "barchart"
    case columnChart = "columnchart"
    case lineChart = "linechart"
    case pieChart = "piechart"
  }

  /// The entry as it was read, with all its members.
  public let json: JSONObject
  /// The kind; `nil` if the document names none that is known.
  public let kind: Kind?
  /// The heading, with `{FIELD}` in it; may be empty.
  public let title: String
  /// The caption, with `{FIELD}` in it; may be empty.
  public let caption: String
  /// The alternative text, with `{FIELD}` in it; may be empty.
  public let alternativeText: String
  /// The fields of a chart, in order.
  public let fieldNames: [String]
  /// The field by whose value the others are divided, if any.
  public let normalizeField: String?
  /// The field whose value is said with the numbers of a chart, if any.
  public let tooltipField: String?
  /// The colours of a chart, if the document has any.
  public let colors: [RGBAColor]
  /// The address of a picture, with `{FIELD}` in it.
  public let sourceURL: String?
  /// The address behind a picture, with `{FIELD}` in it.
  public let linkURL: String?

  /// Reads an entry.
  public init(json: JSONObject) {
    let value = json.object("value") ?? [:]
    self.json = json
    kind = json.text("type").flatMap { Kind(rawValue: $0.lowercased()) }
    title = json.text("title") ?? ""
    caption = json.text("caption") ?? ""
    alternativeText = json.text("altText") ?? ""
    fieldNames = value.texts("fields")
    normalizeField = value.filledText("normalizeField").flatMap { $0 == "null" ? nil : $0 }
    tooltipField = value.filledText("tooltipField")
    colors = (value["colors"]?.array ?? []).compactMap { RGBAColor(json: $0) }
    sourceURL = value.filledText("sourceURL")
    linkURL = value.filledText("linkURL")
  }
}
