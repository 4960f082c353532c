public import Foundation
public import PortolanGeometry
public import PortolanJSON

/// An item of a portal: a map, a layer, a package, a file.
///
/// Docs/REST.md, 2. Everything but the id may be missing; ``json`` keeps what has no name here.
public struct PortalItem: Hashable, Sendable, Identifiable {
  /// The type of an item, in the portal's own words; unknown ones are kept.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
    /// The `type`, for example `Web Map`.
    public let rawValue: String

    /// Creates a kind from the portal's word for it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A web map.
    public static let webMap = Kind(rawValue: "Web Map")
    /// A mobile map package (`.mmpk`).
    public static let mobileMapPackage = Kind(rawValue: "Mobile Map Package")
    /// A preplanned area of a web map.
    public static let mapArea = Kind(rawValue: "Map Area")
    /// A feature service.
    public static let featureService = Kind(rawValue: "Feature Service")
    /// A map service, tiled or drawn on request.
    public static let mapService = Kind(rawValue: "Map Service")
    /// An image service.
    public static let imageService = Kind(rawValue: "Image Service")
    /// A vector tile service.
    public static let vectorTileService = Kind(rawValue: "Vector Tile Service")
    /// A geocode service.
    public static let geocodingService = Kind(rawValue: "Geocoding Service")
    /// A mobile geodatabase, as preplanned areas have them.
    public static let sqliteGeodatabase = Kind(rawValue: "SQLite Geodatabase")
    /// A tile package (`.tpk`).
    public static let tilePackage = Kind(rawValue: "Tile Package")
    /// A compact tile package (`.tpkx`).
    public static let compactTilePackage = Kind(rawValue: "Compact Tile Package")
    /// A vector tile package (`.vtpk`).
    public static let vectorTilePackage = Kind(rawValue: "Vector Tile Package")
  }

  /// The sharing level of an item.
  public struct Access: RawRepresentable, Hashable, Sendable {
    /// The portal's word for it.
    public let rawValue: String

    /// Creates an access from the portal's word for it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Its owner only.
    public static let `private` = Access(rawValue: "private")
    /// The groups that it is shared with.
    public static let groups = Access(rawValue: "shared")
    /// The organization.
    public static let organization = Access(rawValue: "org")
    /// Everyone.
    public static let everyone = Access(rawValue: "public")
  }

  /// The id.
  public var id: ID
  /// The type.
  public var kind: Kind
  /// The name for people; empty if there is none.
  public var title: String
  /// The user name of the owner.
  public var owner: String?
  /// The id of the organization that it belongs to.
  public var organizationID: String?
  /// The date of creation.
  public var created: Date?
  /// The date of the last change to it or its data.
  public var modified: Date?
  /// The name of its file or service.
  public var name: String?
  /// The type keywords, for example `Offline`.
  public var typeKeywords: [String]
  /// The description, in HTML.
  public var itemDescription: String?
  /// Words to find it by.
  public var tags: [String]
  /// The summary, a sentence.
  public var snippet: String?
  /// The path of its picture below the item's `info`, for example `thumbnail/a.png`.
  public var thumbnail: String?
  /// The box around it in WGS 84, `nil` if none is known.
  public var extent: Envelope?
  /// The name of its spatial reference.
  public var spatialReferenceName: String?
  /// The credits, in HTML.
  public var accessInformation: String?
  /// The terms of use, in HTML.
  public var termsOfUse: String?
  /// The language and country that it is for, for example `en-us`.
  public var culture: String?
  /// Members that depend on the kind.
  public var properties: JSONObject?
  /// The service behind it.
  public var url: URL?
  /// The sharing level.
  public var access: Access?
  /// The size of its data in bytes; `nil` if the portal does not know.
  public var size: Int64?
  /// The number of views.
  public var numberOfViews: Int?
  /// The average of what people think of it, 0 to 5.
  public var averageRating: Double?
  /// The folder of its owner that it lies in.
  public var ownerFolder: String?
  /// Whether it cannot be deleted.
  public var isProtected: Bool
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject
}

extension PortalItem {
  /// Reads an item; `nil` if it has no id, or one that cannot be an id.
  ///
  /// Lax: dates are milliseconds or digits in a string; an extent is a list, a list of strings, an
  /// envelope, empty or `null`; a size of -1 is none.
  public init?(json: JSONValue) {
    guard let json = json.object, let id = json.itemID else { return nil }
    self.id = id
    kind = Kind(rawValue: json.text("type") ?? "")
    title = json.filledText("title") ?? json.filledText("name") ?? ""
    owner = json.filledText("owner")
    organizationID = json.filledText("orgId")
    created = json.date("created")
    modified = json.date("modified")
    name = json.filledText("name")
    typeKeywords = json.texts("typeKeywords")
    itemDescription = json.filledText("description")
    tags = json.texts("tags")
    snippet = json.filledText("snippet")
    thumbnail = json.filledText("thumbnail")
    extent = json["extent"].flatMap { Envelope(itemExtent: $0) }
    spatialReferenceName = json.filledText("spatialReference")
    accessInformation = json.filledText("accessInformation")
    termsOfUse = json.filledText("licenseInfo")
    culture = json.filledText("culture")
    properties = json.object("properties")
    url = json.url("url")
    access = json.filledText("access").map(Access.init(rawValue:))
    size = json.number("size").flatMap { Int64(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
    numberOfViews = json.int("numViews")
    averageRating = json.number("avgRating")
    ownerFolder = json.filledText("ownerFolder")
    isProtected = json.flag("protected") ?? false
    self.json = json
  }

  /// Whether the item is of `kind`, case aside.
  public func isOf(_ kind: Kind) -> Bool {
    self.kind.rawValue.lowercased() == kind.rawValue.lowercased()
  }
}
