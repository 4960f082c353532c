public import Foundation
internal import PortolanFiles

/// A map that is stored on this device, whole.
public struct StoredMap: Hashable, Sendable, Codable, Identifiable {
  /// The origin of a stored map.
  public enum Origin: Hashable, Sendable, Codable {
    /// A preplanned area of a web map, by the ids of both items.
    case preplannedArea(webMap: String, area: String)
    /// An area of a web map that the user chose.
    case onDemandArea(webMap: String)
    /// A mobile map package, by the id of its item.
    case portalItem(String)
    /// A file that was on this device already, by its name.
    case imported(String)
  }

  /// The form in which it is stored.
  public enum Form: String, Hashable, Sendable, Codable {
    /// An unpacked mobile map package, in `maps`.
    case folder
    /// A mobile map package as one file, in `packages`.
    case file
  }

  /// Its id.
  public let id: MapID
  /// The origin.
  public var origin: Origin
  /// The form in which it is stored.
  public var form: Form
  /// The title for people.
  public var title: String
  /// One or two sentences on it.
  public var summary: String?
  /// The portal that it came from; of one that was imported, the one in use when it was synchronized
  /// first.
  public var portal: URL?
  /// When it was stored.
  public var installed: Date
  /// When what it was made from was changed last, as the portal said then; of a file that was on this
  /// device, when it was written.
  public var sourceModified: Date?
  /// The bytes in its files.
  public var byteCount: Int
  /// The missing parts, a sentence each; empty if it is complete.
  public var omissions: [String]
  /// How it was downloaded; `nil` of what is no preplanned area, and in records of older Portolans.
  public var options: StoredAreaOptions?
  /// When it was deleted; it waits in the trash for its end or for being restored.
  public var deleted: Date?
  /// On which day of use it was deleted, counted from the first; days on which the home was not
  /// used do not count.
  public var deletedOn: Int?
  /// Records of older Portolans have none.
  private var versionNumber: Int?

  /// The current version, counted from 1; 0 in a home of an older Portolan, where a map has no
  /// versions yet.
  public var version: Int {
    get { versionNumber ?? 0 }
    set { versionNumber = newValue == 0 ? nil : newValue }
  }

  /// Whether it was made from a file that was on this device already.
  public var isImported: Bool {
    if case .imported = origin { true } else { false }
  }

  /// Creates a record.
  public init(
    id: MapID, origin: Origin, form: Form, title: String, summary: String? = nil,
    portal: URL? = nil, installed: Date, sourceModified: Date? = nil, byteCount: Int,
    omissions: [String] = [], options: StoredAreaOptions? = nil, deleted: Date? = nil,
    deletedOn: Int? = nil, version: Int = 0
  ) {
    self.id = id
    self.origin = origin
    self.form = form
    self.title = title
    self.summary = summary
    self.portal = portal
    self.installed = installed
    self.sourceModified = sourceModified
    self.byteCount = byteCount
    self.omissions = omissions
    self.options = options
    self.deleted = deleted
    self.deletedOn = deletedOn
    self.version = version
  }
}

extension StoredMap.Form {
  /// The form of what is in a place.
  init(of place: URL) { self = FileStatus(place)?.kind == .folder ? .folder : .file }
}
