public import Foundation

/// A web map with offline areas, as its portal last described it.
public struct KnownMap: Hashable, Sendable, Codable, Identifiable {
  /// The id of its item.
  public let id: String
  /// The portal.
  public var portal: URL
  /// The title for people.
  public var title: String
  /// One or two sentences on it.
  public var summary: String?
  /// When it was changed last, as the portal says.
  public var modified: Date?
  /// When the portal said so.
  public var seen: Date

  /// Creates a record.
  public init(
    id: String, portal: URL, title: String, summary: String? = nil, modified: Date? = nil,
    seen: Date
  ) {
    self.id = id
    self.portal = portal
    self.title = title
    self.summary = summary
    self.modified = modified
    self.seen = seen
  }
}
