public import Foundation

/// A preplanned area of a web map, as its portal last described it.
public struct KnownArea: Hashable, Sendable, Codable, Identifiable {
  /// Whether the portal has packaged the area.
  public enum Status: String, Hashable, Sendable, Codable {
    case processing
    case complete
    case failed
  }

  /// The id of its item.
  public let id: String
  /// The id of the web map's item.
  public var webMap: String
  /// The title for people.
  public var title: String
  /// One or two sentences on it.
  public var summary: String?
  /// Whether it can be downloaded; areas of old portals say nothing, and can be.
  public var status: Status
  /// The bytes in its packages, as far as the portal reports them.
  public var byteCount: Int?
  /// When it was changed last, as the portal says.
  public var modified: Date?
  /// The area, as Esri JSON of a polygon or an envelope.
  public var geometry: Data?
  /// When the portal said so.
  public var seen: Date

  /// Creates a record.
  public init(
    id: String, webMap: String, title: String, summary: String? = nil, status: Status,
    byteCount: Int? = nil, modified: Date? = nil, geometry: Data? = nil, seen: Date
  ) {
    self.id = id
    self.webMap = webMap
    self.title = title
    self.summary = summary
    self.status = status
    self.byteCount = byteCount
    self.modified = modified
    self.geometry = geometry
    self.seen = seen
  }
}
