public import Foundation
public import PortolanJobs

/// A row of the map list: a web map, an area of one, or a package, stored or not.
public struct MapListItem: Hashable, Sendable, Codable, Identifiable {
  /// The kind of map that a row shows.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A web map, opened over the network.
    case webMap = "web-map"
    /// An area of a web map: one of the portal's, or one that was drawn.
    case area
    /// A mobile map package.
    case package
  }

  /// The state of the row.
  public enum State: Hashable, Sendable, Codable {
    /// It is opened over the network; nothing of it is stored.
    case online
    /// It can be downloaded.
    case available
    /// The portal is still packaging it.
    case packaging
    /// The portal could not pack it.
    case packagingFailed
    /// It is on its way.
    case transferring(MapTransfer)
    /// Its download has failed, and nothing of it can be opened.
    case failed(MapTransfer, JobFailure)
    /// It is on this device, whole but for what ``StoredCopy/omissions`` lists.
    case stored(StoredCopy)
  }

  /// The id: that of the portal's item, or of the stored map.
  public let id: String
  /// The kind of map.
  public var kind: Kind
  /// The id of the web map that it is an area of.
  public var webMap: String?
  /// Whether it is an area that was drawn: no portal has it to download.
  public var isDrawn: Bool
  /// The portal that it is had from; `nil` if no portal is known to have it.
  public var portal: URL?
  /// The title for people.
  public var title: String
  /// One or two sentences on it.
  public var summary: String?
  /// The date of the last change, by the portal.
  public var modified: Date?
  /// The bytes on this device, else those that the portal reports.
  public var byteCount: Int?
  /// Its state.
  public var state: State

  /// Creates a row.
  public init(
    id: String, kind: Kind, webMap: String? = nil, isDrawn: Bool = false, portal: URL? = nil,
    title: String, summary: String? = nil,
    modified: Date? = nil, byteCount: Int? = nil, state: State
  ) {
    self.id = id
    self.kind = kind
    self.webMap = webMap
    self.isDrawn = isDrawn
    self.portal = portal
    self.title = title
    self.summary = summary
    self.modified = modified
    self.byteCount = byteCount
    self.state = state
  }
}
