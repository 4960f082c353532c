public import Foundation

/// The metadata of an offline map; taken from the item of the web map by default.
public struct OfflineMapItemInfo: Hashable, Sendable, Codable {
  /// The title.
  public var title: String
  /// One or two sentences.
  public var snippet: String?
  /// A longer text.
  public var description: String?
  /// Words by which it is found.
  public var tags: [String]
  /// Whom to thank for it.
  public var accessInformation: String?
  /// The terms of use.
  public var termsOfUse: String?
  /// The picture, as PNG or JPEG; that of the item unless given.
  public var thumbnail: Data?

  /// Creates a description.
  public init(
    title: String, snippet: String? = nil, description: String? = nil, tags: [String] = [],
    accessInformation: String? = nil, termsOfUse: String? = nil, thumbnail: Data? = nil
  ) {
    self.title = title
    self.snippet = snippet
    self.description = description
    self.tags = tags
    self.accessInformation = accessInformation
    self.termsOfUse = termsOfUse
    self.thumbnail = thumbnail
  }
}
