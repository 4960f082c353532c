public import Foundation
public import PortolanGeometry
public import PortolanJSON

/// The metadata of a map in its `.mmap` file.
///
/// - SeeAlso: Docs/FORMATS.md, 1.3
public struct MobileMapItem: Hashable, Sendable {
  /// The item id.
  public var id: String?
  /// The title for people.
  public var title: String
  /// The item that the map was taken from.
  public var originalPortalItemID: String?
  /// The portal that item is on.
  public var portalURL: String?
  /// When it was made.
  public var created: Date?
  /// When it was changed last.
  public var modified: Date?
  /// Words to find it by.
  public var tags: [String]
  /// The extent, in degrees on WGS 84.
  public var extent: Envelope?
  /// The picture of the map, if there is one: PNG or JPEG.
  public var thumbnail: Data?
  /// The member as it was read.
  public var json: JSONObject
  /// The attribution, if the item has one.
  public var accessInformation: String? {
    json.value(ignoringCase: "accessInformation")?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads the `item` member.
  public init(json: JSONObject, fallbackTitle: String) {
    func text(_ key: String) -> String? {
      json.value(ignoringCase: key)?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    id = text("id") ?? text("guid")
    title = text("title") ?? text("name") ?? fallbackTitle
    originalPortalItemID = text("originalPortalItemId")
    portalURL = text("portalUrl")
    created = Date(milliseconds: json.value(ignoringCase: "created"))
    modified = Date(milliseconds: json.value(ignoringCase: "modified"))
    tags = (json.value(ignoringCase: "tags")?.array ?? []).compactMap(\.string)
    extent = Envelope(corners: json.value(ignoringCase: "extent"))
    thumbnail = text("thumbnail").flatMap(PackageInfo.picture)
    self.json = json
  }
}
