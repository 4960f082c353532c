/// Pictures and charts.
public struct MediaPopupElement: Hashable, Sendable {
  /// The heading; may be empty.
  public var title: String
  /// The description; may be empty.
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
