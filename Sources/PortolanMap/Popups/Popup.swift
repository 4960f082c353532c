public import PortolanFeatures

/// The evaluated popup of one feature.
public struct Popup: Hashable, Sendable, Codable {
  /// The title; never empty if the layer has a name.
  public var title: String
  /// The elements below the title, from the top.
  public var elements: [Element]
  /// The reasons why expressions in the title, in texts and in charts have no value, a sentence
  /// each; a field that has none says so itself.
  public var notEvaluated: [String]

  /// Creates a popup.
  public init(title: String, elements: [Element], notEvaluated: [String] = []) {
    self.title = title
    self.elements = elements
    self.notEvaluated = notEvaluated
  }

  /// A part of a popup below its title.
  public enum Element: Hashable, Sendable, Codable {
    case text(RichText)
    case fields(FieldGroup)
    case media(MediaGroup)
    /// The files of the feature, which its store has.
    case attachments(AttachmentsPopupElement)
    /// The related records, which the feature's store has.
    case relationship(RelationshipPopupElement)
    case expression(FieldValue)
    /// A part of a kind that is not shown, by its type.
    case unsupported(type: String)
  }

  /// A text, as HTML and as it reads without.
  public struct RichText: Hashable, Sendable, Codable {
    /// The text with its tags; the values in it are escaped.
    public var html: String
    /// The text without tags, for terminals and screen readers.
    public var plain: String { PlainText.ofHTML(html) }

    /// Creates a text from HTML.
    public init(html: String) { self.html = html }
  }

  /// A list of fields and values.
  public struct FieldGroup: Hashable, Sendable, Codable {
    /// The heading; may be empty.
    public var title: String
    /// The description; may be empty.
    public var summary: String
    /// The fields from the top.
    public var values: [FieldValue]
  }

  /// A field and its value.
  public struct FieldValue: Hashable, Sendable, Codable {
    /// The name of the field, or `expression/NAME`, or `relationships/ID/FIELD`.
    public var name: String
    /// The name for people.
    public var label: String
    /// The value as people read it; empty if there is none.
    public var text: String
    /// The value itself; `null` if it was not evaluated.
    public var value: AttributeValue
    /// The address that the value is, if it is one.
    public var link: String?
    /// The reason why there is no value though there should be one, as a sentence for people.
    public var failure: String?
  }

  /// Pictures and charts.
  public struct MediaGroup: Hashable, Sendable, Codable {
    /// The heading; may be empty.
    public var title: String
    /// The description; may be empty.
    public var summary: String
    /// The pictures and charts.
    public var media: [Media]
  }

  /// A picture or a chart.
  public struct Media: Hashable, Sendable, Codable {
    /// The kind; `nil` if the document names none that is known.
    public var kind: PopupMedia.Kind?
    /// The heading; may be empty.
    public var title: String
    /// The caption, without tags; may be empty.
    public var caption: String
    /// The alternative text; may be empty.
    public var alternativeText: String
    /// The values of a chart.
    public var chartValues: [ChartValue]
    /// The address of a picture, if it has one.
    public var imageURL: String?
    /// The address behind a picture, if any.
    public var linkURL: String?
  }

  /// A bar, a point or a slice of a chart.
  public struct ChartValue: Hashable, Sendable, Codable {
    /// The name for people.
    public var label: String
    /// The value; `nil` if there is none.
    public var value: Double?
    /// The value as people read it.
    public var text: String
    /// The tooltip.
    public var tooltip: String
    /// The colour, if the document has one.
    public var color: RGBAColor?
  }
}
